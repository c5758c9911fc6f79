/** The threads of a map run a bundle, so they are tested on one built for it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createParsePool } from '../../../src/code/map/pool.js';
import type { Extracted } from '../../../src/code/map/types.js';
import { builtWorker } from '../aside/built-worker.js';
import { makeMapBench } from './helpers.js';

let built: Awaited<ReturnType<typeof builtWorker>>;
let program: URL;

beforeAll(async () => {
  built = await builtWorker('code/map/worker.ts');
  ({ program } = built);
});
afterAll(() => built.remove());

const text = (i: number) => `${'# filler line to make it long enough for threads\n'.repeat(200)}def f${i}(): pass\n`;

describe('threads', () => {
  it('give the same map as one thread', async () => {
    const bench = await makeMapBench();
    for (let i = 0; i < 150; i++) bench.put(`d${i % 7}/m${i}.py`, `from d${(i + 3) % 7} import m${(i * 3) % 150}\n${text(i)}`);
    const forget = () => rmSync(join(bench.state, 'cache', 'map'), { recursive: true, force: true });
    const alone = await bench.map({ budget: 60_000, pool: { program: undefined } });
    forget();
    const shared = await bench.map({ budget: 60_000, pool: { program, threads: 2 } });
    expect([alone.counts.workers, shared.counts.workers]).toEqual([0, 2]);
    expect(shared.output).toBe(alone.output);
    expect((await bench.map({ budget: 60_000, pool: { program } })).counts).toMatchObject({ files: 150, parsed: 0, workers: 0 });
    bench.remove();
  });

  it('are not started for little work', async () => {
    const pool = await createParsePool({ program });
    const done: Extracted[] = [];
    for (let i = 0; i < 5; i++) await pool.add({ path: `m${i}.py`, text: `def f${i}(): pass\n` }, (found) => done.push(found));
    await pool.finish();
    await pool.close();
    expect([pool.workers, done.map(({ defines }) => defines[0])]).toEqual([0, ['f0', 'f1', 'f2', 'f3', 'f4']]);
  });

  it('end when they are told to, whatever they are at', async () => {
    const controller = new AbortController();
    const bench = await makeMapBench({ signal: controller.signal });
    for (let i = 0; i < 300; i++) bench.put(`m${i}.py`, text(i));
    const mapping = bench.map({ pool: { program, threads: 2 } });
    setTimeout(() => controller.abort(), 60);
    await expect(mapping).rejects.toMatchObject({ code: 'Aborted' });
    bench.remove();
  });

  it('that break lose no text: each is tried again, and one that breaks again is given up', async () => {
    const broken = new URL('broken.mjs', program);
    const { writeFileSync } = await import('node:fs');
    writeFileSync(
      broken,
      `import { parentPort } from 'node:worker_threads';
      const answer = { status: 'ok', language: 'python', declarations: 1, lines: [], defines: [], imports: [], references: [], counts: [] };
      parentPort.on('message', (jobs) => {
        if (jobs.some(({ path }) => path === 'bad.py')) process.exit(1);
        parentPort.postMessage({ done: jobs.map(() => answer) });
      });`,
    );
    const pool = await createParsePool({ program: broken, threads: 1 });
    const done = new Map<string, string>();
    for (const name of ['a', 'b', 'bad', 'c']) {
      const job = { path: `${name}.py`, text: 'x'.repeat(310_000) };
      await pool.add(job, ({ status }) => done.set(name, status));
    }
    await pool.finish();
    await pool.close();
    expect(Object.fromEntries(done)).toEqual({ a: 'ok', b: 'ok', bad: 'slow', c: 'ok' });
  });
});
