/** Thousands of disguises of always-asked commands and of writers. The seed is new each time, or FUZZ_SEED; it is printed. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { disguised, HARMFUL, isReadable } from '../policy/disguises.js';
import { judge, rule } from '../policy/helpers.js';

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const everything = [rule('allow', '*'), rule('allow', '@coder exec'), rule('allow', '@coder exec *')];
const LIMIT = { seed, interruptAfterTimeLimit: 25_000, markInterruptAsFailure: false };
const WRITERS = ['touch x', 'tee x', 'git commit -m x', 'sed -i s/a/b/ x', 'npm test', 'node x.js'];

it('no disguise of an always-asked command passes, whatever the rules say', { timeout: 120_000 }, () => {
  process.stderr.write(`fuzz seed: ${seed}\n`);
  let count = 0;
  fc.assert(
    fc.property(disguised(HARMFUL), (line) => {
      count++;
      expect(judge(line, everything).verdict, line).not.toBe('allow');
    }),
    { ...LIMIT, numRuns: 20_000 },
  );
  process.stderr.write(`disguises judged: ${count}\n`);
});

it('no disguise of a writer passes as a reader', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(disguised(WRITERS), (line) => {
      expect(judge(line).verdict, line).not.toBe('allow');
    }),
    { ...LIMIT, numRuns: 20_000 },
  );
});

it('bash reads what is made', { timeout: 120_000 }, () => {
  // `time` before a group is no syntax error anywhere but at the beginning of a substitution, where bash 5.2 does not read it.
  const made = fc.sample(disguised(HARMFUL), { seed, numRuns: 400 }).filter((line) => !/\$\(\s*time \{/.test(line));
  expect(made.length).toBeGreaterThan(350);
  expect(made.filter((line) => !isReadable(line))).toEqual([]);
});
