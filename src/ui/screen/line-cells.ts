/** What a line of the screen is made of: harmless text with colours, how many columns it takes, where it may be cut. */
import stringWidth from 'string-width';
import { lettersOf } from '../letters.js';
import type { ScreenLine } from './port.js';

const RESET = '\x1b[0m';
const SGR = /\x1b\[[\d;:]*m/g;
const PIECES = /\x1b\[[\d;:]*m|[^\x1b]+/g;
const CONTROL = /[\x00-\x1f\x7f-\x9f]|\p{Surrogate}/u;
const FOREIGN =
  /\x1b\[[\d;:]*m|\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[P\]X^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-Z\\`-~]?|[\x00-\x1f\x7f-\x9f]|\p{Surrogate}/gu;
const ASCII = /^[\x20-\x7e]*$/;
/** Letters every terminal gives the same room: Latin, Greek, Cyrillic, punctuation, box lines, braille, kana, Han, Hangul. */
const SURE =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u2193\u2500-\u25a9\u25b2-\u25b5\u25cb-\u25cf\u2713\u2717\u2800-\u28ff\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;
const TWO_WIDE = /[\u3001-\uffff]/;

/** A line ready to be written: no control but colours, colours ended at its end. */
export interface CellLine {
  readonly text: string;
  readonly width: number;
  /** Its width is beyond doubt, in every terminal. */
  readonly sure: boolean;
}

export const EMPTY_LINE: CellLine = { text: '', width: 0, sure: true };

/** The text without its colours. */
export function withoutColors(line: ScreenLine): string {
  return line.includes('\x1b') ? line.replace(SGR, '') : line;
}

/** Columns of a text without control codes; colours count for nothing. */
export function columnsOf(line: ScreenLine): number {
  const plain = withoutColors(line);
  return ASCII.test(plain) ? plain.length : stringWidth(plain);
}

/** Takes out every control code but colours; white space controls become spaces; colours end with the line. */
export function toCells(line: ScreenLine): CellLine {
  const clean = CONTROL.test(line) ? line.replace(FOREIGN, keepHarmless) : line;
  const text = clean.includes('\x1b') && !/\x1b\[0?m$/.test(clean) ? clean + RESET : clean;
  const plain = withoutColors(text);
  return { text, width: ASCII.test(plain) ? plain.length : stringWidth(plain), sure: SURE.test(plain) };
}

function keepHarmless(found: string): string {
  if (found.startsWith('\x1b[') && /^\x1b\[[\d;:]*m$/.test(found)) return found;
  if (found === '\t' || found === '\n' || found === '\r') return ' ';
  return found >= '\ud800' && found <= '\udfff' ? '\ufffd' : '';
}

/** At most `columns` wide; a wide letter that does not fit whole is left out. */
export function clip(line: CellLine, columns: number): CellLine {
  if (line.width <= columns) return line;
  let out = '';
  let width = 0;
  let full = false;
  for (const piece of line.text.match(PIECES) ?? []) {
    if (piece.startsWith('\x1b')) out += piece;
    else if (!full) {
      for (const letter of ASCII.test(piece) ? piece : graphemes(piece)) {
        const wide = ASCII.test(letter) ? 1 : stringWidth(letter);
        full = width + wide > columns;
        if (full) break;
        out += letter;
        width += wide;
      }
    }
  }
  return { text: out, width, sure: line.sure };
}

function* graphemes(text: string): Generator<string> {
  for (const { letter } of lettersOf(text)) yield letter;
}

/** Rows the line takes in a terminal of `columns` that breaks it anywhere; a wide letter never stands half on a row. */
export function rowsOf(line: CellLine, columns: number): number {
  if (line.width <= columns) return 1;
  const plain = withoutColors(line.text);
  if (line.width === plain.length && !TWO_WIDE.test(plain)) return Math.ceil(line.width / columns);
  let rows = 1;
  let used = 0;
  for (const letter of graphemes(plain)) {
    const wide = stringWidth(letter);
    if (used + wide > columns) {
      rows++;
      used = 0;
    }
    used += wide;
  }
  return rows;
}

/** Could some terminal need more than `columns` for it? */
export function mayOverflow(line: CellLine, columns: number): boolean {
  if (line.sure) return line.width > columns;
  let most = 0;
  for (const letter of withoutColors(line.text)) most += ASCII.test(letter) ? 1 : 2;
  return most > columns;
}

/** A place up to which two lines are the same, counted in letters and columns, with the colours that hold there. */
export interface Cut {
  readonly at: number;
  readonly column: number;
  readonly colors: string;
}

const START: Cut = { at: 0, column: 0, colors: '' };

/** The last place up to which both are the same and the column is beyond doubt: never inside a code or a letter made of several. */
export function commonStart(before: CellLine, after: CellLine): Cut {
  const a = before.text;
  const b = after.text;
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  at = beforeCode(b, at);
  while (at > 0 && !(isBreak(a.charCodeAt(at)) && isBreak(b.charCodeAt(at)))) at--;
  at = beforeCode(b, at);
  const start = b.slice(0, at);
  const plain = withoutColors(start);
  if (at === 0 || !SURE.test(plain)) return START;
  return { at, column: columnsOf(plain), colors: colorsAt(start) };
}

/** Back to before a code that `at` stands in. */
function beforeCode(text: string, at: number): number {
  const code = text.lastIndexOf('\x1b', at - 1);
  return at > 0 && code >= 0 && !/^\x1b\[[\d;:]*m/.test(text.slice(code, at)) ? code : at;
}

/** Can a letter stand here that joins nothing before it? True too for the end of the line. */
function isBreak(code: number): boolean {
  return (
    Number.isNaN(code) || code === 0x1b || (code >= 0x20 && code < 0x7f) || (code >= 0x2500 && code <= 0x257f) || isHan(code)
  );
}

const isHan = (code: number): boolean => code >= 0x3400 && code <= 0x9fff && !(code >= 0x4dc0 && code <= 0x4dff);

/** The colours in force at the end of a text: all since the last reset. */
function colorsAt(text: string): string {
  let colors = '';
  for (const [code] of text.matchAll(SGR)) colors = code === RESET || code === '\x1b[m' ? '' : colors + code;
  return colors;
}
