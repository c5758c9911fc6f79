/** Which curly quotes can be a pair that somebody meant as the two ends of a string. */
import { quotesIn, STRAIGHT } from './inserted.js';
import type { Token } from './reading.js';

/** The low ones, which a quote that elsewhere opens may close. */
const LOW = /[\u201A\u201E]/;
const OPENING = /[\u2018\u201B\u201C\u201F]/;
const LETTER = /[\p{L}\p{N}]/u;

/** Between two letters, as in `it’s`. */
export function isApostrophe(text: string, at: number): boolean {
  return /[\u2019\u2032]/.test(text[at] ?? '') && LETTER.test(text[at - 1] ?? '') && LETTER.test(text[at + 1] ?? '');
}

/**
 * Whether a token of the text with `replaced` quotes was one between curly quotes in `text`: both ends were, they look at each
 * other, and no other such quote stands between them.
 */
export function isMeant(text: string, { open, close }: Token, replaced: ReadonlySet<number>): boolean {
  const ends = [...open, ...close];
  if (!ends.every((at) => replaced.has(at))) return false;
  const first = open.at(-1) ?? 0;
  const last = close[0];
  if (last === undefined) return true;
  if (OPENING.test(text[last] ?? '') && !LOW.test(text[first] ?? '')) return false;
  const kind = STRAIGHT.get(text[first] ?? '');
  return quotesIn(text, first + 1, last).every((at) => STRAIGHT.get(text[at] ?? '') !== kind || isApostrophe(text, at));
}
