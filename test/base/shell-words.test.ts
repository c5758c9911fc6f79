/** Words that a shell gives back exactly, proved with the shells themselves. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathWord, shellLine, shellWord } from '../../src/base/shell-words.js';

const HOSTILE = [
  '',
  ' ',
  '\n',
  'a\nb',
  '\t',
  "'",
  "''",
  "a'b'c",
  '"',
  '\\',
  '\\n',
  "\\'",
  '$HOME',
  '${HOME}',
  '$(touch planted)',
  '`touch planted`',
  '; touch planted',
  '&& touch planted',
  '| touch planted',
  '> planted',
  '& touch planted &',
  '\n touch planted\n',
  "'; touch planted; '",
  '*',
  '?',
  '[a-z]*',
  '{a,b}',
  '~',
  '~root',
  '#comment',
  '!x',
  '!!',
  '-n',
  '--',
  '-rf',
  '--x=$(touch planted)',
  '--x=a b',
  'A=b',
  'if',
  'time',
  'done',
  '((1))',
  '<(ls)',
  '\u00e9\u4e2d\u{1f600}',
  '\r',
  '\u0001\u007f',
  'a\u2028b',
];
const PIECES = [...HOSTILE, 'x', '0', '=', '/', '.', '-', '%s', '^', '(', ')', '<', '>'];

/** What the shell hands to a program, byte by byte. */
function given(shell: string, cwd: string, words: readonly string[]): string[] {
  const print = ['node', '-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--'];
  const line = shellLine([...print, ...words]);
  return JSON.parse(execFileSync(shell, ['-c', line], { cwd, encoding: 'utf8' })) as string[];
}

/** A generator with a seed, so that a failure can be run again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SHELLS = ['/bin/bash', '/bin/dash', '/bin/sh'].filter((shell) => existsSync(shell));

describe('a line of words', () => {
  it('has shells to be tried with', () => {
    expect(SHELLS.length).toBeGreaterThan(0);
  });

  it.each(SHELLS)('comes back word for word from %s, and plants nothing', (shell) => {
    const cwd = mkdtempSync(join(tmpdir(), 'chatcli-words-'));
    try {
      expect(given(shell, cwd, HOSTILE)).toEqual(HOSTILE);
      const next = random(7);
      for (let round = 0; round < 5; round++) {
        const words = Array.from({ length: 200 }, () =>
          Array.from({ length: next(6) }, () => PIECES[next(PIECES.length)] ?? '').join(''),
        );
        expect(given(shell, cwd, words)).toEqual(words);
      }
      expect(readdirSync(cwd)).toEqual([]);
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  });

  it.each(SHELLS)('names a program and nothing else in first place in %s', (shell) => {
    for (const first of ['if', 'time', 'A=b', 'while', 'no such', '$(touch planted)', '~', '{', '!', '[[', 'function']) {
      let code: unknown;
      try {
        execFileSync(shell, ['-c', `${shellLine([first, 'x'])} 2>/dev/null`], { cwd: '/', stdio: 'ignore' });
      } catch (error) {
        code = (error as { status?: unknown }).status;
      }
      // `time` may be a real program; the others are not found, or found and no program.
      if (first !== 'time' && first !== '[[') expect([126, 127], first).toContain(code);
    }
    expect(existsSync('/planted')).toBe(false);
  });

  it('leaves plain words as a person would write them', () => {
    expect(shellLine(['go', 'test', '-json', './...', '-run=X'])).toBe('go test -json ./... -run=X');
    expect(shellWord('a b')).toBe("'a b'");
    expect(shellWord('A=b')).toBe("'A=b'");
    expect(shellWord("it's")).toBe("'it'\\''s'");
  });

  it('refuses what no command line can hold', () => {
    expect(() => shellWord('a\0b')).toThrow(RangeError);
    expect(() => shellLine([])).toThrow(RangeError);
    expect(() => shellLine(['', 'x'])).toThrow(RangeError);
  });

  it('makes a path of what looks like an option', () => {
    expect(['-rf', '--x', 'a', './-x', '/-x', ''].map(pathWord)).toEqual(['./-rf', './--x', 'a', './-x', '/-x', '']);
  });
});
