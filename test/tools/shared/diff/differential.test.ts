/** Whatever `git apply` does with a diff of git, patch does too: same bytes, same modes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sameAsGit } from './differential.js';
import { makeOracle, type Oracle } from './git-oracle.js';

let oracle: Oracle;
beforeAll(() => {
  oracle = makeOracle();
});
afterAll(() => oracle.remove());

it.each([['-U3'], ['-U0']])('does what git apply does with git diff -M %s, and undoes it with the reverse', async (context) => {
  expect(await sameAsGit(oracle, context, 8)).toBeGreaterThan(2);
});
