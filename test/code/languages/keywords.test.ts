/** Names a language takes, and those it does not. */
import { expect, it } from 'vitest';
import { identifierFault } from '../../../src/code/languages/keywords.js';
import { LANGUAGES } from '../../../src/code/languages/registry.js';

it.each(LANGUAGES.map(({ id }) => id))('%s: plain names pass; blanks, signs and reserved words do not', (id) => {
  for (const name of ['sum', '_private', 'camelCase2', 'größe']) expect(identifierFault(id, name), name).toBeUndefined();
  for (const name of ['', '2bad', 'a b', 'a.b', 'a(', 'a;b', 'a\nb', '"a"'])
    expect(identifierFault(id, name), name).toMatch(/ is no identifier of /);
  expect(identifierFault(id, 'while') ?? identifierFault(id, 'if')).toMatch(/ is a reserved word of /);
});

it.each([
  ['typescript', 'class', 'class is a reserved word of TypeScript'],
  ['tsx', 'a-b', 'a-b is no identifier of TypeScript'],
  ['python', 'lambda', 'lambda is a reserved word of Python'],
  ['go', 'func', 'func is a reserved word of Go'],
  ['php', 'CLASS', 'CLASS is a reserved word of PHP'],
  ['cpp', 'restrict', undefined],
  ['c', 'class', undefined],
  ['c-header', 'struct', 'struct is a reserved word of C'],
  ['go', '$a', '$a is no identifier of Go'],
  ['javascript', '$a', undefined],
  ['javascript', '#a', undefined],
  ['typescript', 'of', undefined],
  ['ruby', 'empty?', undefined],
  ['ruby', '@count', undefined],
  ['rust', 'r#type', undefined],
  ['csharp', '@class', undefined],
  ['php', '$name', undefined],
  ['kotlin', '`a name`', undefined],
  ['scala', '+=', undefined],
  ['shell', 'do-it', undefined],
  ['unheard-of', 'class', undefined],
])('%s %s: %s', (id, name, fault) => {
  expect(identifierFault(id, name)).toBe(fault);
});
