/** How much an undo store keeps, and what it forgets first. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeUndoBench, type UndoBench } from './bench.js';

let bench: UndoBench;
beforeEach(async () => {
  bench = await makeUndoBench();
});
afterEach(() => bench.remove());

const logOf = (one: UndoBench) => join(one.folder, 'log.jsonl');
const objectsOf = (one: UndoBench) => readdirSync(join(one.folder, 'objects'));

describe('the quota', () => {
  const text = (n: number) => String(n).repeat(1000);

  it('forgets the oldest turns first, says so, and stays under it', async () => {
    const dropped: number[] = [];
    bench = await bench.reopen({ quota: 5000, onDropped: (turns) => dropped.push(turns) });
    for (let n = 0; n < 9; n++) await bench.turn(`t${n}`, { a: text(n) });
    const used = objectsOf(bench).reduce((sum, name) => sum + statSync(join(bench.folder, 'objects', name)).size, 0);
    expect(used).toBeLessThanOrEqual(5000);
    expect(dropped.length).toBeGreaterThan(0);
    const report = await bench.undoing.undo({ turns: 99 });
    expect(report.dropped).toBe(dropped.reduce((sum, turns) => sum + turns, 0));
    expect(report.turns.length + report.dropped).toBe(9);
    expect(bench.text('a')).toBe(text(report.dropped - 1));
    const later = await bench.reopen({ quota: 5000 });
    expect(later.store.state().dropped).toBe(report.dropped);
  });

  it('never forgets the present turn; what does not fit is not kept', async () => {
    const faults: string[] = [];
    bench = await bench.reopen({ quota: 2500, onFault: (reason) => faults.push(reason) });
    for (const name of ['a', 'b', 'c', 'd']) bench.put(name, `${name}${text(1)}`);
    await bench.turn('t', { a: '1', b: '1', c: '1', d: '1' });
    expect(faults).toEqual(['quota']);
    const undone = await bench.undoing.undo();
    expect(undone.kept.map(({ path, why }) => [path, why])).toEqual([
      ['c', 'missing'],
      ['d', 'missing'],
    ]);
    expect([bench.text('a')?.length, bench.text('c')]).toEqual([1001, '1']);
  });

  it('what another process has just put, or needs again, stays although turns are dropped', async () => {
    bench = await bench.reopen({ quota: 5000 });
    await bench.turn('t0', { a: text(0) });
    await bench.turn('t1', { a: text(1) });
    const other = await bench.reopen({ quota: 5000 });
    const fresh = await other.store.keep(Buffer.from('n'.repeat(900)), { mode: 0o644 });
    await sleep(5);
    const again = await other.store.keep(Buffer.from(text(0)), { mode: 0o644 });
    for (let n = 2; n < 9; n++) await bench.turn(`t${n}`, { a: text(n) });
    expect(bench.store.state().dropped).toBeGreaterThan(1);
    expect([fresh, again].map((version) => bench.store.bytes(version)?.length)).toEqual([900, 1000]);
  });

  it('a turn that fills it reads the log no more for each edit', async () => {
    bench = await bench.reopen({ quota: 2500 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) bench.put(name, `${name}${text(1)}`);
    await bench.turn('t', { a: '1', b: '1', c: '1' });
    rmSync(logOf(bench));
    mkdirSync(logOf(bench));
    const large = Buffer.from(text(2));
    expect([(await bench.store.keep(large, { mode: 0o644 })).kept, bench.undoing.fault()]).toEqual([false, 'quota']);
    expect((await bench.store.keep(Buffer.from('small'), { mode: 0o644 })).kept).toBe(true);
    await bench.turn('next');
    expect([(await bench.store.keep(large, { mode: 0o644 })).kept, bench.undoing.fault()]).toEqual([false, 'ENXIO']);
  });

  it('does not count what changes that were refused left behind', async () => {
    bench = await bench.reopen({ quota: 5000 });
    for (let n = 0; n < 9; n++) {
      bench.put('a', text(n));
      const { state } = await bench.workspace.readFile('a');
      await expect(
        bench.as('main').changeFiles([
          { path: 'a', bytes: Buffer.from('x'), expect: state },
          { path: 'a/b', bytes: Buffer.from('x'), expect: 'absent' },
        ]),
      ).rejects.toThrow();
    }
    bench.put('a', 'last');
    await bench.turn('t', { a: 'x' });
    expect((await bench.undoing.undo()).files).toHaveLength(1);
  });
});
