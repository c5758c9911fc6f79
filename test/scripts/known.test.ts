/** The list of known failures can only shrink. */
import { describe, expect, it } from 'vitest';
import { judge } from '../../scripts/lib/known.mjs';

const result = (id: string, bad: string[] = [], skip?: string) => ({ id, bad, skip });

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
