/** Matches rule patterns: a literal prefix that ends at a word, with `*` for any text. Linear, no regular expressions. */

export type Boundary =
  /** After a word character no further one may follow (the original's rule). */
  | 'word'
  /** The next character is a blank or nothing: for allowing commands. */
  | 'blank';

/** Does the pattern match the text from its beginning? */
export function matchesPrefix(pattern: string, text: string, boundary: Boundary): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  if (!text.startsWith(first)) return false;
  if (pieces.length === 1) return endsWell(pattern, text, first.length, boundary);
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const last = pieces[pieces.length - 1] ?? '';
  if (last === '') return true;
  for (let found = text.indexOf(last, at); found >= 0; found = text.indexOf(last, found + 1)) {
    if (endsWell(last, text, found + last.length, boundary)) return true;
  }
  return false;
}

function endsWell(pattern: string, text: string, end: number, boundary: Boundary): boolean {
  if (end >= text.length || !isWordChar(pattern.charAt(pattern.length - 1))) return true;
  const next = text.charAt(end);
  return boundary === 'blank' ? next === ' ' || next === '\t' || next === '\n' : !isWordChar(next);
}

function isWordChar(char: string): boolean {
  return /^[\p{L}\p{N}_-]$/u.test(char);
}
