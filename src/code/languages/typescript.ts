/** TypeScript without markup. */
import type { Language } from '../parse/language.js';
import { ECMA_RESTART, ecmaSymbols } from './shared/ecma.js';
import { ecmaImports } from './shared/ecma-imports.js';
import { mendTypesAndCalls } from './shared/ecma-mend.js';

export const typescript: Language = {
  id: 'typescript',
  name: 'TypeScript',
  grammar: 'typescript',
  extensions: ['.ts', '.mts', '.cts'],
  shebangs: ['deno', 'bun', 'tsx', 'ts-node'],
  mend: mendTypesAndCalls,
  restart: ECMA_RESTART,
  closing: '}',
  symbols: ecmaSymbols,
  references:
    '[(identifier) (type_identifier) (property_identifier) (shorthand_property_identifier) (shorthand_property_identifier_pattern)] @name',
  imports: ecmaImports,
};
