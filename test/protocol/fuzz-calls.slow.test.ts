/** A sample of test/long/fuzz-calls.test.ts: 300 random calls. A fault names the seed and the call. */
import { expect, it } from 'vitest';
import { runFuzz } from './fuzz/run-fuzz.js';

const SEED = 20_261;

it(`300 random calls of the seed ${SEED} break nothing`, { timeout: 300_000 }, async () => {
  const { faults, succeeded } = await runFuzz(SEED, 300);
  expect(faults).toEqual([]);
  expect(Object.keys(succeeded).length, JSON.stringify(succeeded)).toBeGreaterThan(8);
});
