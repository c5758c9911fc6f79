import { describe, expect, it } from 'vitest';
import { editDistance, nearestNames } from '../../src/base/nearest.js';

describe('nearestNames', () => {
  const known = ['read', 'write', 'patch', 'git-status', 'max-bytes', 'search'];
  it('finds slips of the keyboard', () => {
    expect(nearestNames('raed', known)[0]).toBe('read');
    expect(nearestNames('git_status', known)[0]).toBe('git-status');
    expect(nearestNames('maxBytes', known)[0]).toBe('max-bytes');
    expect(nearestNames('serach', known)[0]).toBe('search');
  });
  it('offers nothing far away', () => {
    expect(nearestNames('kubernetes', known)).toEqual([]);
    expect(nearestNames('', known)).toEqual([]);
    expect(nearestNames('x'.repeat(10_000), known)).toEqual([]);
  });
  it('counts edits', () => {
    expect(editDistance('abc', 'abc')).toBe(0);
    expect(editDistance('abcd', 'acbd')).toBe(1);
    expect(editDistance('', 'abc')).toBe(3);
    expect(editDistance('kitten', 'sitting')).toBe(3);
  });
});
