/** JavaScript with markup (JSX). */
import type { Language } from '../parse/language.js';
import { ECMA_RESTART, ecmaSymbols } from './shared/ecma.js';
import { ecmaImports } from './shared/ecma-imports.js';
import { mendScript } from './shared/ecma-mend.js';

export const jsx: Language = {
  id: 'jsx',
  name: 'JSX',
  grammar: 'javascript',
  extensions: ['.jsx'],
  mend: mendScript,
  restart: ECMA_RESTART,
  closing: '}',
  symbols: ecmaSymbols,
  references:
    '[(identifier) (property_identifier) (shorthand_property_identifier) (shorthand_property_identifier_pattern)] @name',
  imports: ecmaImports,
};
