import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SessionFault } from '../../src/session/fault.js';
import { isSessionId, newSessionId } from '../../src/session/ids.js';
import { type LogOptions, lineOf, openLog } from '../../src/session/log.js';
import { readSession } from '../../src/session/store.js';
import { ended, event, runStart, said, say, tempDir, text } from './temp.js';

const options = (dir: string, more: Partial<LogOptions> = {}): LogOptions => ({
  dir,
  id: 's1',
  workspace: '/w',
  app: 'chatcli 0',
  now: () => 1000,
  ...more,
});
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'none';
  } catch (error) {
    return error instanceof SessionFault ? error.code : String(error);
  }
};
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);

describe('session ids', () => {
  it('are plain names that sort by time', () => {
    const numbers = [0, 0.5, 0.999, 0.25];
    const id = newSessionId(Date.UTC(2026, 10, 30, 10, 15, 0), () => numbers.shift() ?? 0);
    expect(id).toMatch(/^20261130-101500-[0-9a-z]{4}$/);
    expect(isSessionId(id)).toBe(true);
    expect(newSessionId(Date.UTC(2026, 10, 30, 10, 15, 1), () => 0) > id).toBe(true);
  });
  it('refuses what is not one plain file name', () => {
    for (const bad of [
      '',
      '.',
      '..',
      '../x',
      'a/b',
      'a\\b',
      '.hidden',
      'a..b',
      'x.',
      'a b',
      'a\0',
      'a\n',
      'nul',
      'COM1.x',
      '-x',
      'é',
      'x'.repeat(101),
    ])
      expect(isSessionId(bad), JSON.stringify(bad)).toBe(false);
    for (const good of ['a', 'my-session_2', 'v1.2', 'x'.repeat(100)]) expect(isSessionId(good), good).toBe(true);
  });
});

