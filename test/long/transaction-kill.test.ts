/** A transaction over 50 files, killed before, after and in the middle of every system call that changes the disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from '../workspace/bundle.js';
import { checkPoint, type Ends, endsOf, makeScene, type Scene } from '../workspace/transaction-scene.js';

let out = '';
let scene: Scene;
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'chatcli-out-'));
  const [module = ''] = await bundle(out, ['workspace/open-workspace']);
  scene = await makeScene(module, 50);
});
afterAll(() => {
  scene.remove();
  rmSync(out, { recursive: true, force: true });
});

/** Every step of the journal, the files, the backups and the records; of the locks around them every tenth. */
function pointsOf(ends: Ends): number[] {
  return ends.calls.flatMap((call, i) => (!/[/]locks[/]/.test(call) || i % 10 === 0 ? [i + 1] : []));
}

it('is all old or all new after the next start, wherever it was killed', { timeout: 3_000_000 }, async () => {
  const ends = await endsOf(scene);
  const seen = { old: 0, new: 0 };
  for (const at of pointsOf(ends)) {
    const writes = ends.calls[at - 1]?.startsWith('write') === true;
    const point = { at, how: writes ? 'half' : 'before' } as const;
    const { outcome, run } = await checkPoint(scene, ends, point, { backups: at % 10 === 0 });
    expect([at, run.killed]).toEqual([at, true]);
    seen[outcome]++;
  }
  expect([seen.old > 200, seen.new > 100], `${seen.old} old, ${seen.new} new`).toEqual([true, true]);
});

it('is all old or all new when a system call fails', { timeout: 3_000_000 }, async () => {
  const ends = await endsOf(scene);
  const seen = { old: 0, new: 0 };
  for (const at of pointsOf(ends).filter((_, i) => i % 2 === 0)) {
    const how = at % 3 === 0 ? 'EIO' : 'ENOSPC';
    const { outcome } = await checkPoint(scene, ends, { at, how }, { backups: at % 10 === 0 });
    seen[outcome]++;
  }
  expect([seen.old > 100, seen.new > 50], `${seen.old} old, ${seen.new} new`).toEqual([true, true]);
});
