/** Lines that break to fit a narrow terminal. */
import { describe, expect, it } from 'vitest';
import { fitted, wrap } from '../../src/ui/width.js';

describe('fitted', () => {
  const text = 'some words that would not fit into a line of forty columns';

  it('leaves a text as it is where the terminal says no width, or is too narrow for words', () => {
    for (const columns of [0, 4, 80, 200, undefined]) expect(fitted(text, columns)).toBe(text);
  });

  it('breaks between words', () => {
    expect(fitted(text, 40).replace(/ *\n/g, '|')).toBe('some words that would not fit into a|line of forty columns');
  });
});

describe('wrap', () => {
  it('begins no line with the space at which the line before is full', () => {
    expect(wrap('four five six', 9)).toEqual(['four five', 'six']);
    expect(wrap('four five ', 9)).toEqual(['four five']);
    expect(wrap('\x1b[1mfour five\x1b[22m six', 9)).toEqual(['\x1b[1mfour five\x1b[22m', 'six']);
  });

  it('keeps spaces that stand for something', () => {
    expect(wrap('  four', 9)).toEqual(['  four']);
    expect(wrap('four five   six', 9).join('')).toBe('four five   six');
  });
});
