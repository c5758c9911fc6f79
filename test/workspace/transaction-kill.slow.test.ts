/** A transaction killed, or let down by the disk, at a sample of its steps; test/long takes all of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from './bundle.js';
import { checkPoint, type Ends, endsOf, makeScene, type Scene } from './transaction-scene.js';

/** Of each kind of fault. */
const POINTS = 8;

let out = '';
let scene: Scene;
let ends: Ends;
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'chatcli-out-'));
  const [module = ''] = await bundle(out, ['workspace/open-workspace']);
  scene = await makeScene(module, 7);
  ends = await endsOf(scene);
});
afterAll(() => {
  scene.remove();
  rmSync(out, { recursive: true, force: true });
});

for (const how of ['before', 'half', 'ENOSPC'] as const) {
  it(`all old or all new: ${how}`, async () => {
    const seen = { old: 0, new: 0 };
    for (let i = 0; i < POINTS; i++) {
      const at = 1 + Math.floor(((i + 0.5) * ends.calls.length) / POINTS);
      const { outcome } = await checkPoint(scene, ends, { at, how });
      seen[outcome]++;
    }
    expect([seen.old > 1, seen.new > 1]).toEqual([true, true]);
  });
}
