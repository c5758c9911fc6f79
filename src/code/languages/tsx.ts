/** TypeScript with markup (TSX). */
import type { Language } from '../parse/language.js';
import { ECMA_RESTART, ecmaSymbols } from './shared/ecma.js';
import { ecmaImports } from './shared/ecma-imports.js';
import { mendTypes } from './shared/ecma-mend.js';

export const tsx: Language = {
  id: 'tsx',
  name: 'TSX',
  grammar: 'tsx',
  extensions: ['.tsx'],
  mend: mendTypes,
  restart: ECMA_RESTART,
  closing: '}',
  symbols: ecmaSymbols,
  references:
    '[(identifier) (type_identifier) (property_identifier) (shorthand_property_identifier) (shorthand_property_identifier_pattern)] @name',
  imports: ecmaImports,
};
