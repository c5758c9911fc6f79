/** The lock of the scripts: one holder at a time, and nobody waits for the dead. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHeld, isStale, withLock } from '../../scripts/lib/lock.mjs';

const LOCK_MODULE = pathToFileURL(resolve(import.meta.dirname, '../../scripts/lib/lock.mjs')).href;
let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chatcli-lock-'));
  file = join(folder, 'run.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process id that belonged to a process which has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  return child.pid as number;
}

function holder(body: string) {
  const code = `import { withLock } from ${JSON.stringify(LOCK_MODULE)}; import { appendFileSync } from 'node:fs';
    const [lock, log] = process.argv.slice(1);
    ${body}`;
  return spawn(process.execPath, ['--input-type=module', '-e', code, file, join(folder, 'log')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('withLock', () => {
  it('lets four processes through one at a time', async () => {
    const body = `for (let i = 0; i < 5; i++) await withLock(lock, async () => {
      appendFileSync(log, 'in ' + process.pid + '\\n');
      await new Promise((r) => setTimeout(r, 5));
      appendFileSync(log, 'out ' + process.pid + '\\n');
    }, { pollMs: 2 });`;
    const exits = await Promise.all([1, 2, 3, 4].map(() => once(holder(body), 'exit')));
    expect(exits.map(([code]) => code)).toEqual([0, 0, 0, 0]);
    const lines = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(40);
    for (let i = 0; i < lines.length; i += 2) expect(lines[i + 1]).toBe(lines[i]?.replace('in', 'out'));
    expect(existsSync(file)).toBe(false);
  });

  it('takes the lock of a process that is gone, and says nothing about waiting', async () => {
    writeFileSync(file, JSON.stringify({ pids: [await deadPid()], host: hostname() }));
    const waits: (number | undefined)[] = [];
    expect(await withLock(file, async () => 'done', { onWait: (pid) => waits.push(pid) })).toBe('done');
    expect(waits).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  it('waits for a living holder, tells its process id once, and is released when the holder is killed', async () => {
    const child = holder(
      `await withLock(lock, () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)); });`,
    );
    await once(child.stdout, 'data');
    const waits: (number | undefined)[] = [];
    const mine = withLock(file, async () => 'mine', {
      onWait: (pid) => {
        waits.push(pid);
        child.kill('SIGKILL');
      },
      pollMs: 10,
    });
    expect(await mine).toBe('mine');
    expect(waits).toEqual([child.pid]);
  });

  it('waits for a process of a holder that was killed', async () => {
    const worker = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const child = holder(
      `await withLock(lock, (add) => { add(${worker.pid}); console.log('held'); return new Promise(() => setInterval(() => {}, 1000)); });`,
    );
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isHeld(file)).toBe(true);
    const waits: (number | undefined)[] = [];
    const onWait = (pid?: number) => {
      waits.push(pid);
      worker.kill('SIGKILL');
    };
    expect(await withLock(file, async () => 'mine', { onWait, pollMs: 10 })).toBe('mine');
    expect(waits).toEqual([worker.pid]);
    expect(isHeld(file)).toBe(false);
  });

  it('releases on SIGTERM and on an error', async () => {
    const child = holder(
      `await withLock(lock, () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)); });`,
    );
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(143);
    expect(existsSync(file)).toBe(false);
    await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(file)).toBe(false);
  });
});

describe('isStale', () => {
  const age = (seconds: number) => utimesSync(file, new Date(), new Date(Date.now() - seconds * 1000));
  it('trusts a living holder for five silent minutes', async () => {
    writeFileSync(file, JSON.stringify({ pids: [await deadPid(), process.pid], host: hostname() }));
    expect(isStale(file)).toBe(false);
    age(290);
    expect(isStale(file)).toBe(false);
    age(310);
    expect(isStale(file)).toBe(true);
  });
  it('does not judge process ids of another machine', async () => {
    writeFileSync(file, JSON.stringify({ pids: [await deadPid()], host: 'elsewhere.invalid' }));
    expect(isStale(file)).toBe(false);
  });
  it('gives an empty or damaged file ten seconds', () => {
    for (const text of ['', 'not json', '{"pids":["x"]}', '{"pid":1}']) {
      writeFileSync(file, text);
      expect(isStale(file)).toBe(false);
      age(11);
      expect(isStale(file)).toBe(true);
    }
  });
  it('says no when there is no lock', () => expect(isStale(file)).toBe(false));
});
