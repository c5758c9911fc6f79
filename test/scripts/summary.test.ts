/** The sum at the end of a whole run: nothing that failed, or was not run, is lost in it. */
import { describe, expect, it } from 'vitest';
import { casesCounts, phaseCounts, total, vitestCounts } from '../../scripts/lib/summary.mjs';

const vitest = (about: object) =>
  JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [], ...about });

describe('vitestCounts', () => {
  it('counts tests, and a file that could not be loaded as one failure', () => {
    const report = vitest({
      numPassedTests: 5,
      numFailedTests: 1,
      numPendingTests: 2,
      testResults: [
        { status: 'failed', assertionResults: [{ status: 'failed' }] },
        { status: 'failed', assertionResults: [] },
      ],
    });
    expect(vitestCounts('x', report)).toEqual({ name: 'x', passed: 5, failed: 2, note: '2 skipped' });
  });
  it('takes a missing, damaged or empty report for a failure', () => {
    for (const text of [undefined, '', '{', '{}', vitest({})])
      expect(vitestCounts('x', text)).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe('casesCounts', () => {
  it('counts faults as failures and names known ones', () => {
    expect(casesCounts('c', JSON.stringify({ passed: 7, faults: 2, expected: 3, skipped: 1 }))).toMatchObject({
      passed: 7,
      failed: 2,
    });
    expect(casesCounts('c', undefined)).toMatchObject({ failed: 1 });
  });
});

describe('phaseCounts', () => {
  const fine = [{ name: 'x', passed: 3, failed: 0 }];
  it('counts phases without a report of their own', () => {
    expect(total(phaseCounts('check\t0\ntest\t0\ndemo\t1\npackage\t0\n', fine))).toEqual({ passed: 2, failed: 1 });
  });
  it('counts a test phase that ended badly without any failed test', () => {
    expect(total(phaseCounts('test\t124\n', fine))).toEqual({ passed: 0, failed: 1 });
    expect(phaseCounts('test\t1\n', [{ name: 'x', passed: 3, failed: 1 }])).toEqual([]);
  });
  it('objects when no phase was run', () => expect(total(phaseCounts('', fine)).failed).toBe(1));
});
