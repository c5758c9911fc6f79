/** The list of known failures can only shrink. */
import { describe, expect, it } from 'vitest';
import { judge, summary } from '../../scripts/lib/known.mjs';

const result = (id: string, bad: string[] = [], skip?: string) => ({ id, kind: 'read', bad, skip });

describe('judge', () => {
  it('is content when exactly the listed cases fail', () => {
    expect(judge([result('a'), result('b', ['x']), result('c', [], 'needs go')], ['b'])).toMatchObject({
      passed: 1,
      expected: 1,
      skipped: 1,
      faults: 0,
    });
  });
  it('objects to an unlisted failure and to a listed pass', () => {
    expect(judge([result('a', ['x']), result('b')], ['b'])).toMatchObject({
      unexpected: ['a'],
      mended: ['b'],
      passed: 0,
      faults: 2,
    });
  });
  it('does not judge a listed case that was skipped', () => {
    expect(judge([result('a', [], 'needs go')], ['a'])).toMatchObject({ mended: [], faults: 0 });
  });
  it('objects to a listed case that does not exist, when all cases ran', () => {
    expect(judge([result('a')], ['gone'], { whole: true })).toMatchObject({ unknown: ['gone'], faults: 1 });
    expect(judge([result('a')], ['gone'])).toMatchObject({ faults: 0 });
  });
});

describe('summary', () => {
  it('of a run as it should be says OK, and known failures only as a number', () => {
    const results = [result('a'), result('b', ['x is wrong']), result('c', [], 'needs go')];
    expect(summary(results, judge(results, ['b']))).toEqual([
      '1 skipped: c (needs go)',
      '1 known failure of this version (listed in test/cases/known-failures.json)',
      'Tool cases: OK. 1 case passed, none failed unexpectedly.',
    ]);
  });
  it('shows every reason of an unexpected failure, and what has to leave the list', () => {
    const results = [result('a', ['x is wrong', 'y too']), result('b')];
    expect(summary(results, judge(results, ['b', 'gone'], { whole: true }))).toEqual([
      'FAILED: a [read]',
      '    x is wrong',
      '    y too',
      'PASSES, take it out of known-failures.json: b',
      'known-failures.json names a case that does not exist: gone',
      'Tool cases: FAILED. 0 cases passed, 3 problems above.',
    ]);
  });
});
