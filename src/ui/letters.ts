/** What people see as one letter (a grapheme), found near a place without reading the whole text. */

let segmenter: Intl.Segmenter | undefined;
/** Segmenting costs the square of the length: only short pieces are handed over. */
const PIECE = 128;
/** What would be one longer letter (thousands of marks on one base) is cut here. */
const LONGEST = 4096;
const WINDOWS = [64, 512, LONGEST];
const PLAIN = /^[\x20-\x7e\n]*$/;
/** Before these a letter begins, whatever stands before, but for what joins the next one. */
const BEGINS = /^[\x20-\x7e\n\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\p{Extended_Pictographic}]/u;
const JOINS_NEXT = /[\p{Cf}\u0d4e\u{111c2}\u{111c3}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]$/u;

const isLow = (code: number): boolean => code >= 0xdc00 && code < 0xe000;
const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const splitsPair = (text: string, at: number): boolean => isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));

function isSure(text: string, at: number): boolean {
  if (at <= 0 || text[at - 1] === '\n') return true;
  if (splitsPair(text, at)) return false;
  return BEGINS.test(text.slice(at, at + 2)) && !JOINS_NEXT.test(text.slice(Math.max(0, at - 2), at));
}

/** The nearest place at or before `at` where a letter surely begins, or the best guess within some thousand characters. */
function sureBefore(text: string, at: number): number {
  for (const window of WINDOWS) {
    for (let place = at; place >= Math.max(0, at - window); place--) if (isSure(text, place)) return place;
  }
  const guess = at - LONGEST;
  return splitsPair(text, guess) ? guess + 1 : guess;
}

/** The letters of a stretch, in order, with where each begins. `from` must be the beginning of one. Linear. */
export function* lettersOf(
  text: string,
  from = 0,
  to = text.length,
): Generator<{ readonly letter: string; readonly at: number }> {
  let at = from;
  let size = PIECE;
  while (at < to) {
    const cut = Math.min(to, at + size);
    const end = splitsPair(text, cut) ? cut + 1 : cut;
    const piece = text.slice(at, end);
    if (PLAIN.test(piece) && (end === to || PLAIN.test(text[end] ?? ''))) {
      for (const letter of piece) yield { letter, at: at++ };
      continue;
    }
    let held: { readonly letter: string; readonly at: number } | undefined;
    const start = at;
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    for (const { segment, index } of segmenter.segment(piece)) {
      if (held) yield held;
      held = { letter: segment, at: start + index };
    }
    if (!held) return;
    // The last letter may go on in the next piece.
    const isWhole = end === to || held.letter.length >= LONGEST;
    if (isWhole) yield held;
    at = isWhole ? held.at + held.letter.length : held.at;
    size = held.at === start && !isWhole ? size * 2 : PIECE;
  }
}

/** Where the letter before `at` begins; 0 at the beginning. */
export function letterBefore(text: string, at: number): number {
  if (at <= 1) return 0;
  let last = at - 1;
  for (const letter of lettersOf(text, sureBefore(text, at - 1), at)) last = letter.at;
  return last;
}

/** Where the letter at `at` ends. */
export function letterAfter(text: string, at: number): number {
  for (const { letter } of lettersOf(text, at)) return at + letter.length;
  return text.length;
}

/** `at`, or the end of the letter it stands in. */
export function wholeLetters(text: string, at: number): number {
  const place = Math.max(0, Math.min(text.length, at));
  if (place === text.length || isSure(text, place)) return place;
  for (const { letter, at: start } of lettersOf(text, sureBefore(text, place))) {
    if (start === place) return place;
    if (start + letter.length >= place) return start + letter.length;
  }
  return text.length;
}
