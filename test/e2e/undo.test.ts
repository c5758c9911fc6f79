/** Undo, redo and diff of the real program: in one session, over restarts, without a model. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makePlace, runProgram } from '../helpers/run-program.js';
import { envFor } from '../helpers/wire/env.js';
import type { Script } from '../helpers/wire/script.js';
import { startWireServer } from '../helpers/wire/server.js';

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

async function setup(script: Script, files: Record<string, string> = { 'a.txt': 'alpha\n' }) {
  const place = makePlace({ files });
  const server = await startWireServer({ format: 'chat', script });
  open.push(server, { close: place.remove });
  const run = (args: string[]) => runProgram(args, { place, env: envFor(server) });
  /** Without the server's address and key: these calls need no model. */
  const bare = (args: string[]) => runProgram(args, { place });
  const text = (name: string) => {
    const path = join(place.workspace, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  };
  return { place, server, run, bare, text };
}

const edits: Script = [
  {
    calls: [
      { name: 'patch', input: { file: 'a.txt', search: 'alpha', replace: 'beta' } },
      { name: 'write', input: { file: 'new/b.txt', content: 'b\n' } },
    ],
  },
  { text: 'First.' },
  { calls: [{ name: 'patch', input: { file: 'a.txt', search: 'beta', replace: 'gamma' } }] },
  { text: 'Second.' },
];

describe('undo of a saved session', () => {
  it('takes back, brings back and compares, turn by turn, without a model', async () => {
    const { place, run, bare, text, server } = await setup([...edits, { text: 'Third.' }]);
    for (const task of ['first task', 'second task']) {
      const args = ['coder', task, '--permission-mode', 'accept-edits', ...(task === 'first task' ? [] : ['--continue'])];
      expect((await run(args)).code).toBe(0);
    }
    const folder = join(place.home, '.chatcli/sessions');
    const store = readdirSync(folder).find((name) => name.endsWith('.undo')) ?? '';
    expect((statSync(join(folder, store, 'log.jsonl')).mode & 0o777).toString(8)).toBe('600');
    const asked = server.requests.length;

    const diff = await bare(['-p', '/diff', '--continue']);
    expect(diff.stdout).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-alpha\n+gamma\n');
    expect(diff.stdout).toContain('--- /dev/null\n+++ b/new/b.txt');
    expect((await bare(['-p', '/diff turn 2', '--continue'])).stdout).toContain('-beta\n+gamma\n');

    const undone = await bare(['-p', '/undo', '--continue', '--output', 'json']);
    expect([undone.code, undone.stderr]).toEqual([0, '']);
    expect(undone.json()).toMatchObject({ status: 'done', turns: 0, result: expect.stringContaining('second task') });
    expect(text('a.txt')).toBe('beta\n');
    expect((await bare(['-p', '/undo 5', '--continue'])).stdout).toContain('new/b.txt: removed');
    expect([text('a.txt'), text('new/b.txt'), existsSync(join(place.workspace, 'new'))]).toEqual(['alpha\n', undefined, false]);
    expect((await bare(['-p', '/undo', '--continue'])).code).toBe(1);
    expect((await bare(['-p', '/redo 2', '--continue'])).code).toBe(0);
    expect([text('a.txt'), text('new/b.txt')]).toEqual(['gamma\n', 'b\n']);
    expect((await bare(['-p', '/undo', '--continue'])).code).toBe(0);
    expect(server.requests.length).toBe(asked);

    await run(['coder', 'third task', '--continue']);
    const heard = server.requests.at(-1)?.conversation.turns.at(-1)?.text ?? '';
    expect(heard).toContain('third task');
    expect(heard).toMatch(/The user took back changes of yours in: a\.txt[\s\S]*brought back/);
  });

  it('keeps what the user changed since, says so in the language, and obeys --force', async () => {
    const { place, run, bare, text } = await setup(edits.slice(0, 2));
    await run(['coder', 'go', '--session-id', 's1', '--permission-mode', 'accept-edits']);
    writeFileSync(join(place.workspace, 'a.txt'), 'mine\n');
    const kept = await bare(['-p', '/undo', '--resume', 's1', '--lang', 'pt-BR']);
    expect([kept.code, text('a.txt'), text('new/b.txt')]).toEqual([1, 'mine\n', undefined]);
    expect(kept.stdout).toContain('a.txt: mudado depois');
    const forced = await bare(['-p', '/undo --force', '--resume', 's1']);
    expect([forced.code, text('a.txt')]).toEqual([0, 'alpha\n']);
    await bare(['-p', '/redo', '--resume', 's1']);
    expect(text('a.txt')).toBe('mine\n');
  });

  it('needs a session, and says how to name one', async () => {
    const { bare } = await setup([]);
    const none = await bare(['-p', '/undo']);
    expect([none.code, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toContain('--continue');
    expect((await bare(['-p', '/undo', '--continue'])).code).toBe(2);
    expect((await bare(['-p', '/diff', '--resume', 'nope'])).code).toBe(2);
  });

  it('names commands whose effects it does not know, and survives a kill in the middle', async () => {
    const { place, server, bare, text } = await setup([
      {
        calls: [
          { name: 'write', input: { file: 'a.txt', content: 'changed\n' } },
          { name: 'exec', input: { cmd: 'touch marker; sleep 60' } },
        ],
      },
    ]);
    const crashed = await runProgram(['coder', 'go', '--session-id', 'k', '--permission-mode', 'auto'], {
      place,
      env: envFor(server),
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(join(place.workspace, 'marker'))) return;
          clearInterval(timer);
          child.kill('SIGKILL');
        }, 20);
      },
    });
    expect(crashed.signal).toBe('SIGKILL');
    expect(text('a.txt')).toBe('changed\n');
    const undone = await bare(['-p', '/undo', '--resume', 'k']);
    expect([undone.code, text('a.txt')]).toEqual([0, 'alpha\n']);
    expect(undone.stdout).toContain('touch marker');
  });

  it('covers what commands changed', async () => {
    const { run, bare, text } = await setup([
      { calls: [{ name: 'exec', input: { cmd: 'echo changed > a.txt && echo new > b.txt' } }] },
      { text: 'Done.' },
    ]);
    await run(['coder', 'go', '--permission-mode', 'auto']);
    expect([text('a.txt'), text('b.txt')]).toEqual(['changed\n', 'new\n']);
    const undone = await bare(['-p', '/undo', '--continue']);
    expect([undone.code, text('a.txt'), text('b.txt')]).toEqual([0, 'alpha\n', undefined]);
    expect(undone.stdout).toContain('had changed while @coder exec echo changed');
    expect(undone.stdout).not.toContain('may remain');
  });
});

