/** What is judged to only read is run in real shells: no file changes, no program of the folder runs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decide } from '../../src/policy/decide.js';
import { contextOf, execCall, locator } from './helpers.js';

let base = '';
let shells: readonly string[] = [];

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-shell-')));
  for (const folder of ['ws/src', 'home', 'bin']) mkdirSync(join(base, folder), { recursive: true });
  const witness = `#!/bin/sh\necho ran >> ${join(base, 'home', 'witness')}\n`;
  writeFileSync(join(base, 'bin', 'pwn'), witness, { mode: 0o755 });
  writeFileSync(join(base, 'ws', 'pwn.sh'), witness, { mode: 0o755 });
  writeFileSync(join(base, 'ws', 'a.txt'), 'one\ntwo pwn\n');
  writeFileSync(join(base, 'ws', 'src', 'b.ts'), 'pwn\n');
  const works = (name: string) => spawnSync(name, ['-c', 'exit 0']).status === 0;
  shells = ['bash', 'dash'].filter(works);
  if (shells.length === 0) shells = ['sh'].filter(works);
});
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

function picture(): string {
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => `${path}:${statSync(join(base, path)).isFile() ? readFileSync(join(base, path), 'utf8') : ''}`)
    .join('\n');
}

const SHELL = [
  'pwn',
  'pwn x',
  './pwn.sh',
  'ls',
  'cat a.txt',
  'echo hi',
  'grep one a.txt',
  'sed',
  'awk',
  'sort',
  'find .',
  'xargs',
  'true',
  'cd src',
  'x=1',
  'x=pwn',
  '$x',
  '"$x"',
  '${x:-pwn}',
  '$((',
  '))',
  '$(',
  ')',
  '`',
  '(',
  '{ ',
  '; }',
  ';',
  '&&',
  '||',
  '|',
  '&',
  '\n',
  ' ',
  "'",
  '"',
  '\\',
  '\\\n',
  "$'",
  '#',
  '>',
  '>>',
  '<',
  '<<<',
  '<<EOF\n',
  "<<'EOF'\n",
  '\nEOF\n',
  '2>&1',
  '&>',
  '<(',
  '>(',
  'if ',
  'then ',
  'fi',
  'for i in ',
  'do ',
  'done',
  'case x in ',
  'x) ',
  ';;',
  'esac',
  'f() ',
  '! ',
  'time ',
  'exec ',
  'eval ',
  'command ',
  'env ',
  'bash -c ',
  'sh -c ',
  '-exec',
  '-i',
  '-o',
  '{}',
  '\\;',
  '+',
  'a.txt',
  '*',
  '{a,pwn}',
  '=',
  '[[ ',
  '[ ',
  ' ]',
  ' ]]',
  '-v',
  'read x',
  'printf %s ',
  'set -- ',
  'w out',
  's/a/b/e',
  'BEGIN{system("pwn")}',
  '\\x70wn',
  'p"w"n',
  '\\pwn',
  '$IFS',
  'a[$(pwn)]',
];
const SED = [
  'p',
  'd',
  'w out',
  'w',
  'e pwn',
  's',
  '/',
  'a',
  'b',
  's/a/b/',
  's/o/pwn/e',
  's/a/b/w out',
  ' ',
  ';',
  '\n',
  '{',
  '}',
  '1',
  '$',
  '!',
  ',',
  '/o/',
  '\\',
  '|',
  'n',
  'N',
  'y/a/b/',
  '[',
  '/]',
  'a\\',
  'i x',
  'c',
  'q',
  't',
  ':',
  'r f',
  'W out',
  'g',
  'out',
  '-',
];
const AWK = [
  '{',
  '}',
  'print',
  ' ',
  '"out"',
  '>',
  '>>',
  '|',
  '"pwn"',
  'system',
  '(',
  ')',
  '"',
  '/',
  'a',
  '$1',
  '+',
  '++',
  '*',
  '==',
  '~',
  '&&',
  '||',
  ',',
  ';',
  '\n',
  '\\\n',
  '#',
  'BEGIN',
  'getline',
  '=',
  'if',
  '/a/',
  '/|/',
  '@',
];

const line = (words: readonly string[], between: string) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 }).map((list) => list.join(between));
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function check(arbitrary: fc.Arbitrary<string>, samples: number, most: number): number {
  const context = contextOf([], {
    home: join(base, 'home'),
    root: join(base, 'ws'),
    roots: [join(base, 'ws')],
    locate: locator({ root: join(base, 'ws'), home: join(base, 'home') }),
  });
  const before = picture();
  const allowed = [...new Set(fc.sample(arbitrary, { numRuns: samples, seed: 20261130 }))]
    .filter((text) => /[^\w\s./-]|pwn/.test(text) && decide(execCall(text), context).verdict === 'allow')
    .slice(0, most);
  for (const text of allowed) {
    for (const shell of shells) {
      spawnSync(shell, ['-c', text], {
        cwd: join(base, 'ws'),
        env: { PATH: `${join(base, 'bin')}:/usr/bin:/bin`, HOME: join(base, 'home') },
        stdio: 'ignore',
        timeout: 3000,
      });
      expect(picture(), `${shell} -c ${JSON.stringify(text)}`).toBe(before);
    }
  }
  return allowed.length;
}

describe('what is judged to only read', () => {
  it('changes nothing in a real shell', () => {
    expect(shells.length).toBeGreaterThan(0);
    expect(check(line(SHELL, ' '), 2500, 40)).toBeGreaterThan(20);
    expect(check(line(SHELL, ''), 2500, 30)).toBeGreaterThan(5);
  });

  it('changes nothing in a real sed and awk', () => {
    expect(
      check(
        line(SED, '').map((text) => `sed ${quote(text)} a.txt`),
        1500,
        100,
      ),
    ).toBeGreaterThan(20);
    expect(
      check(
        line(AWK, '').map((text) => `awk ${quote(text)} a.txt`),
        600,
        100,
      ),
    ).toBeGreaterThan(20);
  });

  it('would see a program run (the witness works)', () => {
    const before = picture();
    execFileSync('sh', ['-c', 'pwn'], { env: { PATH: `${join(base, 'bin')}:/usr/bin:/bin` } });
    expect(picture()).not.toBe(before);
    rmSync(join(base, 'home', 'witness'));
    expect(picture()).toBe(before);
  });
});
