/** 10,000 random calls over all tools there are. The seed is new each time, or given by FUZZ_SEED; it is printed. */
import { expect, it } from 'vitest';
import { TOOLS } from '../../src/tools/registry.js';
import { runFuzz } from '../protocol/fuzz/run-fuzz.js';

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const count = Number(process.env['FUZZ_CALLS'] ?? 10_000);

it(`${count} random calls of the seed ${seed} break nothing`, { timeout: 3_600_000 }, async () => {
  process.stderr.write(`fuzz seed: ${seed}\n`);
  const { faults, succeeded } = await runFuzz(seed, count);
  expect(faults).toEqual([]);
  process.stderr.write(`${JSON.stringify(succeeded)}\n`);
  // By chance no call names a declaration and a new name that can be had.
  const never = TOOLS.filter((tool) => !/outline|map|rename/.test(tool.name) && !succeeded[tool.name]).map((tool) => tool.name);
  expect(never, 'each tool was reached and did something').toEqual([]);
});
