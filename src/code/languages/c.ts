/** C: functions and prototypes, types with their fields, typedefs, variables, macros. */
import type { Language } from '../parse/language.js';
import { cImports, cSymbols } from './shared/c-family.js';
import { prepareC } from './shared/c-prepare.js';

export const c: Language = {
  id: 'c',
  name: 'C',
  grammar: 'c',
  extensions: ['.c'],
  prepare: prepareC,
  symbols: cSymbols,
  references: '[(identifier) (type_identifier) (field_identifier)] @name',
  imports: cImports,
};
