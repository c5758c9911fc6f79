import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMapCache } from '../../../src/code/map/cache.js';
import { gather } from '../../../src/code/map/gather.js';
import { type MapBench, makeMapBench } from './helpers.js';

let bench: MapBench;
beforeEach(async () => {
  bench = await makeMapBench();
});
afterEach(() => bench.remove());

const folder = () => join(bench.state, 'cache', 'map');
const OLD = new Date(Date.now() - 60_000);

/** A file that has been as it is for a while: only `ctime`, which nobody can set, is new. */
function aged(path: string, text: string): string {
  const full = bench.put(path, text);
  utimesSync(full, OLD, OLD);
  return full;
}

const settled = () => new Promise((done) => setTimeout(done, 2_700));

describe('times of a file', () => {
  /** Two looks at a file whose times, size and inode are the same, while its bytes are not. */
  async function second(seenAfterMs: number) {
    const changedAt = 1_700_000_000_000;
    const disk = { size: 16, mtimeMs: changedAt, ctimeMs: changedAt, ino: 7, seenAt: changedAt + seenAfterMs };
    const cache = createMapCache(folder(), bench.ws);
    const look = (text: string) =>
      gather({
        files: [{ path: 'a.py', disk }],
        read: async () => ({ bytes: Buffer.from(text), sha256: createHash('sha256').update(text).digest('hex') }),
        look: () => disk,
        cache,
        covers: () => true,
        signal: new AbortController().signal,
      });
    await look('def aaa(): pass\n');
    return (await look('def bbb(): pass\n')).counts;
  }

  it('tell that it is unchanged only when they were old enough by the time it was read', async () => {
    expect(await second(100)).toMatchObject({ read: 1, parsed: 1 });
    expect(await second(-5_000)).toMatchObject({ read: 1, parsed: 1 });
    expect(await second(60_000)).toMatchObject({ read: 0, parsed: 0 });
  });
});

