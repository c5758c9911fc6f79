/** C++, and headers of which nobody says whether they are C or C++: namespaces, classes with access, templates, operators, concepts. */
import type { Language } from '../parse/language.js';
import { cImports, cSymbols } from './shared/c-family.js';
import { prepareC } from './shared/c-prepare.js';

const shared = {
  grammar: 'cpp',
  prepare: prepareC,
  symbols: cSymbols,
  references: '[(identifier) (type_identifier) (field_identifier) (namespace_identifier)] @name',
  imports: cImports,
} as const;

export const cpp: Language = {
  id: 'cpp',
  name: 'C++',
  extensions: ['.cc', '.cpp', '.cxx', '.c++', '.hh', '.hpp', '.hxx', '.h++', '.ipp', '.tpp', '.inl', '.cu', '.cuh'],
  ...shared,
};

export const cHeader: Language = {
  id: 'c-header',
  name: 'C/C++ header',
  extensions: ['.h'],
  ...shared,
};
