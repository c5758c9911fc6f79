/** Lines that break to fit a narrow terminal. */
import { describe, expect, it } from 'vitest';
import { fitted } from '../../src/ui/width.js';

describe('fitted', () => {
  const text = 'some words that would not fit into a line of forty columns';

  it('leaves a text as it is where the terminal says no width, or is too narrow for words', () => {
    for (const columns of [0, 4, 80, 200, undefined]) expect(fitted(text, columns)).toBe(text);
  });

  it('breaks between words', () => {
    expect(fitted(text, 40).replace(/ *\n/g, '|')).toBe('some words that would not fit into a|line of forty columns');
  });
});
