/** What counts as a renaming, and what a server may not slip in with one. */
import { expect, it } from 'vitest';
import { renamedIn } from '../../../src/tools/shared/renaming.js';

/** `[` and `]` mark the range in the text. */
const count = (marked: string, text: string, names = { old: 'foo', new: 'bar' }) => {
  const from = marked.indexOf('[');
  const to = marked.indexOf(']') - 1;
  return renamedIn(marked.replace(/[[\]]/g, ''), { from, to, text }, names);
};

it.each([
  ['a [foo] b', 'bar', 1],
  ['{ [foo] }', 'foo: bar', 1],
  ['{ [foo] }', 'bar: foo', 1],
  ['{ foo[] }', ': bar', 1],
  ['{ []foo }', 'bar: ', 1],
  ['export { []foo }', 'bar as ', 1],
  ['[foo(foo);\nfood]', 'bar(bar);\nfood', 2],
  ['[foo(foo)]', 'bar(foo)', 1],
  ['.[@foo]', '@bar', 1],
])('%j by %j', (marked, text, places) => expect(count(marked, text)).toBe(places));

it.each([
  ['[foo;]', 'bar; evil();'],
  ['[foo]', 'bar; evil()'],
  ['[foo\nkept\n]', 'bar\n'],
  ['[foo\nkept\n]', 'WIPED'],
  ['[foo]', 'OWNED'],
  ['[foo]', ''],
  ['foo[]', ': bar, evil'],
  ['[]foo', 'evil(bar); '],
  ['[xxx]', 'bar'],
  ['[food]', 'bard'],
  ['x[]', 'bar'],
  ['[(foo)]', 'bar'],
  ['["foo" x]', 'bar'],
])('%j by %j is more than that', (marked, text) => expect(count(marked, text)).toBeUndefined());

it('a part of a name, names that hold each other, and signs of a language', () => {
  const longer = { old: 'foo', new: 'foobar' };
  expect(count('foo[]', 'bar', longer)).toBe(1);
  expect(count('[foo foobar foo]', 'foobar foobar foobar', longer)).toBe(2);
  expect(count('f[oo]', 'ab', { old: 'foo', new: 'fab' })).toBe(1);
  expect(count('var([--main-color])', '--second', { old: 'main', new: '--second' })).toBe(1);
  expect(count('[foo?]', 'bar?', { old: 'foo', new: 'bar?' })).toBe(1);
  expect(count('$[foo]', 'bar', { old: '$foo', new: 'bar' })).toBe(1);
});

it('a whole file with many names is read in a time that grows with it', () => {
  const text = 'a a '.repeat(100_000);
  expect(renamedIn(text, { from: 0, to: text.length, text: text.replaceAll('a', 'aa') }, { old: 'a', new: 'aa' })).toBe(200_000);
  const ambiguous = 'a: '.repeat(20_000);
  expect(renamedIn(ambiguous, { from: 0, to: ambiguous.length, text: `${ambiguous}!` }, { old: 'a', new: 'b' })).toBeUndefined();
});
