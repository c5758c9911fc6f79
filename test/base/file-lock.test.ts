/** Lock files: one holder at a time, also when several see the same dead lock, and locks of processes that cannot be seen. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { lockHolder, takeLock } from '../../src/base/file-lock.js';
import { isElsewhere, isRunning, ownMark } from '../../src/base/process-mark.js';
import { bundle } from '../workspace/bundle.js';

const base = mkdtempSync(join(tmpdir(), 'chatcli-lock-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const PROCESSES = 4;
const ROUNDS = 25;

/** Takes the lock, looks whether it is alone, and leaves the lock of a dead process behind. */
const contender = (module: string, folder: string, name: string) => `
  import fs, { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  // Real calls with pauses before and after them: every order of the steps of several processes comes about.
  const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 2);
  for (const name of ['linkSync', 'renameSync', 'rmSync']) {
    const real = fs[name];
    fs[name] = (...given) => {
      pause();
      try {
        return real(...given);
      } finally {
        pause();
      }
    };
  }
  syncBuiltinESMExports();
  import { takeLock } from ${JSON.stringify(module)};
  const file = ${JSON.stringify(join(folder, 'x.lock'))};
  const inside = ${JSON.stringify(join(folder, 'inside'))};
  let both = 0;
  for (let round = 0, tries = 0; round < ${ROUNDS} && tries < 100_000; tries++) {
    if (!takeLock(file, '${name}' + tries.toString(16)).held) continue;
    try {
      closeSync(openSync(inside, 'wx'));
    } catch {
      both++;
      continue;
    }
    rmSync(inside);
    const dead = ${JSON.stringify(join(folder, `dead-${name}`))};
    writeFileSync(dead, JSON.stringify({ pid: 2 ** 22 + 1, start: '', unique: '${name}' + round }));
    renameSync(dead, file);
    round++;
  }
  console.log(both);`;

it('several that see one dead lock: one has it', async () => {
  const out = join(base, 'out');
  const [module = ''] = await bundle(out, ['base/file-lock']);
  const folder = mkdtempSync(join(base, 'race-'));
  const told = Array.from({ length: PROCESSES }, async (_, i) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', contender(module, folder, 'abcdef'.charAt(i))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    for await (const part of child.stdout) text += String(part);
    return text.trim();
  });
  expect(await Promise.all(told)).toEqual(Array.from({ length: PROCESSES }, () => '0'));
  expect(readdirSync(folder)).toEqual(['x.lock']);
}, 60_000);

it('who died while removing a dead lock leaves it to the next one', () => {
  const file = join(base, 'dead.lock');
  writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, start: '' }));
  const first = takeLock(file, 'a1');
  expect(first.held).toBe(true);
  if (first.held) first.release();
  expect(readdirSync(base).filter((name) => name.startsWith('dead'))).toEqual([]);
});

it('a process of another host or container counts while its lock is young', () => {
  const own = ownMark();
  const space = own.place?.slice(own.place.lastIndexOf(' ') + 1) ?? '';
  const host = { ...own, start: 'b0ot:1', place: `elsewhere ${space}` };
  const file = join(base, 'far.lock');
  const foreign = [host, ...(space && own.start ? [{ ...own, place: `${own.place?.slice(0, -space.length)}pid:[1]` }] : [])];
  for (const mark of foreign) {
    expect(isElsewhere(mark)).toBe(true);
    expect(isRunning(mark)).toBe(false);
    writeFileSync(file, JSON.stringify(mark));
    expect(takeLock(file, 'f1')).toMatchObject({ held: false, holder: { pid: own.pid } });
    expect(lockHolder(file)?.place).toBe(mark.place);
    const old = Date.now() / 1000 - 2 * 3600;
    utimesSync(file, old, old);
    expect(lockHolder(file)).toBeUndefined();
    const lock = takeLock(file, 'f2');
    expect(lock.held).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ place: own.place });
    if (lock.held) lock.release();
  }
  // Started again, and renamed while it runs: still this machine.
  if (own.start) {
    expect(isElsewhere({ ...own, start: 'b0ot:1' })).toBe(false);
    expect(isElsewhere({ ...own, place: `renamed ${space}` })).toBe(false);
  }
  expect(isElsewhere({ pid: own.pid, start: '' })).toBe(false);
});
