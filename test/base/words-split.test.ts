import { describe, expect, it } from 'vitest';
import { splitWords } from '../../src/base/words-split.js';

const words = (line: string) => {
  const split = splitWords(line);
  return split.ok ? split.words.map((word) => word.text) : split.message;
};

describe('splitWords', () => {
  const cases: [string, string[]][] = [
    ['read --file main.go --start 10', ['read', '--file', 'main.go', '--start', '10']],
    ['write --content "hello world"', ['write', '--content', 'hello world']],
    ['a "" \'\' b', ['a', '', '', 'b']],
    [`--search "fmt.Println(\\"old\\")"`, ['--search', 'fmt.Println("old")']],
    ['"a\\nb" \'a\\nb\'', ['a\\nb', 'a\\nb']],
    ['"a\\\\b"', ['a\\b']],
    ['src\\lib\\u.txt a\\ b', ['src\\lib\\u.txt', 'a b']],
    [`'it'\\''s'`, ["it's"]],
    ['--k=v --e= --q="a b"c', ['--k=v', '--e=', '--q=a bc']],
    ['"line\nend"\n--x', ['line\nend', '--x']],
    ['a \\\n  b', ['a', 'b']],
    ['', []],
    ['caf\u00e9 \u2615 "日本 語"', ['café', '☕', '日本 語']],
  ];
  for (const [line, wanted] of cases) it(JSON.stringify(line), () => expect(words(line)).toEqual(wanted));

  it('says where a quote stays open', () => {
    expect(words(`echo it's`)).toContain("' at character 8 is not closed");
    expect(words('a "b')).toContain('not closed');
    expect(words('a \\')).toContain('backslash');
  });

  it('tells where each word stands', () => {
    const split = splitWords('exec  "go build" x');
    expect(split.ok && split.words.map((word) => [word.start, word.end, word.quoted])).toEqual([
      [0, 4, false],
      [6, 16, true],
      [17, 18, false],
    ]);
  });
});
