/** The text being typed: a cursor that moves by what people see as one letter, killed text, and undo. */

/** A folded paste is one private letter in the text; typed text never holds one. */
const FIRST_FOLD = 0xf0000;
const LAST_FOLD = 0xffffd;
const FOLDS = /[\u{F0000}-\u{FFFFD}]/gu;
const MOST_UNDO = 200;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

export interface Buffer {
  readonly text: string;
  /** Index in `text`, never inside a letter. */
  readonly cursor: number;
  /** The text with folded pastes in full. */
  whole(): string;
  /** Lines and letters of a folded paste; undefined: this letter is none. */
  foldOf(letter: string): { readonly number: number; readonly lines: number } | undefined;
  /** `typing`: joins the step before in undo when that was typing too. */
  insert(text: string, options?: { readonly typing?: boolean }): void;
  /** Inserts a long text as one letter. */
  insertFolded(text: string): void;
  /** Replaces a stretch; the cursor stands behind it. */
  replace(from: number, to: number, text: string): void;
  set(text: string): void;
  move(to: number): void;
  /** Deletes from the cursor to an index, either way; `kill`: it can be put back with `yank`. */
  delete(to: number, options?: { readonly kill?: boolean }): void;
  yank(): void;
  undo(): boolean;
  left(): number;
  right(): number;
  wordLeft(): number;
  wordRight(): number;
  lineStart(): number;
  lineEnd(): number;
  /** The index a line above or below at the same place, or undefined at the first or last line. */
  vertical(by: -1 | 1): number | undefined;
}

/** Private letters and control characters but newline and tab taken out. */
export function typable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(FOLDS, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

export function createBuffer(): Buffer {
  let text = '';
  let cursor = 0;
  let killed = '';
  let folds: string[] = [];
  let undo: Snapshot[] = [];
  let typing = false;

  const keep = (isTyping = false): void => {
    if (!(isTyping && typing)) undo = [...undo.slice(-MOST_UNDO + 1), { text, cursor }];
    typing = isTyping;
  };
  const put = (from: number, to: number, piece: string): void => {
    text = text.slice(0, from) + piece + text.slice(to);
    cursor = from + piece.length;
  };
  const lineStart = (at = cursor): number => text.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = (at = cursor): number => {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  };
  const left = (): number => {
    const start = lineStart();
    if (cursor === start) return Math.max(0, cursor - 1);
    let last = start;
    for (const { index } of segmenter.segment(text.slice(start, cursor))) last = start + index;
    return last;
  };
  const right = (): number => {
    if (cursor >= text.length || text[cursor] === '\n') return Math.min(text.length, cursor + 1);
    const [first] = segmenter.segment(text.slice(cursor, Math.min(lineEnd(), cursor + 200)));
    return cursor + (first?.segment.length ?? 1);
  };
  return {
    get text() {
      return text;
    },
    get cursor() {
      return cursor;
    },
    whole: () => text.replace(FOLDS, (letter) => folds[(letter.codePointAt(0) ?? 0) - FIRST_FOLD] ?? ''),
    foldOf(letter) {
      const number = (letter.codePointAt(0) ?? 0) - FIRST_FOLD;
      const fold = number < 0 ? undefined : folds[number];
      return fold === undefined ? undefined : { number: number + 1, lines: fold.split('\n').length };
    },
    insert(piece, { typing: isTyping = false } = {}) {
      const clean = typable(piece);
      if (clean === '') return;
      keep(isTyping && !/\s/.test(clean));
      put(cursor, cursor, clean);
    },
    insertFolded(piece) {
      const clean = typable(piece);
      if (FIRST_FOLD + folds.length > LAST_FOLD) return;
      keep();
      folds = [...folds, clean];
      put(cursor, cursor, String.fromCodePoint(FIRST_FOLD + folds.length - 1));
    },
    replace(from, to, piece) {
      keep();
      put(from, to, typable(piece));
    },
    set(next) {
      if (next === text) return;
      keep();
      put(0, text.length, typable(next));
    },
    move(to) {
      typing = false;
      cursor = Math.max(0, Math.min(text.length, to));
    },
    delete(to, { kill = false } = {}) {
      const [from, until] = to < cursor ? [to, cursor] : [cursor, to];
      if (from === until) return;
      keep();
      if (kill) killed = text.slice(from, until);
      put(from, until, '');
    },
    yank() {
      if (killed === '') return;
      keep();
      put(cursor, cursor, killed);
    },
    undo() {
      const last = undo.pop();
      if (!last) return false;
      ({ text, cursor } = last);
      typing = false;
      return true;
    },
    left,
    right,
    wordLeft: () => text.slice(0, cursor).search(/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u),
    wordRight: () => cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(cursor))?.[0].length ?? 0),
    lineStart,
    lineEnd,
    vertical(by) {
      const start = lineStart();
      const column = [...segmenter.segment(text.slice(start, cursor))].length;
      if (by < 0 ? start === 0 : lineEnd() === text.length) return undefined;
      const other = by < 0 ? lineStart(start - 1) : lineEnd() + 1;
      const letters = [...segmenter.segment(text.slice(other, lineEnd(other)))];
      return other + letters.slice(0, column).reduce((sum, { segment }) => sum + segment.length, 0);
    },
  };
}
