/** Thousands of diffs of git against `git apply`: on the files they were made from, and on files that changed since. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { neverOther, sameAsGit } from '../tools/shared/diff/differential.js';
import { makeOracle, type Oracle } from '../tools/shared/diff/git-oracle.js';

const ROUNDS = Number(process.env['CHATCLI_TEST_ROUNDS'] ?? 20);
const HOURS = { timeout: 7_200_000 };

let oracle: Oracle;
beforeAll(() => {
  oracle = makeOracle();
});
afterAll(() => oracle.remove());

it.each([['-U3'], ['-U1'], ['-U0']])('does what git apply does with git diff -M %s, and undoes it', HOURS, async (context) => {
  expect(await sameAsGit(oracle, context, ROUNDS)).toBeGreaterThan(ROUNDS / 3);
});

it('never makes something else than git of a diff for an older state', HOURS, async () => {
  const count = { both: 0, refused: 0 };
  // A batch of chance may bring none of one kind, so batches are added until both kinds were seen often enough.
  for (let batch = 0; batch < 20 && Math.min(count.both, count.refused) <= ROUNDS / 20; batch++) {
    const { both, refused } = await neverOther(oracle, ROUNDS);
    count.both += both;
    count.refused += refused;
  }
  expect(count.both).toBeGreaterThan(ROUNDS / 20);
  expect(count.refused).toBeGreaterThan(ROUNDS / 20);
});
