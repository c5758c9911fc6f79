/** The graph of many files is made with pauses, in which it can be ended. */
import { expect, it } from 'vitest';
import { pack } from '../../../src/code/map/entries.js';
import { emptyFile } from '../../../src/code/map/extract.js';
import { graphOf } from '../../../src/code/map/graph.js';
import { createNames } from '../../../src/code/map/names.js';

it('pauses now and then, and ends where a pause throws', async () => {
  const names = createNames();
  const entries = Array.from({ length: 1_000 }, (_, i) => {
    const file = {
      ...emptyFile('ok', 'c'),
      declarations: 1,
      defines: [`name${i}`],
      references: [`name${(i + 1) % 1_000}`],
      counts: [1],
    };
    return {
      path: `f${i}.c`,
      hash: `${i}`,
      disk: undefined,
      status: 'ok' as const,
      language: 'c',
      declarations: 1,
      ...pack(file, names),
    };
  });
  let pauses = 0;
  const graph = await graphOf(entries, names, async () => void pauses++);
  expect(pauses).toBeGreaterThanOrEqual(3);
  expect([graph.to.length, graph.to[0]]).toEqual([1_000, 1]);
  await expect(graphOf(entries, names, () => Promise.reject(new Error('ended')))).rejects.toThrow('ended');
});
