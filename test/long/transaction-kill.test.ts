/** A transaction over 50 files, killed before, after and in the middle of every system call that changes the disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from '../workspace/bundle.js';
import { checkPoint, endsOf, makeScene, type Scene } from '../workspace/transaction-scene.js';

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

it('is all old or all new after the next start, wherever it was killed', { timeout: 1_800_000 }, async () => {
  const ends = await endsOf(scene);
  const seen = { old: 0, new: 0 };
  for (let at = 1; at <= ends.calls; at++) {
    const { outcome, run } = await checkPoint(scene, ends, { at, how: at % 2 === 0 ? 'half' : 'before' });
    if (run.killed) seen[outcome]++;
  }
  expect(seen.old + seen.new).toBe(ends.calls);
  expect([seen.old > 100, seen.new > 50]).toEqual([true, true]);
});

it('is all old or all new when any one system call fails', { timeout: 1_800_000 }, async () => {
  const ends = await endsOf(scene);
  const seen = { old: 0, new: 0 };
  for (let at = 1; at <= ends.calls; at++) {
    const { outcome } = await checkPoint(scene, ends, { at, how: at % 2 === 0 ? 'ENOSPC' : 'EIO' });
    seen[outcome]++;
  }
  expect([seen.old > 100, seen.new > 50]).toEqual([true, true]);
});
