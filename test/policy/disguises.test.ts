/** A disguise never makes an always-asked command pass, whatever the rules say; bash reads what is made here. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { disguised, HARMFUL, isReadable } from './disguises.js';
import { judge, rule } from './helpers.js';

const everything = [rule('allow', '*'), rule('allow', '@coder exec'), rule('allow', '@coder exec *')];

it('no disguise is less than a question that no mode answers', () => {
  fc.assert(
    fc.property(disguised(HARMFUL), (line) => {
      expect(['immune', 'deny'], line).toContain(judge(line, everything).verdict);
    }),
    { numRuns: 250, seed: 4 },
  );
});

it('bash reads the disguises', () => {
  const lines = fc.sample(disguised(HARMFUL), { numRuns: 250, seed: 4 });
  const unread = lines.filter((line) => !isReadable(line));
  expect(unread).toEqual([]);
});
