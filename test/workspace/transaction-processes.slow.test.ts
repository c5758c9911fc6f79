/** Several processes and one set of files: transactions follow each other, and what a dead one left is taken back by the living. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundle } from './bundle.js';
import { runWithFault } from './faults.js';
import { faultFrom, makePlace, type Place } from './temp.js';

const ROUNDS = 12;
const FILES = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];

let out: string;
let module = '';
let place: Place;
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'chatcli-out-'));
  [module = ''] = await bundle(out, ['workspace/open-workspace']);
});
afterAll(() => rmSync(out, { recursive: true, force: true }));
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const text = (path: string) => readFileSync(join(place.ws, path), 'utf8');
const opened = () => `
  const { openWorkspace } = await import(${JSON.stringify(module)});
  const workspace = await openWorkspace(${JSON.stringify({ root: place.ws, home: place.home, state: place.state, scratch: place.scratch })});`;

/** A process that makes transactions over the files, in an order of its own, each giving all of them one and the same new text. */
function changer(name: string, files: readonly string[], goFile: string): ChildProcess {
  const script = `${opened()}
    import { existsSync } from 'node:fs';
    console.log('ready');
    while (!existsSync(${JSON.stringify(goFile)})) await new Promise((go) => setTimeout(go, 1));
    const told = { made: 0, codes: [] };
    for (let i = 0; i < ${ROUNDS}; ) {
      const reads = [];
      for (const path of ${JSON.stringify(files)}) reads.push({ path, ...(await workspace.readFile(path)) });
      try {
        await workspace.changeFiles(reads.map(({ path, state }) => ({ path, expect: state, bytes: Buffer.from('${name} ' + i) })));
        told.made++;
        i++;
      } catch (error) {
        if (error.code !== 'Stale' && error.code !== 'Conflict') throw error;
        told.codes.push(error.code);
        if (told.codes.length > 500) break;
      }
    }
    console.log(JSON.stringify(told));`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

describe('two processes with transactions over the same files', () => {
  it('never wait in a circle and never mix', async () => {
    for (const name of FILES) place.put(name, 'start');
    linkSync(join(place.ws, 'd.txt'), join(place.ws, 'd2.txt'));
    const go = join(place.base, 'go');
    // The second reaches one of the files by its other name, and takes all in the opposite order.
    const lists = [FILES, FILES.toReversed().map((name) => (name === 'd.txt' ? 'd2.txt' : name))];
    const children = lists.map((files, i) => changer(`p${i}`, files, go));
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
    const told = texts.map((one) => JSON.parse(one.replace('ready\n', '')) as { made: number; codes: string[] });
    expect(told.map(({ made }) => made)).toEqual([ROUNDS, ROUNDS]);
    // Who waits in a circle gives up in the end, with this code.
    expect(told.flatMap(({ codes }) => codes.filter((code) => code !== 'Stale'))).toEqual([]);
    const whole = FILES.map(text);
    expect(new Set(whole).size, whole.join(' | ')).toBe(1);
    expect(statSync(join(place.ws, 'd.txt')).nlink).toBe(2);
    expect(readdirSync(join(place.state, 'locks'))).toEqual([]);
    expect(readdirSync(place.ws).filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});

describe('a process that died in the middle of a transaction', () => {
  /** Kills a transaction over a, b (replaced), new/n (created) and r (removed) right before the `at`th call that fits. */
  async function die(only: RegExp, at: number): Promise<void> {
    const script = `${opened()}
      const targets = [];
      for (const path of ['a.txt', 'b.txt', 'r.txt']) targets.push({ path, bytes: path === 'r.txt' ? null : Buffer.from('new'), expect: (await workspace.readFile(path)).state });
      targets.push({ path: 'new/n.txt', bytes: Buffer.from('n'), expect: 'absent' });
      arm();
      await workspace.changeFiles(targets);
      tell('done');`;
    expect((await runWithFault(script, { at, how: 'before', only: only.source })).killed, 'the point was not found').toBe(true);
  }
  const start = () => {
    for (const name of ['a.txt', 'b.txt', 'r.txt']) place.put(name, 'old');
  };
  const all = () =>
    ['a.txt', 'b.txt', 'r.txt', 'new/n.txt'].map((name) => (existsSync(join(place.ws, name)) ? text(name) : null));

  it('is taken back before a living process reads, writes or changes one of its files', async () => {
    const use: readonly ((living: Awaited<ReturnType<Place['open']>>) => Promise<unknown>)[] = [
      (living) => living.readFile('b.txt'),
      async (living) => (await living.openFile('a.txt')).handle.close(),
      (living) => living.writeFile('new/n.txt', Buffer.from('mine')),
      (living) => faultFrom(living.rollback('r.txt')),
      (living) => faultFrom(living.changeFiles([{ path: 'b.txt', bytes: null, expect: { size: 1, sha256: '', mtimeMs: 0 } }])),
    ];
    for (const [i, touch] of use.entries()) {
      start();
      const living = await place.open();
      await die(/^renameSync .*b\.txt$/, 1);
      expect(all()[0], 'the first file is new by now').toBe('new');
      await touch(living);
      expect([i, all().slice(0, 3)]).toEqual([i, ['old', 'old', 'old']]);
      expect([i, living.recovered.join()]).toEqual([i, expect.stringContaining('taken back')]);
      expect((await place.open()).recovered, 'it is told once').toEqual([]);
      rmSync(join(place.ws, 'new'), { recursive: true, force: true });
    }
  });

  it('keeps what somebody changed since, and the bytes from before', async () => {
    start();
    await die(/^renameSync .*b\.txt$/, 1);
    writeFileSync(join(place.ws, 'a.txt'), 'work of the user');
    const { recovered } = await place.open();
    expect(all()).toEqual(['work of the user', 'old', 'old', null]);
    const kept = /a\.txt was changed by somebody else since and stays so; its bytes from before are in (\S+)/.exec(
      recovered.join('\n'),
    );
    expect(readFileSync(kept?.[1] ?? '', 'utf8')).toBe('old');
    expect(readdirSync(place.ws).sort()).toEqual(['a.txt', 'b.txt', 'r.txt']);
  });

  it('is finished, not undone, when it was decided', async () => {
    start();
    await die(/^renameSync .*\.bak$/, 2);
    const { recovered } = await place.open();
    expect([all(), recovered]).toEqual([['new', 'new', null, 'n'], []]);
    expect(readdirSync(place.ws).sort()).toEqual(['a.txt', 'a.txt.bak', 'b.txt', 'b.txt.bak', 'new', 'r.txt.bak']);
    const workspace = await place.open();
    for (const name of ['a.txt', 'b.txt', 'r.txt']) await workspace.rollback(name);
    expect(all()).toEqual(['old', 'old', 'old', 'n']);
  });

  it('waits for a start in its own workspace, and what it needs is not swept meanwhile', async () => {
    start();
    const later = () => Date.now() + 48 * 60 * 60 * 1000;
    const living = await place.open({ now: later });
    await die(/^renameSync .*b\.txt$/, 1);
    place.put('../other/x.txt', 'x');
    expect((await place.open({ root: join(place.base, 'other'), now: later })).recovered).toEqual([]);
    // Long after, another file of the folder is written: old temporary files go, but not these.
    await living.writeFile('z.txt', Buffer.from('z'));
    expect(all()[0]).toBe('new');
    await place.open({ root: join(place.base, 'other'), addDirs: [place.ws] });
    expect([all(), readdirSync(place.ws).sort()]).toEqual([
      ['old', 'old', 'old', null],
      ['a.txt', 'b.txt', 'r.txt', 'z.txt'],
    ]);
  });

  it('is finished on two disks, with backups in our own store', async (test) => {
    const disk = join(place.ws, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return test.skip('a second file system cannot be mounted here (needs root)');
    }
    try {
      const script = `${opened()}
        const targets = [];
        for (const path of ['disk/a.txt', 'disk/b.txt']) targets.push({ path, bytes: Buffer.from('new'), expect: (await workspace.readFile(path)).state });
        arm();
        await workspace.changeFiles(targets);
        tell('done');`;
      // The backups go to their places, then what was saved goes.
      for (let at = 1; at <= 6; at++) {
        rmSync(join(place.state, 'backups'), { recursive: true, force: true });
        for (const name of ['a.txt', 'b.txt']) {
          place.put(`disk/${name}`, 'old');
          place.put(`disk/${name}.bak`, 'not ours');
        }
        const run = await runWithFault(script, {
          at,
          how: 'before',
          only: String.raw`^(renameSync .*\.bak|rmSync .*/fd/.*\.tmp)$`,
        });
        expect([at, run.killed]).toEqual([at, true]);
        const workspace = await place.open();
        expect([at, run.name, workspace.recovered, readdirSync(disk).sort()]).toEqual([
          at,
          run.name,
          [],
          ['a.txt', 'a.txt.bak', 'b.txt', 'b.txt.bak'],
        ]);
        for (const name of ['a.txt', 'b.txt']) {
          expect([text(`disk/${name}`), text(`disk/${name}.bak`)]).toEqual(['new', 'not ours']);
          await workspace.rollback(`disk/${name}`);
          expect([at, run.name, text(`disk/${name}`)]).toEqual([at, run.name, 'old']);
        }
        expect(readdirSync(join(place.state, 'backups')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
      }
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });

  it('leaves no locks behind for good', async () => {
    start();
    await die(/^linkSync .*locks/, 3);
    expect(readdirSync(join(place.state, 'locks')).length).toBeGreaterThan(1);
    await place.open({ now: () => Date.now() + 48 * 60 * 60 * 1000 });
    expect(readdirSync(join(place.state, 'locks')).filter((name) => !name.includes('.'))).toEqual([]);
    expect(all()).toEqual(['old', 'old', 'old', null]);
  });
});
