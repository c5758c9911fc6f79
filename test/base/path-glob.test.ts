import { describe, expect, it } from 'vitest';
import { compileGlob, expandBraces, splitGlobList } from '../../src/base/path-glob.js';

describe('globs', () => {
  it('match whole paths', () => {
    const table: [string, string[], string[]][] = [
      ['*.ts', ['a.ts', '.ts'], ['a.tsx', 'd/a.ts', 'ts']],
      ['src/*', ['src/a'], ['src/a/b', 'src']],
      ['**/a', ['a', 'x/a', 'x/y/a'], ['xa', 'a/b']],
      ['a/**', ['a/b', 'a/b/c'], ['a', 'ab']],
      ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'ab']],
      ['a**b', ['ab', 'axxb'], ['a/b']],
      ['?', ['a', 'é', '😀'], ['', 'ab', '/']],
      ['[a-c]x', ['ax', 'cx'], ['dx', 'x']],
      ['[!a]x', ['bx'], ['ax', '/x']],
      ['[]a]', [']', 'a'], ['b']],
      ['[[:digit:]_]*', ['1', '_a'], ['a']],
      ['a[', ['a['], ['a']],
      ['\\*', ['*'], ['a']],
      ['{a,b}', ['{a,b}'], ['a']],
    ];
    for (const [pattern, yes, no] of table) {
      const glob = compileGlob(pattern);
      for (const path of yes) expect([pattern, path, glob.test(path)]).toEqual([pattern, path, true]);
      for (const path of no) expect([pattern, path, glob.test(path)]).toEqual([pattern, path, false]);
    }
    expect(compileGlob('A*.TS', { ignoreCase: true }).test('ab.ts')).toBe(true);
  });

  it('take no time over hostile patterns', () => {
    const glob = compileGlob(`${'*a'.repeat(30)}b`);
    expect(glob.test('a'.repeat(250))).toBe(false);
    expect(compileGlob('**/'.repeat(40)).test('a/'.repeat(200))).toBe(true);
    expect(expandBraces('{a,b}'.repeat(40)).length).toBeLessThan(600);
  });

  it('expand braces and split lists', () => {
    expect(expandBraces('*.{ts,tsx}')).toEqual(['*.ts', '*.tsx']);
    expect(expandBraces('{a,b{c,d}}x{,y}')).toEqual(['ax', 'axy', 'bcx', 'bcxy', 'bdx', 'bdxy']);
    expect(expandBraces('{a')).toEqual(['{a']);
    expect(expandBraces('a}b{c')).toEqual(['a}b{c']);
    expect(splitGlobList(' *.{a,b} , c,, [x,y] ')).toEqual(['*.{a,b}', 'c', '[x,y]']);
  });
});
