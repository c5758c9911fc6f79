/** Whatever `git apply` does with a diff of git, patch does too: same bytes, same modes. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { patchTool } from '../../../../src/tools/coder/patch.js';
import { type Bench, makeBench } from '../../context.js';
import { change, makeOracle, type Oracle, readTree, shownTree, type Tree, writeTree } from './git-oracle.js';

let oracle: Oracle;
beforeAll(() => {
  oracle = makeOracle();
});
afterAll(() => oracle.remove());

const ROUNDS = Number(process.env['DIFF_ROUNDS'] ?? 40);

async function ours(tree: Tree, diff: Buffer): Promise<{ tree: Tree; output: string; isError: boolean }> {
  const bench: Bench = await makeBench();
  try {
    writeTree(bench.ws, tree);
    const result = await bench.run(patchTool, { diff: diff.toString('base64'), diff_encoding: 'base64' });
    return { tree: readTree(bench.ws), output: result.output, isError: result.isError };
  } finally {
    bench.remove();
  }
}

it.each([['-U3'], ['-U0'], ['-U1']])('does what git apply does with git diff -M %s', { timeout: 600_000 }, async (context) => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(change, async ({ old, now }) => {
      const diff = oracle.diff(old, now, ['-M', context]);
      const theirs = oracle.apply(old, diff, context === '-U0' ? ['--unidiff-zero'] : []);
      if (!theirs || /^Binary files/m.test(diff.toString('latin1'))) return;
      accepted++;
      expect(shownTree(theirs)).toEqual(shownTree(now));
      const mine = await ours(old, diff);
      expect(mine.output).not.toContain('error');
      expect(shownTree(mine.tree)).toEqual(shownTree(theirs));
    }),
    { numRuns: ROUNDS, endOnFailure: true },
  );
  expect(accepted).toBeGreaterThan(ROUNDS / 2);
});
