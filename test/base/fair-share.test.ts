import { describe, expect, it } from 'vitest';
import { cutMiddle, fairShare } from '../../src/base/fair-share.js';

describe('a shared room', () => {
  it('gives short texts all they want and the rest to the long ones, equally', () => {
    expect(fairShare([10, 500, 0, 900], 210)).toEqual([10, 100, 0, 100]);
    expect(fairShare([900, 10, 500], 10_000)).toEqual([900, 10, 500]);
    expect(fairShare([5, 5], 0)).toEqual([0, 0]);
    expect(fairShare([], 7)).toEqual([]);
  });

  it('cuts a text in its middle and says how much is gone, halving no character', () => {
    expect(cutMiddle('short', 5)).toBe('short');
    expect(cutMiddle('abcdefghij', 4)).toBe('ab\n… 6 characters left out …\nij');
    expect(cutMiddle(`a${'😀'.repeat(10)}`, 4)).toBe('a\n… 18 characters left out …\n😀');
  });
});
