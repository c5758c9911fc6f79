/** The comparison of patch with `git apply`, for a few rounds in every test run and many in the long one. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { patchTool } from '../../../../src/tools/coder/patch.js';
import { makeBench } from '../../context.js';
import { change, type Oracle, readTree, shownTree, type Tree, type TreeFile, writeTree } from './git-oracle.js';

interface Ours {
  readonly tree: Tree;
  readonly output: string;
  readonly isError: boolean;
}

async function ours(tree: Tree, diff: Buffer): Promise<Ours> {
  const bench = await makeBench();
  try {
    writeTree(bench.ws, tree);
    const result = await bench.run(patchTool, { diff: diff.toString('base64'), diff_encoding: 'base64' });
    return { tree: readTree(bench.ws), output: result.output, isError: result.isError };
  } finally {
    bench.remove();
  }
}

/** What git makes of its own diff patch makes too, and the diff the other way round brings everything back. */
export async function sameAsGit(oracle: Oracle, context: string, rounds: number): Promise<number> {
  const options = context === '-U0' ? ['--unidiff-zero'] : [];
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(change, async ({ old, now }) => {
      const diff = oracle.diff(old, now, ['-M', context]);
      const theirs = oracle.apply(old, diff, options);
      if (!theirs || /^Binary files/m.test(diff.toString('latin1'))) return;
      accepted++;
      const mine = await ours(old, diff);
      expect(mine.output).not.toMatch(/^(error|invalid)/);
      expect(shownTree(mine.tree)).toEqual(shownTree(theirs));
      const back = await ours(mine.tree, oracle.diff(now, old, ['-M', context]));
      expect(back.output).not.toMatch(/^(error|invalid)/);
      expect(shownTree(back.tree)).toEqual(shownTree(old));
    }),
    { numRuns: rounds, endOnFailure: true },
  );
  return accepted;
}

/** On files that changed since the diff was made patch may refuse more than git, but never makes something else. */
export async function neverOther(oracle: Oracle, rounds: number): Promise<{ both: number; refused: number }> {
  const count = { both: 0, refused: 0 };
  const drift = fc.record({
    top: fc.nat(4),
    drop: fc.nat(3),
    tail: fc.nat(2),
    line: fc.constantFrom('alpha\n', 'new\n', '}\n', '\n'),
  });
  await fc.assert(
    fc.asyncProperty(change, drift, async ({ old, now }, { top, drop, tail, line }) => {
      const diff = oracle.diff(old, now, ['-M']);
      if (/^Binary files/m.test(diff.toString('latin1'))) return;
      const drifted = new Map<string, TreeFile>();
      for (const [path, file] of old) {
        const lines = file.bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
        const text =
          line.repeat(top) + lines.slice(drop === 3 ? 1 : 0).join('') + (file.bytes.at(-1) === 10 ? line.repeat(tail) : '');
        drifted.set(path, { ...file, bytes: Buffer.from(text, 'latin1') });
      }
      const theirs = oracle.apply(drifted, diff);
      const mine = await ours(drifted, diff);
      if (mine.isError) {
        count.refused++;
        expect(shownTree(mine.tree)).toEqual(shownTree(drifted));
      } else if (theirs) {
        count.both++;
        expect(shownTree(mine.tree)).toEqual(shownTree(theirs));
      }
    }),
    { numRuns: rounds, endOnFailure: true },
  );
  return count;
}
