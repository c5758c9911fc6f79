/** What the tools of a run leave on the screen of the real shell: labels, one card for each kind of result, failures, long ones folded. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScriptedCall } from '../../helpers/wire/script.js';
import { count } from './input-shell.js';
import { expectOnce, type RunShell, rows, runShells } from './run-shell.js';

const start = runShells();
const AUTO = ['--permission-mode', 'auto'];
/** Runs the calls in one step, then ends; gives all that stands in the scrollback. */
async function ran(shell: RunShell, calls: readonly ScriptedCall[]): Promise<string> {
  const first = await shell.ask('/coder do it');
  first.call(calls);
  const second = await shell.turn();
  second.say('All is done.\n').end();
  await shell.sees('All is done.');
  await shell.sees(/tokens/);
  return shell.all();
}
const MAIN = 'package main\n\nfunc main() {\n\tprintln("hello")\n}\n';

describe('cards', () => {
  it.each([
    ['en', 'Reading: main.go'],
    ['pt-BR', 'Lendo: main.go'],
  ])('read, in %s', async (language, label) => {
    const shell = await start({ args: AUTO, files: { 'main.go': MAIN }, env: { CHATCLI_LANG: language } });
    const all = await ran(shell, [{ name: 'read', input: { file: 'main.go' } }]);
    expect(count(all, label)).toBe(1);
    expect(all).toMatch(/1.5/);
    expect(all).not.toContain('println');
    shell.terminal.send('\x0f');
    await shell.sees('println("hello")');
  });

  it('a patch shows line numbers, both sides and counts', async () => {
    const shell = await start({ args: AUTO, files: { 'main.go': MAIN } });
    const all = await ran(shell, [
      { name: 'patch', input: { file: 'main.go', search: 'println("hello")', replace: 'println("goodbye")' } },
    ]);
    expect(all).toMatch(/main\.go {2}\+1 −1/);
    expect(all).toMatch(/4 - +println\("hello"\)/);
    expect(all).toMatch(/4 \+ +println\("goodbye"\)/);
    expect(all).toMatch(/3 {3}func main/);
  });

  it('marks the words that differ', async () => {
    const shell = await start({ args: AUTO, files: { 'a.txt': 'one two three four\n' } });
    await ran(shell, [{ name: 'patch', input: { file: 'a.txt', search: 'three', replace: 'drei' } }]);
    // The words stand in colours of their own, so codes stand between them and the rest.
    expect(shell.terminal.output()).toMatch(/one two (?:\x1b\[[\d;]*m)+drei(?:\x1b\[[\d;]*m)+/);
  });

  it('a new file is called new', async () => {
    const shell = await start({ args: AUTO });
    const all = await ran(shell, [{ name: 'write', input: { file: 'new.txt', content: 'one\ntwo\n' } }]);
    expect(all).toMatch(/new\.txt \(new\) {2}\+2/);
    expect(all).toMatch(/2 \+ two/);
  });

  it('hits of a search stand by file, with the words searched for marked', async () => {
    const shell = await start({ args: AUTO, files: { 'a.txt': 'needle here\nnothing\n', 'b.txt': 'x\nanother needle\n' } });
    const all = await ran(shell, [{ name: 'search', input: { term: 'needle' } }]);
    expect(all).toMatch(/2 hits|2 matches/);
    expect(all).toMatch(/a\.txt\n +1 {2}needle here/);
    expect(all).toMatch(/b\.txt\n +2 {2}another needle/);
    expect(shell.terminal.output()).toMatch(/another (?:\x1b\[[\d;]*m)+needle/);
  });

  it('a tree and an image', async () => {
    const shell = await start({ args: AUTO, files: { 'a/b.txt': 'x', 'a/c.txt': 'y' } });
    writeFileSync(join(shell.root, 'dot.png'), Buffer.from(PNG, 'base64'));
    const all = await ran(shell, [
      { name: 'tree', input: {} },
      { name: 'read', input: { file: 'dot.png' } },
    ]);
    expect(all).toMatch(/entries/);
    expect(all).toContain('image/png');
  });

  it('a command shows its last lines while it runs, and how it ended', async () => {
    const shell = await start({ args: AUTO });
    const first = await shell.ask('/coder do it');
    first.call([
      {
        name: 'exec',
        input: { cmd: 'for i in 1 2 3 4 5 6 7 8 9; do echo out-$i; done; while [ ! -e go ]; do sleep 0.1; done; echo out-end' },
      },
    ]);
    await shell.sees('out-9');
    expect(shell.shown()).not.toContain('out-4\n');
    expect(shell.shown()).toContain('out-5');
    writeFileSync(join(shell.root, 'go'), '');
    const second = await shell.turn();
    second.say('All is done.\n').end();
    await shell.sees(/tokens/);
    const all = shell.all();
    expect(all).toMatch(/out-end/);
    expect(all).toMatch(/exit code 0|✓|0/);
    expectOnce(shell, ['out-7', 'out-8', 'out-9', 'out-end']);
  });

  it('a failing command and a failing read say so', async () => {
    const shell = await start({ args: AUTO });
    const all = await ran(shell, [
      { name: 'exec', input: { cmd: 'echo some-words >&2; exit 3' } },
      { name: 'read', input: { file: 'none.txt' } },
    ]);
    expect(all).toMatch(/exit(?: code)? 3/i);
    expect(all).toContain('some-words');
    expect(all).toMatch(/NotFound|not found|no such/i);
  });

  it('a long change is folded, and whole by Ctrl+O', async () => {
    const shell = await start({ args: AUTO });
    const lines = rows(100);
    const all = await ran(shell, [{ name: 'write', input: { file: 'long.txt', content: `${lines.join('\n')}\n` } }]);
    expect(all).toContain('row 0010');
    expect(all).not.toContain('row 0090');
    shell.terminal.send('\x0f');
    await shell.sees('row 0100');
    expect(shell.all()).toContain('row 0090');
  });
});

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