describe('undo in the shell', () => {
  it('is one line, and the model hears of it', async () => {
    const { place, server, text } = await setup([...edits.slice(0, 2), { text: 'I see.' }]);
    const { program } = await import('../helpers/program.js');
    const main = await program();
    const words = `${process.execPath} ${main} --permission-mode accept-edits`;
    const child = spawn('script', ['-qec', words, '/dev/null'], {
      cwd: place.workspace,
      env: { PATH: process.env.PATH ?? '', HOME: place.home, TERM: 'dumb', NO_COLOR: '1', LANG: 'C.UTF-8', ...envFor(server) },
    });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (shown += piece));
    const until = async (what: RegExp) => {
      const end = Date.now() + 60_000;
      while (!what.test(shown)) {
        if (Date.now() > end) throw new Error(`did not see ${what} in\n${shown}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    try {
      await until(/\/help/);
      child.stdin.write('/coder go\n');
      await until(/First\.[\s\S]*> /);
      child.stdin.write('/undo\n');
      await until(/a\.txt: content restored/);
      expect([text('a.txt'), text('new/b.txt')]).toEqual(['alpha\n', undefined]);
      child.stdin.write('and now?\n');
      await until(/I see\./);
      expect(server.requests.at(-1)?.conversation.turns.at(-1)?.text).toContain('The user took back changes of yours in: ');
      child.stdin.write('/exit\n');
      await new Promise((resolve) => child.once('exit', resolve));
    } finally {
      child.kill('SIGKILL');
    }
  });
});
