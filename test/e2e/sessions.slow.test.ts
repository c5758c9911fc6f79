/** Sessions, recordings and replays of the real program. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { afterEach, describe, expect, it } from 'vitest';
import { streamSchema } from '../../src/ui/stream-schema.js';
import { makePlace, runProgram } from '../helpers/run-program.js';
import { envFor, TEST_KEY } from '../helpers/wire/env.js';
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
  const run = (args: string[], env: Record<string, string> = {}) =>
    runProgram(args, { place, env: { ...envFor(server), ...env } });
  return { place, server, run };
}

const sessionsIn = (home: string) => readdirSync(join(home, '.chatcli/sessions')).filter((name) => name.endsWith('.jsonl'));

describe('sessions', () => {
  it('keeps a private log without the key and goes on with --continue and --resume', async () => {
    const { place, server, run } = await setup([
      { calls: [{ name: 'exec', input: { cmd: `echo ${TEST_KEY}` } }] },
      { text: 'The word is plum.' },
      { text: 'Plum, as I said.' },
      { text: 'Still plum.' },
    ]);
    const first = await run(['-p', 'Tell me a word', '--output', 'json']);
    expect(first.code).toBe(0);
    const id = String(first.json()['session']);
    expect(sessionsIn(place.home)).toEqual([`${id}.jsonl`]);
    const file = join(place.home, '.chatcli/sessions', `${id}.jsonl`);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readFileSync(file, 'utf8')).not.toContain(TEST_KEY);
    const second = await run(['-p', 'Which word?', '--continue', '--output', 'json']);
    expect(second.json()).toMatchObject({ session: id, result: 'Plum, as I said.' });
    const third = await run(['-p', 'Sure?', '--resume', id, '--output', 'json']);
    expect(third.json()).toMatchObject({ session: id });
    const heard =
      server.requests
        .at(-1)
        ?.conversation.turns.map((turn) => turn.text)
        .join('\n') ?? '';
    for (const said of ['Tell me a word', 'The word is plum.', 'Which word?', 'Plum, as I said.', 'Sure?'])
      expect(heard).toContain(said);
    expect(sessionsIn(place.home)).toHaveLength(1);
  });

  it('resumes after a crash in the middle: every call has an answer, nothing runs twice', async () => {
    const { place, server, run } = await setup([
      { calls: [{ name: 'exec', input: { cmd: 'echo once >> count.txt; sleep 60' } }] },
      { text: 'Back again.' },
    ]);
    const crashed = await runProgram(['coder', 'go', '--session-id', 'crash', '--permission-mode', 'auto'], {
      place,
      env: envFor(server),
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(join(place.workspace, 'count.txt'))) return;
          clearInterval(timer);
          child.kill('SIGKILL');
        }, 20);
      },
    });
    expect(crashed.signal).toBe('SIGKILL');
    const again = await run(['coder', 'go on', '--resume', 'crash', '--output', 'json', '--permission-mode', 'auto']);
    expect(again.json()).toMatchObject({ status: 'done', result: 'Back again.' });
    expect(readFileSync(join(place.workspace, 'count.txt'), 'utf8')).toBe('once\n');
    const results = server.requests.at(-1)?.conversation.turns.flatMap((turn) => turn.results) ?? [];
    expect(results).toHaveLength(1);
  });

  it('says plainly when there is nothing to go on with', async () => {
    const { run } = await setup([]);
    const none = await run(['-p', 'x', '--continue']);
    expect(none.code).toBe(2);
    const unknown = await run(['-p', 'x', '--resume', 'nope']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('nope');
    expect((await run(['-p', 'x', '--session-id', '../evil'])).code).toBe(2);
  });
});

describe('stream-json', () => {
  it('prints one valid event a line and nothing else', async () => {
    const { run } = await setup([
      { text: 'Looking…', calls: [{ name: 'exec', input: { cmd: 'echo hi' } }] },
      { text: 'Hé, fertig 日本.' },
    ]);
    const ran = await run(['coder', 'go', '--output', 'stream-json']);
    const validator = new Validator(streamSchema as never, '2020-12', false);
    for (const line of ran.lines()) expect(validator.validate(line)).toMatchObject({ valid: true });
    const types = ran.lines().map((line) => line['type']);
    for (const type of ['run-start', 'turn-start', 'text-delta', 'call-start', 'call-end', 'run-end'])
      expect(types).toContain(type);
    expect(types.slice(-2)).toEqual(['run-end', 'result']);
    expect(ran.stderr).toBe('');
  });
});

describe('record and replay', () => {
  const files = {
    'a.txt': 'alpha\n',
    'package.json': '{"scripts":{"test":"node --test"},"type":"module"}',
    'x.test.js': "import test from 'node:test'; test('t', () => {});",
  };
  const script: Script = [
    { reasoning: 'hm', calls: [{ name: 'read', input: { file: 'a.txt' } }] },
    { calls: [{ name: 'patch', input: { file: 'a.txt', search: 'alpha', replace: 'beta' } }] },
    {
      calls: [
        { name: 'test', input: { timeout: 60 } },
        { name: 'exec', input: { cmd: 'cat a.txt; date +%s%N; pwd' } },
      ],
    },
    { text: 'Done.' },
  ];

  it('replays without network, and for real in a copy, with equal results', async () => {
    const { place, server, run } = await setup(script, files);
    const recorded = await run(['coder', 'go', '--permission-mode', 'auto', '--record', '../rec.jsonl']);
    expect(recorded.code).toBe(0);
    await server.close();
    expect(readFileSync(join(place.root, 'rec.jsonl'), 'utf8')).not.toContain(TEST_KEY);
    writeFileSync(join(place.workspace, 'a.txt'), 'alpha\n');
    const dry = await runProgram(['replay', '../rec.jsonl'], { place });
    expect([dry.code, dry.stdout]).toEqual([0, 'Done.\n']);
    expect(readFileSync(join(place.workspace, 'a.txt'), 'utf8')).toBe('alpha\n');
    const real = await runProgram(['replay', '../rec.jsonl', '--execute', '--permission-mode', 'auto'], { place });
    expect(real.stdout).toBe('Done.\n');
    expect(real.code).toBe(0);
    expect(readFileSync(join(place.workspace, 'a.txt'), 'utf8')).toBe('alpha\n');
  });

  it('shows a difference as a diff and ends with 1; obeys the gate of now', async () => {
    const { place, run } = await setup(script, files);
    await run(['coder', 'go', '--permission-mode', 'auto', '--record', '../rec.jsonl']);
    writeFileSync(join(place.workspace, 'a.txt'), 'gamma\n');
    const other = await runProgram(['replay', '../rec.jsonl', '--execute', '--permission-mode', 'auto', '--diff'], { place });
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(/^-.*alpha/m);
    expect(other.stdout).toMatch(/^\+.*gamma/m);
    writeFileSync(join(place.workspace, 'a.txt'), 'alpha\n');
    const strict = await runProgram(['replay', '../rec.jsonl', '--execute', '--diff'], { place });
    expect(strict.code).toBe(1);
    expect(strict.stdout).toContain('DENIED');
  });

  it('takes the model from a recording with --replay, and refuses what is no recording', async () => {
    const { place, run } = await setup([{ text: 'From the record.' }]);
    await run(['-p', 'q', '--record', '../rec.jsonl']);
    const again = await runProgram(['-p', 'q', '--replay', '../rec.jsonl'], { place });
    expect([again.code, again.stdout]).toEqual([0, 'From the record.\n']);
    writeFileSync(join(place.root, 'bad.jsonl'), '{"type":"recording","version":1}\nnot json\n');
    for (const file of ['../bad.jsonl', '../missing.jsonl', 'a.txt']) {
      const bad = await runProgram(['replay', file], { place });
      expect([file, bad.code]).toEqual([file, 2]);
      expect(bad.stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('leaves a file alone that is no recording', async () => {
    const { place, run } = await setup([{ text: 'x' }]);
    const ran = await run(['-p', 'q', '--record', 'a.txt']);
    expect(ran.code).toBe(2);
    expect(readFileSync(join(place.workspace, 'a.txt'), 'utf8')).toBe('alpha\n');
    mkdirSync(join(place.workspace, 'dir'));
    expect((await run(['-p', 'q', '--record', 'dir'])).code).toBe(2);
  });
});