describe('what a map keeps', () => {
  it('parses a changed file alone, and reads nothing when nothing changed', async () => {
    for (let i = 0; i < 6; i++) aged(`m${i}.py`, `def f${i}(): pass\n`);
    await settled();
    expect((await bench.map()).counts).toEqual({ files: 6, parsed: 6, read: 6, workers: 0 });
    expect((await bench.map()).counts).toEqual({ files: 6, parsed: 0, read: 0, workers: 0 });
    appendFileSync(join(bench.ws, 'm3.py'), 'def more(): pass\n');
    const changed = await bench.map();
    expect(changed.counts).toEqual({ files: 6, parsed: 1, read: 1, workers: 0 });
    expect(changed.output).toContain('def more()');
  });

  it('sees a change of the same size with the same modification time, at once and later', async () => {
    const file = aged('a.py', 'def aaa(): pass\n');
    const { mtime } = statSync(file);
    const change = (text: string) => {
      writeFileSync(file, text);
      utimesSync(file, mtime, mtime);
    };
    expect((await bench.map()).output).toContain('def aaa()');
    change('def bbb(): pass\n');
    expect((await bench.map()).output).toContain('def bbb()');
    await settled();
    await bench.map();
    change('def ccc(): pass\n');
    expect((await bench.map()).output).toContain('def ccc()');
  });

  it('knows a file that moved by its content, and forgets one that is gone', async () => {
    aged('a.py', 'def moved(): pass\n');
    aged('b.py', 'def gone(): pass\n');
    await bench.map();
    renameSync(join(bench.ws, 'a.py'), join(bench.ws, 'c.py'));
    rmSync(join(bench.ws, 'b.py'));
    const { output, counts } = await bench.map();
    expect(counts.parsed).toBe(0);
    expect(output).toContain('c.py\n  L1 def moved()');
    expect(output).not.toContain('gone');
  });

  it('takes the same text under another language anew', async () => {
    aged('a.js', 'class A {}\n');
    await bench.map();
    aged('a.ts', 'class A {}\n');
    expect((await bench.map()).counts.parsed).toBe(1);
  });

  it('keeps what other folders have when one of them is mapped', async () => {
    aged('x/a.py', 'def a(): pass\n');
    aged('y/b.py', 'def b(): pass\n');
    await bench.map();
    appendFileSync(join(bench.ws, 'x/a.py'), 'def more(): pass\n');
    expect((await bench.map({ dir: 'x' })).counts.parsed).toBe(1);
    expect((await bench.map()).counts.parsed).toBe(0);
  });

  it('is private, and of no use when damaged, cut, empty or replaced by something else', async () => {
    aged('a.py', 'def a(): pass\n');
    const { output } = await bench.map();
    const [name] = readdirSync(folder()).filter((each) => each.endsWith('.map'));
    const file = join(folder(), name ?? '');
    expect([statSync(file).mode & 0o777, statSync(folder()).mode & 0o777]).toEqual([0o600, 0o700]);
    const good = readFileSync(file);
    const damages: (() => void)[] = [
      () => truncateSync(file, good.length - 7),
      () => truncateSync(file, 0),
      () =>
        writeFileSync(
          file,
          good.map((byte, i) => (i === good.length - 20 ? byte ^ 1 : byte)),
        ),
      () => writeFileSync(file, '{"not": "ours"}'),
      () => {
        rmSync(file);
        mkdirSync(file);
      },
    ];
    for (const damage of damages) {
      damage();
      const again = await bench.map();
      expect([again.output, again.counts.parsed]).toEqual([output, 1]);
    }
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), 'a file where the folder should be');
    expect((await bench.map()).output).toBe(output);
  });

  it('leaves no drafts: those of processes that were killed go', async () => {
    aged('a.py', 'def a(): pass\n');
    await bench.map();
    const [name] = readdirSync(folder()).filter((each) => each.endsWith('.map'));
    const [old, fresh] = ['00ff', '00fe'].map((each) => join(folder(), `${name}.${each}.tmp`));
    for (const draft of [old, fresh]) writeFileSync(draft ?? '', 'half');
    utimesSync(old ?? '', new Date(0), new Date(0));
    appendFileSync(join(bench.ws, 'a.py'), 'def b(): pass\n');
    await bench.map();
    expect(readdirSync(folder()).filter((each) => each.endsWith('.tmp'))).toEqual([`${name}.00fe.tmp`]);
  });

  it('works where its folder cannot be written', async (context) => {
    if (process.getuid?.() === 0) return context.skip('the superuser writes everywhere');
    aged('a.py', 'def a(): pass\n');
    mkdirSync(join(bench.state, 'cache'), { recursive: true });
    chmodSync(join(bench.state, 'cache'), 0o500);
    const { output } = await bench.map();
    chmodSync(join(bench.state, 'cache'), 0o700);
    expect(output).toContain('def a()');
  });

  it('is shared by maps at the same time', async () => {
    for (let i = 0; i < 20; i++) aged(`d${i % 3}/m${i}.py`, `def f${i}(): pass\n`);
    const outputs = await Promise.all(['.', '.', 'd0', 'd1', '.'].map(async (dir) => (await bench.map({ dir })).output));
    expect(new Set([outputs[0], outputs[1], outputs[4]]).size).toBe(1);
    expect((await bench.map()).output).toBe(outputs[0]);
  });

  it('maps what it can read while files come, change and go', async () => {
    for (let i = 0; i < 60; i++) aged(`m${i}.py`, `def f${i}(): pass\n`);
    const mapping = bench.map({ budget: 60_000 });
    for (let i = 0; i < 60; i += 3) {
      rmSync(join(bench.ws, `m${i}.py`), { force: true });
      writeFileSync(join(bench.ws, `m${i + 1}.py`), 'def changed(): pass\n');
      await new Promise((done) => setImmediate(done));
    }
    expect((await mapping).isError).toBe(false);
    const after = await bench.map({ budget: 60_000 });
    expect(after.output).not.toContain('m0.py');
    expect(after.output.match(/def changed/g)).toHaveLength(20);
  });
});
