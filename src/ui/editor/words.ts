/** Where words begin and end, for moves and kills. */

import { wholeLetters } from '../letters.js';
import { isFold } from './folds.js';

const OF_WORD = /[\p{L}\p{N}\p{M}_\u200c\u200d]/u;
/** Scripts that write words without blanks between them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LONGEST = 200;
let segmenter: Intl.Segmenter | undefined;

const before = (text: string, at: number): string => {
  const code = text.charCodeAt(at - 1);
  const paired = code >= 0xdc00 && code < 0xe000 && /[\ud800-\udbff]/.test(text[at - 2] ?? '');
  return text.slice(paired ? at - 2 : at - 1, at);
};
const after = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

/** The beginning of the word before a place; a folded paste is a word. */
export function wordBefore(text: string, from: number): number {
  let at = from;
  while (at > 0 && !OF_WORD.test(before(text, at)) && !isFold(before(text, at))) at -= before(text, at).length;
  if (at > 0 && isFold(before(text, at))) return at - 1;
  const end = at;
  while (at > 0 && OF_WORD.test(before(text, at)) && !(end - at > LONGEST && UNSPACED.test(before(text, at))))
    at -= before(text, at).length;
  const run = text.slice(Math.max(at, end - LONGEST), end);
  const place = UNSPACED.test(run) ? end - (parts(run).at(-1)?.length ?? 0) : at;
  return place === 0 ? 0 : Math.min(from, wholeLetters(text, place));
}

/** The end of the word behind a place. */
export function wordAfter(text: string, from: number): number {
  let at = from;
  while (at < text.length && !OF_WORD.test(after(text, at)) && !isFold(after(text, at))) at += after(text, at).length;
  if (isFold(text[at] ?? '')) return at + 1;
  const start = at;
  while (at < text.length && OF_WORD.test(after(text, at)) && !(at - start > LONGEST && UNSPACED.test(after(text, at))))
    at += after(text, at).length;
  const run = text.slice(start, Math.min(at, start + LONGEST));
  return wholeLetters(text, UNSPACED.test(run) ? start + (parts(run)[0]?.length ?? 0) : at);
}

/** The beginning of what stands between blanks before a place. */
export function blankBefore(text: string, from: number): number {
  let at = from;
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at--;
  while (at > 0 && !/\s/.test(text[at - 1] ?? '')) at--;
  return at === 0 ? 0 : Math.min(from, wholeLetters(text, at));
}

function parts(run: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(run), ({ segment }) => segment);
}