describe('openLog', () => {
  it('makes a private file with a header and appends only what is worth keeping', async () => {
    const dir = join(tempDir(), 'state', 'sessions');
    const log = await openLog(options(dir));
    log.append(runStart());
    log.append(event({ type: 'text-delta', text: 'x' }));
    log.append(event({ type: 'reasoning-delta', text: 'x' }));
    log.append(event({ type: 'provider-event', turn: 1, event: { type: 'end', reason: 'stop' } }));
    log.append(event({ type: 'call-progress', callId: 't1c1', text: 'x' }));
    log.append(said(say('user', [text('hello')])));
    expect(linesOf(log.file).map((line) => JSON.parse(line).type)).toEqual(['session', 'run-start', 'message-end']);
    await log.close();
    log.append(runStart());
    expect(linesOf(log.file)).toHaveLength(3);
    expect(statSync(log.file).mode & 0o777).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(JSON.parse(linesOf(log.file)[0] ?? '')).toEqual({
      type: 'session',
      version: 1,
      id: 's1',
      workspace: '/w',
      created: 1000,
      app: 'chatcli 0',
    });
  });

  it('goes on where it stopped, with one header', async () => {
    const dir = tempDir();
    const first = await openLog(options(dir));
    first.append(said(say('user', [text('one')])));
    await first.close();
    const second = await openLog(options(dir, { now: () => 9999 }));
    expect(second.resumed).toBe(true);
    second.append(said(say('user', [text('two')])));
    await second.close();
    const state = await readSession(dir, 's1');
    expect(state.messages.map((m) => m.parts[0])).toEqual([text('one'), text('two')]);
    expect(state.header.created).toBe(1000);
    expect(state.damaged).toBe(0);
  });

  it('tells new from existing', async () => {
    const dir = tempDir();
    expect(await codeOf(openLog(options(dir, { expect: 'existing' })))).toBe('not-found');
    const log = await openLog(options(dir, { expect: 'new' }));
    await log.close();
    expect(await codeOf(openLog(options(dir, { expect: 'new' })))).toBe('exists');
    expect(await codeOf(openLog(options(dir, { id: '../x' })))).toBe('bad-id');
  });

  it('sets half a last line aside and loses no byte of it', async () => {
    const dir = tempDir();
    const first = await openLog(options(dir));
    first.append(said(say('user', [text('one')])));
    await first.close();
    const whole = readFileSync(first.file, 'utf8');
    appendFileSync(first.file, '{"type":"message-end","message":{"id":"m');
    const second = await openLog(options(dir));
    expect(second.setAside).toBe(40);
    second.append(said(say('user', [text('two')])));
    await second.close();
    expect(readFileSync(second.file, 'utf8').startsWith(whole)).toBe(true);
    expect(readFileSync(join(dir, 's1.damaged'), 'utf8')).toBe('{"type":"message-end","message":{"id":"m\n');
    expect((await readSession(dir, 's1')).messages).toHaveLength(2);
    expect((await readSession(dir, 's1')).damaged).toBe(0);
  });

  it('keeps a whole last line that only lacks its line feed', async () => {
    const dir = tempDir();
    const first = await openLog(options(dir));
    await first.close();
    appendFileSync(first.file, JSON.stringify(said(say('user', [text('last')]))));
    const second = await openLog(options(dir));
    expect(second.setAside).toBe(0);
    await second.close();
    expect((await readSession(dir, 's1')).messages).toHaveLength(1);
  });

  it('keeps half a line in place when it cannot be set aside', async () => {
    const dir = tempDir();
    mkdirSync(join(dir, 's1.damaged'));
    writeFileSync(join(dir, 's1.jsonl'), '{"half');
    const log = await openLog(options(dir));
    log.append(said(say('user', [text('after')])));
    await log.close();
    const state = await readSession(dir, 's1');
    expect([state.messages.length, state.damaged]).toEqual([1, 1]);
  });

  it('gives an empty file its header', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, 's1.jsonl'), '');
    await (await openLog(options(dir))).close();
    expect((await readSession(dir, 's1')).header.workspace).toBe('/w');
  });

  it('refuses newer formats, links and folders, and leaves them as they are', async () => {
    const dir = tempDir();
    const newer = '{"type":"session","version":2,"id":"s1"}\n';
    writeFileSync(join(dir, 's1.jsonl'), newer);
    expect(await codeOf(openLog(options(dir)))).toBe('newer');
    expect(readFileSync(join(dir, 's1.jsonl'), 'utf8')).toBe(newer);
    writeFileSync(join(dir, 'victim'), 'precious');
    symlinkSync(join(dir, 'victim'), join(dir, 's2.jsonl'));
    expect(await codeOf(openLog(options(dir, { id: 's2' })))).toBe('not-a-log');
    expect(readFileSync(join(dir, 'victim'), 'utf8')).toBe('precious');
    mkdirSync(join(dir, 's3.jsonl'));
    expect(await codeOf(openLog(options(dir, { id: 's3' })))).toBe('io');
    expect(existsSync(join(dir, 's1.lock'))).toBe(false);
  });

  it('never throws when appending, reports the first fault once and goes on', async () => {
    const faults: string[] = [];
    const log = await openLog(options(tempDir(), { onFault: (reason) => faults.push(reason) }));
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    log.append(event({ type: 'notice', level: 'info', code: 'x', text: 'x', values: loop as never }));
    log.append(event({ type: 'notice', level: 'info', code: 'x', text: 'x', values: loop as never }));
    log.append(said(say('user', [text('still here')])));
    await log.close();
    expect(faults).toHaveLength(1);
    expect(linesOf(log.file)).toHaveLength(2);
  });

  it('goes on after a full disk: half a line is ended, what comes later is kept', async (context) => {
    const dir = tempDir();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'none', dir], { stdio: 'ignore' });
    } catch {
      context.skip('a small disk cannot be mounted here (needs root on Linux)');
    }
    try {
      const faults: string[] = [];
      const log = await openLog(options(dir, { onFault: (reason) => faults.push(reason) }));
      log.append(said(say('user', [text('one')])));
      for (let i = 0; i < 5; i++) log.append(said(say('assistant', [text('x'.repeat(20_000))])));
      expect(faults.join()).toContain('ENOSPC');
      expect(faults).toHaveLength(1);
      execFileSync('mount', ['-o', 'remount,size=1m', dir]);
      log.append(said(say('user', [text('two')])));
      await log.close();
      const state = await readSession(dir, 's1');
      expect(state.messages.at(-1)?.parts).toEqual([text('two')]);
      expect(state.messages.at(0)?.parts).toEqual([text('one')]);
      expect(state.damaged).toBeGreaterThan(0);
    } finally {
      execFileSync('umount', [dir]);
    }
  });

  it('takes secrets out before they are written', async () => {
    const log = await openLog(options(tempDir(), { redact: (json) => json.replaceAll('sk-secret', '[redacted]') }));
    log.append(said(say('user', [text('my key is sk-secret')])));
    await log.close();
    expect(readFileSync(log.file, 'utf8')).not.toContain('sk-secret');
  });

  it('leaves out long diff texts and attachments, and nothing else', () => {
    const changes = [
      { path: 'a', before: 'x'.repeat(70_000), after: 'y', added: 1, removed: 2 },
      { path: 'b', before: 'p', after: 'q', added: 1, removed: 1 },
    ];
    const line =
      lineOf(ended('t1c1', 'ok', { display: { kind: 'diff', changes }, attachment: { mediaType: 'image/png', data: 'AAAA' } })) ??
      '';
    expect(line.length).toBeLessThan(1000);
    expect(JSON.parse(line).result.display.changes).toEqual([
      { path: 'a', added: 1, removed: 2 },
      { path: 'b', before: 'p', after: 'q', added: 1, removed: 1 },
    ]);
  });
});

