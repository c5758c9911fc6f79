/** Two processes that change one file at the same time: no change is lost, and who comes too late is told. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from '../../src/base/file-lock.js';
import { bundle } from './bundle.js';
import { faultFrom, makePlace, type Place } from './temp.js';

const ROUNDS = 20;

let out: string;
let modules: string[];
let place: Place;
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'chatcli-out-'));
  modules = await bundle(out, ['workspace/open-workspace', 'tools/coder/patch', 'tools/coder/write']);
});
afterAll(() => rmSync(out, { recursive: true, force: true }));
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

/** A process that calls patch and append by turns and prints a line of JSON with how often each succeeded. */
function hammer(name: string, signalFile: string): ChildProcess {
  const options = { root: place.ws, home: place.home, state: place.state, scratch: place.scratch };
  const script = `
    import { existsSync } from 'node:fs';
    const [w, p, a] = await Promise.all(${JSON.stringify(modules)}.map((file) => import(file)));
    const workspace = await w.openWorkspace(${JSON.stringify(options)});
    const context = { workspace, signal: new AbortController().signal, progress() {} };
    console.log('ready');
    while (!existsSync(${JSON.stringify(signalFile)})) await new Promise((go) => setTimeout(go, 1));
    const told = { patched: 0, appended: [], codes: [] };
    for (let i = 0; i < ${ROUNDS}; i++) {
      const patched = await p.patchTool.run({ file: 'a.txt', search: '${name} ' + told.patched + '\\n', replace: '${name} ' + (told.patched + 1) + '\\n' }, context);
      if (patched.isError) told.codes.push(patched.code);
      else told.patched++;
      const appended = await a.writeTool.run({ file: 'log.txt', content: '${name}' + i + '\\n', append: true }, context);
      if (appended.isError) told.codes.push(appended.code);
      else told.appended.push('${name}' + i);
    }
    console.log(JSON.stringify(told));`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

interface Told {
  readonly patched: number;
  readonly appended: readonly string[];
  readonly codes: readonly string[];
}

describe('two processes at one file', () => {
  it('lose no change that was reported as made', async () => {
    place.put('a.txt', 'first 0\n--\nsecond 0\n');
    const go = join(place.base, 'go');
    const children = ['first', 'second'].map((name) => hammer(name, go));
    const texts = children.map(() => '');
    const done = children.map(
      (child, i) =>
        new Promise<void>((resolve) => {
          child.stdout?.on('data', (chunk: Buffer) => {
            texts[i] += chunk.toString();
          });
          child.once('close', () => resolve());
        }),
    );
    await Promise.all(children.map((child) => new Promise((ready) => child.stdout?.once('data', ready))));
    writeFileSync(go, '');
    await Promise.all(done);
    const told = texts.map((text) => JSON.parse(text.replace('ready\n', '')) as Told);
    const [first, second] = told;
    expect(readFileSync(join(place.ws, 'a.txt'), 'utf8')).toBe(`first ${first?.patched}\n--\nsecond ${second?.patched}\n`);
    const lines = readFileSync(join(place.ws, 'log.txt'), 'utf8').trimEnd().split('\n');
    expect(lines.toSorted()).toEqual(told.flatMap((one) => one.appended).toSorted());
    // Whoever came too late again and again was told so; most of the work got through.
    for (const { codes } of told) expect(codes.filter((code) => code !== 'Stale' && code !== 'EEXIST')).toEqual([]);
    expect(told.map((one) => one.patched > ROUNDS / 2 && one.appended.length > ROUNDS / 2)).toEqual([true, true]);
    expect(readdirSync(place.ws).toSorted()).toEqual(['a.txt', 'a.txt.bak', 'log.txt', 'log.txt.bak']);
    expect(readdirSync(join(place.state, 'locks'))).toEqual([]);
  });

  it('wait for each other, and the later one is told who holds the file', async () => {
    const workspace = await place.open();
    await workspace.writeFile('a.txt', Buffer.from('one'));
    const locks = join(place.state, 'locks');
    await workspace.writeFile('a.txt', Buffer.from('more'));
    const lock = takeLock(join(locks, lockOf('a.txt')), 'test');
    expect(lock.held).toBe(true);
    const fault = await faultFrom(workspace.writeFile('a.txt', Buffer.from('two')));
    expect(fault).toMatchObject({ code: 'Conflict', message: expect.stringContaining(`process ${process.pid}`) });
    if (lock.held) setTimeout(lock.release, 50);
    await workspace.rollback('a.txt');
    expect(readFileSync(join(place.ws, 'a.txt'), 'utf8')).toBe('one');
  });

  it('take over what a dead process, a reused number or a stranger left as a lock', async () => {
    const workspace = await place.open();
    const locks = join(place.state, 'locks');
    const name = lockOf('a.txt');
    mkdirSync(locks, { recursive: true });
    const left = [
      JSON.stringify({ pid: 2 ** 22 + 1, start: '', token: 'x' }),
      JSON.stringify({ pid: process.pid, start: 'another-boot:1', token: 'x' }),
      'not json',
    ];
    for (const text of left) {
      writeFileSync(join(locks, name), text);
      await workspace.writeFile('a.txt', Buffer.from(text));
      expect(readFileSync(join(place.ws, 'a.txt'), 'utf8')).toBe(text);
      expect(readdirSync(locks)).toEqual([]);
    }
    symlinkSync('/dev/zero', join(locks, name));
    await workspace.writeFile('a.txt', Buffer.from('after'));
    expect(readdirSync(locks)).toEqual([]);
  });

  it('go on without locks where the state folder takes none', async () => {
    mkdirSync(place.state, { recursive: true });
    writeFileSync(join(place.state, 'locks'), 'a file, not a folder');
    const workspace = await place.open();
    await workspace.writeFile('a.txt', Buffer.from('one'));
    expect(readFileSync(join(place.ws, 'a.txt'), 'utf8')).toBe('one');
  });
});

/** Where the lock of a file in the workspace lies. */
function lockOf(name: string): string {
  return createHash('sha256').update(join(place.ws, name)).digest('hex');
}
