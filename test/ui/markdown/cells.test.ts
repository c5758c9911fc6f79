import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { clipped, clusters, clusterWidth, columnsOf } from '../../../src/ui/markdown/cells.js';
import { cutLine, flowed } from '../../../src/ui/markdown/flow.js';

const letter = fc.oneof(
  fc.constantFrom(
    'a',
    ' ',
    'é',
    'e\u0301',
    'ж',
    '•',
    '│',
    '✓',
    '日',
    'か',
    '\u3099',
    'ｶ',
    '\uff9e',
    '한',
    '\u1100',
    '❤️',
    '👍🏽',
    '👩‍👩‍👧',
    '🇧🇷',
    '\u0e33',
  ),
  fc.integer({ min: 0x20, max: 0xffff }).map((code) => String.fromCharCode(code)),
);
const words = fc.array(letter, { maxLength: 60 }).map((letters) => letters.join(''));
const segmenter = new Intl.Segmenter();

describe('letters', () => {
  it('are parted where Unicode parts them', () => {
    fc.assert(
      fc.property(words, (text) => {
        expect(clusters(text)).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment));
      }),
      { numRuns: 2000 },
    );
  });

  it('never count less than others count them', () => {
    expect(['a', '日', '✅', '❤️', '👩‍👩‍👧', 'e\u0301', '•'].map(columnsOf)).toEqual([1, 2, 2, 2, 6, 1, 1]);
    fc.assert(
      fc.property(letter, (text) => {
        expect(columnsOf(text)).toBeGreaterThanOrEqual(stringWidth(text));
      }),
    );
  });

  it('are cut with a mark', () => {
    expect(clipped('abcdef', 4)).toBe('abc…');
    expect(clipped('abcd', 4)).toBe('abcd');
    expect(clipped('日本語', 5)).toBe('日本…');
    expect(clipped('日本語', 4)).toBe('日…');
    expect(clipped('ab', 0)).toBe('');
  });
});

describe('wrapping', () => {
  it('keeps every letter but the spaces at breaks, and stays within the columns', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 6, max: 40 }), (text, columns) => {
        const plain = text.replace(/[\n\u2028\u2029]/g, '');
        // A letter wider than the window cannot be shown.
        fc.pre(clusters(plain).every((cluster) => clusterWidth(cluster) <= columns));
        for (const lines of [flowed([{ text: plain }], columns), cutLine([{ text: plain }], columns)]) {
          const shown = lines.map((line) => line.map((span) => span.text).join(''));
          for (const line of shown) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
          expect(shown.join('').replace(/\s/g, '')).toBe(plain.replace(/\s/g, ''));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('breaks between words, and between ideographs but not before their punctuation', () => {
    const lines = (text: string, columns: number) =>
      flowed([{ text }], columns).map((line) => line.map((span) => span.text).join(''));
    expect(lines('one two  three', 8)).toEqual(['one two', 'three']);
    expect(lines('longerthanthat x', 6)).toEqual(['longer', 'thanth', 'at x']);
    expect(lines('中文也可以。好', 10)).toEqual(['中文也可', '以。好']);
    expect(lines('a\n\nb', 5)).toEqual(['a', '', 'b']);
  });
});
