/** Every exit code of the contract, seen on the process itself. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makePlace, type RunOptions, runProgram } from '../helpers/run-program.js';
import { envFor } from '../helpers/wire/env.js';
import type { Reply, Script } from '../helpers/wire/script.js';
import { startWireServer } from '../helpers/wire/server.js';

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

interface Setup {
  script?: Script;
  args?: string[];
  files?: Record<string, string>;
  env?: Record<string, string>;
  models?: unknown;
  input?: string;
  onStart?: RunOptions['onStart'];
}

async function run(setup: Setup) {
  const place = makePlace({ files: setup.files ?? { 'a.txt': 'alpha\n' } });
  open.push({ close: place.remove });
  const server = setup.script ? await startWireServer({ format: 'chat', script: setup.script }) : undefined;
  if (server) open.push(server);
  if (setup.models) {
    mkdirSync(join(place.home, '.chatcli'));
    writeFileSync(join(place.home, '.chatcli/models.json'), JSON.stringify(setup.models));
  }
  const env = { ...(server ? envFor(server) : {}), ...setup.env };
  const ran = await runProgram(setup.args ?? ['coder', 'go', '--output', 'json'], {
    place,
    env,
    input: setup.input,
    onStart: setup.onStart,
  });
  return { ...ran, server, place };
}

const call = (name: string, input: Record<string, unknown>): Reply => ({ calls: [{ name, input }] });

describe('exit codes', () => {
  it('0: an answer; the text is all of stdout', async () => {
    const ran = await run({ script: [{ text: 'Hello there.' }], args: ['-p', 'say hello'] });
    expect(ran).toMatchObject({ code: 0, stdout: 'Hello there.\n' });
  });

  it('1: the model says it failed', async () => {
    const ran = await run({ script: [{ text: 'Sorry. <result status="failed">no network</result>' }] });
    expect(ran.code).toBe(1);
    expect(ran.json()).toMatchObject({ status: 'failed', result: 'Sorry. no network' });
  });

  it('1: the last test run is red', async () => {
    const files = {
      'package.json': '{"scripts":{"test":"node --test"},"type":"module"}',
      'x.test.js': "import test from 'node:test'; test('t', () => { throw new Error('red'); });",
    };
    const ran = await run({
      files,
      script: [call('test', { timeout: 60 }), { text: 'All is well.' }],
      args: ['coder', 'go', '--output', 'json', '--permission-mode', 'auto'],
    });
    expect(ran.json()).toMatchObject({ status: 'failed' });
    expect(ran.code).toBe(1);
  });

  it('1: the same malformed call after two corrections', async () => {
    const ran = await run({ script: () => call('nothing_like_it', {}) });
    expect(ran.json()).toMatchObject({ status: 'failed' });
    expect(ran.code).toBe(1);
  });

  it('2: bad usage and bad configuration, told on stderr, nothing on stdout', async () => {
    for (const args of [
      ['--nonsense'],
      ['coder', 'x', '--timeout', 'soon'],
      ['coder', 'x', '--output', 'xml'],
      ['codr', 'x'],
      ['coder', 'x', '--permission-mode', 'yolo'],
      ['coder', 'x', '-C', '/no/such/folder'],
      ['coder', 'x', '--max-turns', '0'],
    ]) {
      const ran = await run({ args });
      expect([args, ran.code, ran.stdout]).toEqual([args, 2, '']);
      expect(ran.stderr.trim().split('\n').length).toBeLessThan(4);
      expect(ran.stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('2: no provider, and an empty prompt', async () => {
    const none = await run({ args: ['-p', 'hi'], env: { LLM_PROVIDER: 'CLAUDEAI' } });
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('ANTHROPIC_API_KEY');
    expect((await run({ args: ['-p'], input: '' })).code).toBe(2);
  });

  it('3: a call was denied and nobody could be asked', async () => {
    const ran = await run({ script: [call('exec', { cmd: 'touch made.txt' }), { text: 'I could not.' }] });
    expect(ran.code).toBe(3);
    expect(ran.json()).toMatchObject({ status: 'denied', denied: [{ tool: '@coder exec', agent: 'main' }], files: [] });
  });

  it('4: turn limit', async () => {
    let n = 0;
    const ran = await run({
      script: () => call('exec', { cmd: `echo ${n++}` }),
      args: ['coder', 'go', '--output', 'json', '--max-turns', '3'],
    });
    expect(ran.code).toBe(4);
    expect(ran.json()).toMatchObject({ status: 'turn_limit', turns: 3 });
  });

  it('4: stagnation', async () => {
    const ran = await run({ script: () => call('exec', { cmd: 'echo same' }) });
    expect(ran.code).toBe(4);
    expect(ran.json()).toMatchObject({ status: 'stagnation' });
  });

  it('5: time limit, while the service is silent and while a command runs', async () => {
    const silent = await run({ script: [{ hang: true }], args: ['coder', 'go', '--output', 'json', '--timeout', '1s'] });
    expect(silent.code).toBe(5);
    expect(silent.json()).toMatchObject({ status: 'timeout' });
    const busy = await run({
      script: [call('exec', { cmd: 'sleep 300' })],
      args: ['coder', 'go', '--output', 'json', '--timeout', '2', '--permission-mode', 'auto'],
    });
    expect(busy.code).toBe(5);
  });

  it('6: the provider fails', async () => {
    const ran = await run({ script: [{ status: 401, message: 'no such key' }] });
    expect(ran.code).toBe(6);
    expect(ran.json()).toMatchObject({ status: 'provider' });
    expect(ran.stdout + ran.stderr).not.toContain('sk-test');
  });

  it('7: the budget is spent, prices from the override file', async () => {
    const models = { models: { 'test-model': { price: { input: 1000, output: 1000 } } } };
    let n = 0;
    const script = () => ({ ...call('exec', { cmd: `echo ${n++}` }), usage: { input: 1000, output: 100 } });
    const ran = await run({ script, models, args: ['coder', 'go', '--output', 'json', '--budget-usd', '2'] });
    expect(ran.code).toBe(7);
    expect(ran.json()).toMatchObject({ status: 'budget', turns: 2, cost: 2.2 });
    const unknown = await run({ script, args: ['coder', 'go', '--budget-usd', '2'] });
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('models.json');
  });

  it('130: interrupted, with the command ended and the session kept', async () => {
    const mark = `sleep-${process.pid}-${Date.now()}`;
    const ran = await run({
      script: [call('exec', { cmd: `echo ${mark} > started; exec -a ${mark} sleep 300` })],
      args: ['coder', 'go', '--output', 'stream-json', '--permission-mode', 'auto'],
      onStart: (child) =>
        child.stdout?.on('data', (text: string) => text.includes('call-start') && setTimeout(() => child.kill('SIGINT'), 300)),
    });
    expect(ran.code).toBe(130);
    const last = ran.lines().at(-1);
    expect(JSON.stringify(last)).toContain('interrupted');
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(processes).not.toContain(mark);
  });

  it('130: interrupted while a key command works, at once', async () => {
    const place = makePlace();
    open.push({ close: place.remove });
    const mark = `key-${process.pid}-${Date.now()}`;
    mkdirSync(join(place.home, '.chatcli'));
    const config = { keyCommands: { OPENAI_API_KEY: ['bash', '-c', `touch started; exec -a ${mark} sleep 300`] } };
    writeFileSync(join(place.home, '.chatcli/config.json'), JSON.stringify(config), { mode: 0o600 });
    const ran = await runProgram(['-p', 'x', '--provider', 'OPENAI'], {
      place,
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(join(place.workspace, 'started'))) return;
          clearInterval(timer);
          setTimeout(() => child.kill('SIGINT'), 100);
        }, 20);
      },
    });
    expect(ran.code).toBe(130);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(mark);
  });
});
