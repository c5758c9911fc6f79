/** A disguise never makes an always-asked command pass, whatever the rules say; bash reads what is made here. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { disguised, HARMFUL, isReadable } from './disguises.js';
import { judge, rule } from './helpers.js';

const everything = [rule('allow', '*'), rule('allow', '@coder exec'), rule('allow', '@coder exec *')];

it('no disguise passes without a question', () => {
  fc.assert(
    fc.property(disguised(HARMFUL), (line) => {
      expect(judge(line, everything).verdict, line).not.toBe('allow');
    }),
    { numRuns: 250 },
  );
});

it('bash reads the disguises', () => {
  const lines = fc.sample(disguised(HARMFUL), 40);
  const unread = lines.filter((line) => !isReadable(line));
  expect(unread).toEqual([]);
});
