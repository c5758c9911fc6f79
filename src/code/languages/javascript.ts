/** JavaScript, modules and scripts of every age. */
import type { Language } from '../parse/language.js';
import { ECMA_RESTART, ecmaSymbols } from './shared/ecma.js';
import { ecmaImports } from './shared/ecma-imports.js';
import { mendScript } from './shared/ecma-mend.js';

export const javascript: Language = {
  id: 'javascript',
  name: 'JavaScript',
  grammar: 'javascript',
  extensions: ['.js', '.mjs', '.cjs', '.es6'],
  shebangs: ['node', 'nodejs'],
  mend: mendScript,
  restart: ECMA_RESTART,
  closing: '}',
  symbols: ecmaSymbols,
  references:
    '[(identifier) (property_identifier) (shorthand_property_identifier) (shorthand_property_identifier_pattern)] @name',
  imports: ecmaImports,
};
