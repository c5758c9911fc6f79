/** New findings told from old ones that moved; places between servers and people. */
import { describe, expect, it } from 'vitest';
import { freshFindings, stillThere } from '../../../src/code/lsp/fresh.js';
import { oneLine, readFindings } from '../../../src/code/lsp/plain.js';
import { fromPosition, readRange, toPosition } from '../../../src/code/lsp/positions.js';
import { pathOf, uriOf } from '../../../src/code/lsp/uris.js';
import type { Finding } from '../../../src/types/language.js';

/** Every line that holds `!` has a finding; its message is what follows. */
const observed = (text: string) => {
  const findings = text.split('\n').flatMap((line, index): Finding[] => {
    const at = line.indexOf('!');
    return at < 0
      ? []
      : [{ path: '/a', line: index + 1, column: at + 1, severity: 'error', message: line.slice(at), source: 's' }];
  });
  return { text, findings };
};
const fresh = (before: string, after: string) => {
  const found = freshFindings(observed(before), observed(after));
  return { lines: found.fresh.map(({ line }) => line), older: found.older };
};

describe('findings', () => {
  it.each([
    ['moved by lines above', 'a\n!x\nb', 'a\nnew\nnew\n!x\nb', [], 1],
    ['a new one above an equal old one', 'a\n!x', '!x\na\n!x', [1], 1],
    ['a new one below an equal old one', '!x\na', '!x\na\n!x', [3], 1],
    ['its line was rewritten', 'a\nfoo !x\nb', 'a\nbar !x\nb', [], 1],
    ['it was mended here and made there', '!x\na\nb\nc', 'ok\na\nb\nc !x', [4], 0],
    ['its line went to the end', 'foo !x\na\nb\nc', 'a\nb\nc\n  foo !x', [], 1],
    ['its line went to the end and was made a second time', '!x\na\nb\nc', 'a\nb\nc\n!x\n!x', [5], 1],
    ['another message on the same line', 'a\n!x\nb', 'a\n!y\nb', [2], 0],
    ['a line number in the message moved along', '!x declared at line 3', 'new\n!x declared at line 4', [], 1],
    ['several changes', '!a\n1\n2\n!b\n3\n!c', '1\n2\nnew !d\n!b\n3\nmore\n!c', [3], 2],
    ['nothing before', '', '!a\n!b', [1, 2], 0],
    ['all gone', '!a\n!b', 'a', [], 0],
  ])('%s', (_, before, after, lines, older) => {
    expect(fresh(before, after)).toEqual({ lines, older });
  });
  it('those on lines that are still there are found where the lines are now', () => {
    const found = stillThere(observed('!a\nx\n!b\n!c'), 'new\n!a\nx\nmended\n!c');
    expect(found.map(({ line, message }) => [line, message])).toEqual([
      [2, '!a'],
      [5, '!c'],
    ]);
  });
  it('too much to compare is one change, and still counts rightly', () => {
    const many = (mark: string) => Array.from({ length: 1500 }, (_, i) => `${mark}${i}`).join('\n');
    const { lines, older } = fresh(`top\n!x\n${many('a')}\nend`, `top\n!x\n${many('b')}\n!new\nend`);
    expect({ lines, older }).toEqual({ lines: [1503], older: 1 });
  });
});

it('places in UTF-8, UTF-16 and UTF-32 are the same place', () => {
  const line = 'a🎉é = x';
  for (const [encoding, character] of [
    ['utf-16', 7],
    ['utf-8', 10],
    ['utf-32', 6],
  ] as const) {
    expect(fromPosition({ line: 3, column: 8 }, line, encoding)).toEqual({ line: 2, character });
    expect(toPosition({ line: 2, character }, line, encoding)).toEqual({ line: 3, column: 8 });
    expect(toPosition({ line: 2, character: 999 }, line, encoding).column).toBe(line.length + 1);
  }
});

it('ranges and findings that are none are passed over', () => {
  const good = { start: { line: 1, character: 0 }, end: { line: 1, character: 2 } };
  for (const bad of [
    null,
    7,
    {},
    { start: good.end, end: good.start },
    { start: { line: -1, character: 0 }, end: good.end },
    { start: { line: 1.5, character: 0 }, end: good.end },
  ])
    expect(readRange(bad)).toBeUndefined();
  const about = { path: '/a', text: 'x', encoding: 'utf-16' } as const;
  const list = [
    null,
    'x',
    { range: good },
    { range: good, message: 7 },
    { range: good, message: { kind: 'markdown', value: 'm\nn' }, severity: 9 },
  ];
  expect(readFindings(list, about)).toEqual([{ path: '/a', line: 2, column: 1, severity: 'error', message: 'm n', source: '' }]);
  expect(readFindings({ length: 3 }, about)).toEqual([]);
  expect(
    readFindings(
      Array.from({ length: 5000 }, (_, i) => ({ range: good, message: `m${i}` })),
      about,
    ),
  ).toHaveLength(2000);
  expect(oneLine(`a\u001b[2Jb\u0000\n\tc${'🎉'.repeat(50)}`, 20)).toBe(`ab c${'🎉'.repeat(7)}…`);
});

it('file URIs of odd names come back as they were, also as other programs write them', () => {
  for (const path of ['/a b/ü#?%25.ts', '/x/[id]/$a&b.ts', '/日本/é.ts', '/quo\'te"/back\\slash.ts', '/new\nline.ts'])
    expect(pathOf(uriOf(path))).toBe(path);
  expect(pathOf('file:///a%5Bb%5D/c%3Ad.ts')).toBe('/a[b]/c:d.ts');
  expect(pathOf('file:///a[b]/c d.ts')).toBe('/a[b]/c d.ts');
  for (const bad of [
    'http://x/a',
    'untitled:1',
    'file://host/share/a',
    'file:///a%2Fb',
    'file:///a%00b',
    'file:///%E0%A4%A',
    7,
    null,
  ])
    expect(pathOf(bad)).toBeUndefined();
});
