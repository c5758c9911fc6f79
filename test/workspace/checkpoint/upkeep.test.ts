/** What is stored stays within bounds, and what is dropped is really gone from the disk. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAutomatic } from '../../../src/workspace/checkpoint/automatic.js';
import { forgetGone } from '../../../src/workspace/checkpoint/forget-gone.js';
import { folderFor } from '../../../src/workspace/checkpoint/place.js';
import { type Snapshot, shortHashes } from '../../../src/workspace/checkpoint/snapshots.js';
import { readState, writeState } from '../../../src/workspace/checkpoint/state-file.js';
import { diskUse, outdated, upkeepDue } from '../../../src/workspace/checkpoint/upkeep.js';
import { faultFrom } from '../temp.js';
import { noSignal, type Setup, setup } from './setup.js';

const MIB = 1024 * 1024;
const DAY = 24 * 3600_000;
let s: Setup;
beforeEach(() => {
  s = setup();
});
afterEach(() => s.remove());

it('a folder that alone is larger than the quota is refused with the reason', async () => {
  const small = setup({ quota: MIB }, s);
  s.put('random.bin', randomBytes(2 * MIB));
  const fault = await faultFrom(small.create());
  expect(fault).toMatchObject({ code: 'EFBIG', message: expect.stringContaining('.gitignore') });
});

it('what killed attempts left in the store goes, and what snapshots hold stays', async () => {
  s.put('a.txt', 'v1\n');
  const hash = await s.hash();
  const orphaned = join(s.base, 'orphan');
  writeFileSync(orphaned, 'nobody refers to this\n');
  const orphan = s.look(['hash-object', '-w', orphaned]).toString().trim();
  writeState(s.shadow, { ...readState(s.shadow, s.ws), added: 2 ** 40 });
  await s.checkpoints.tidy(s.ws, noSignal());
  expect(() => s.look(['cat-file', '-e', orphan])).toThrow();
  expect(s.look(['show', `${hash}:a.txt`]).toString()).toBe('v1\n');
  expect(readState(s.shadow, s.ws).added).toBe(0);
});

it('upkeep in the background follows an automatic snapshot, and gives way', async () => {
  const small = setup({ quota: MIB / 2, now: () => time }, s);
  let time = Date.now();
  const automatic = createAutomatic(small.checkpoints);
  for (let i = 0; i < 5; i++) {
    s.put('random.bin', randomBytes(MIB / 4));
    await automatic.before(`n${i}`, [], noSignal());
    await automatic.settled();
    time += 15_000;
  }
  expect(diskUse(s.shadow)).toBeLessThan(MIB / 2);
  expect((await small.checkpoints.list(noSignal())).length).toBeLessThan(5);
  await automatic.settled({ stop: true });
});

it('is due when much was added or there are too many snapshots, and not again at once for what cannot shrink', () => {
  const now = Date.now();
  const state = { ...readState(s.shadow, s.ws), lastUpkeep: now - 1000 };
  const due = (change: Partial<typeof state>) => upkeepDue(s.shadow, { ...state, ...change }, 100, now);
  expect([due({}), due({ stored: 90, added: 11 }), due({ stored: 150 })]).toEqual([false, true, false]);
  expect(due({ stored: 150, lastUpkeep: now - 2 * DAY })).toBe(true);
  mkdirSync(join(s.shadow, 'refs/snapshots'), { recursive: true });
  for (let i = 0; i < 121; i++) writeFileSync(join(s.shadow, 'refs/snapshots', String(i)), '');
  expect([due({}), due({ lastUpkeep: 0 })]).toEqual([false, true]);
});

it('thins old snapshots to one a day and drops the oldest', () => {
  const now = Date.parse('2024-05-31T12:00:00Z');
  const at = (ago: number): Snapshot => ({ hash: '', subject: '', time: now - ago, reference: String(ago) });
  const newest = Array.from({ length: 60 }, (_, i) => at(i));
  const older = [at(2 * DAY), at(2 * DAY + 3600_000), at(3 * DAY), at(3 * DAY + 1000), at(40 * DAY)];
  expect(outdated([...newest, ...older], now)).toEqual([2 * DAY + 3600_000, 3 * DAY + 1000, 40 * DAY].map(String));
});

it('places of folders that are gone are forgotten after a time, others and the one in use are not', async () => {
  const now = Date.now();
  const place = (root: string, lastUse: number, stored = 0) => {
    const folder = folderFor(s.state, root);
    mkdirSync(folder, { recursive: true });
    writeState(folder, { ...readState(folder, root), root, lastUse, stored });
    return folder;
  };
  const gone = place(join(s.base, 'gone'), now - 40 * DAY);
  const goneLately = place(join(s.base, 'gone-lately'), now - 5 * DAY);
  const there = place(s.ws, now - 400 * DAY);
  const broken = `${there}.broken-0123`;
  mkdirSync(broken);
  utimesSync(broken, (now - 40 * DAY) / 1000, (now - 40 * DAY) / 1000);
  const foreign = join(s.state, 'checkpoints', 'notes');
  mkdirSync(foreign);
  forgetGone(s.state, '', now);
  expect([gone, goneLately, there, broken, foreign].map((folder) => existsSync(folder))).toEqual([
    false,
    true,
    true,
    false,
    true,
  ]);
  // Too much in all: what was not used for longest goes first.
  const idle = place(s.home, now - 20 * DAY, 10 * MIB);
  writeState(there, { ...readState(there, s.ws), stored: 10 * MIB });
  rmSync(join(s.state, 'checkpoints', 'looked-through'));
  forgetGone(s.state, '', now, 15 * MIB);
  expect([existsSync(there), existsSync(idle)]).toEqual([false, true]);
  writeFileSync(join(s.state, 'checkpoints', 'looked-through'), '');
  forgetGone(s.state, '', now, 0);
  expect(readdirSync(join(s.state, 'checkpoints'))).toContain(idle.split('/').at(-1));
});

it('short hashes are as long as they must be', () => {
  const [a, b, c] = [`1234567a${'0'.repeat(32)}`, `1234567b${'0'.repeat(32)}`, 'f'.repeat(40)];
  expect([...shortHashes([c ?? '', b ?? '', a ?? '']).values()]).toEqual(['1234567a', '1234567b', 'fffffff']);
});