describe('the lock', () => {
  it('refuses a session a living process has open, and frees it', async () => {
    const dir = tempDir();
    const first = await openLog(options(dir));
    expect(await codeOf(openLog(options(dir)))).toBe('locked');
    const other = await openLog(options(dir, { id: 's2' }));
    await other.close();
    await first.close();
    await (await openLog(options(dir))).close();
  });

  it('takes over from a process that is gone, from a reused pid and from rubbish', async () => {
    const dir = tempDir();
    const child = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => child.on('exit', resolve));
    const dead = JSON.stringify({ pid: child.pid, start: '' });
    const reused = JSON.stringify({ pid: process.pid, start: 'another boot:1' });
    for (const holder of [dead, ...(process.platform === 'linux' ? [reused] : []), 'rubbish', '', '{"pid":-1}', '{"pid":"x"}']) {
      writeFileSync(join(dir, 's1.lock'), holder);
      const log = await openLog(options(dir));
      expect(await codeOf(openLog(options(dir))), holder).toBe('locked');
      await log.close();
      expect(existsSync(join(dir, 's1.lock'))).toBe(false);
    }
  });

  it('leaves no drafts of killed processes for longer than a day, and no others are touched', async () => {
    const now = Date.now();
    const dirs = [tempDir(), tempDir()];
    const names = ['s0.lock.12.ab', 's0.lock.12.ab.old', 'tool-a.json.12.ab.tmp', 'x.lock', 'x.lock.12.ab.jsonl', 'x.tmp'];
    for (const dir of dirs) for (const name of names) writeFileSync(join(dir, name), '');
    for (const [i, dir] of dirs.entries())
      await (await openLog(options(dir, { now: () => now + (i === 0 ? 23 : 25) * 3_600_000 }))).close();
    expect(
      dirs.map((dir) =>
        readdirSync(dir)
          .filter((name) => name !== 's1.jsonl')
          .toSorted(),
      ),
    ).toEqual([names.toSorted(), names.slice(3).toSorted()]);
  });

  it('is never opened when it is a pipe', async () => {
    const dir = tempDir();
    spawnSync('mkfifo', [join(dir, 's1.lock')]);
    const log = await openLog(options(dir));
    expect(readFileSync(join(dir, 's1.lock'), 'utf8')).toContain(`"pid":${process.pid}`);
    await log.close();
    expect(readdirSync(dir)).toEqual(['s1.jsonl']);
  });

  it('is held by exactly one of many that come at once', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, 's1.lock'), JSON.stringify({ pid: 2 ** 22 + 1, start: '' }));
    const results = await Promise.all(Array.from({ length: 8 }, () => codeOf(openLog(options(dir)))));
    expect(results.filter((r) => r === 'none')).toHaveLength(1);
    expect(results.filter((r) => r === 'locked')).toHaveLength(7);
  });
});

describe('what tools attached', () => {
  it('is not kept, and the message says so; pictures of people stay', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'QUJD' } as const;
    const result = {
      type: 'result',
      id: 'c1',
      name: 'read',
      text: 'a picture\n[the image is attached]\n',
      isError: false,
    } as const;
    const message = {
      id: 'm',
      role: 'tool',
      time: 0,
      origin: 'tool-results',
      parts: [result, image, { ...result, id: 'c2' }],
    } as const;
    const line = lineOf({ type: 'message-end', agent: 'main', time: 0, message }) ?? '';
    expect(line).not.toContain('QUJD');
    const kept = JSON.parse(line).message.parts;
    expect(kept).toHaveLength(2);
    expect(kept[0].text).toMatch(/attached\]\n\[an image or document was shown here; it is not kept/);
    expect(kept[1].text).toBe(result.text);
    const inText = { ...message, role: 'user', parts: [{ type: 'text', text: 'Results' }, image, image] } as const;
    const parts = JSON.parse(lineOf({ type: 'message-end', agent: 'main', time: 0, message: inText }) ?? '').message.parts;
    expect(parts).toHaveLength(1);
    expect(parts[0].text.match(/not kept/g)).toHaveLength(1);
    const person = { id: 'u', role: 'user', time: 0, origin: 'person', parts: [image] } as const;
    expect(lineOf({ type: 'message-end', agent: 'main', time: 0, message: person })).toContain('QUJD');
  });
});
