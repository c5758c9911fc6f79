/** The rows of the input around its cursor, and the way up and down through them; only what is near the cursor is looked at. */

import { lettersOf } from '../letters.js';
import { columnsOf } from '../markdown/cells.js';
import type { ScreenLine } from '../screen/port.js';
import type { Theme } from '../theme/theme.js';
import { isFold } from './folds.js';
import type { Rows } from './rows.js';

export interface Layout {
  readonly rows: readonly ScreenLine[];
  readonly cursor: { readonly row: number; readonly column: number };
}

export interface LayoutOptions {
  readonly text: string;
  readonly cursor: number;
  readonly columns: number;
  readonly prompt: string;
  /** Rows there are; the stretch around the cursor is shown. */
  readonly most: number;
  readonly rows: Rows;
  readonly theme: Theme;
  readonly unicode: boolean;
  /** What is shown for a folded paste. */
  foldShown(letter: string): string;
}

/** One row: a stretch of a line of the text. */
interface Row {
  readonly line: string;
  /** Index of the line in the text. */
  readonly base: number;
  readonly from: number;
  readonly to: number;
}

/** Narrower than this beside the prompt, only the end of the prompt is shown. */
const LEAST = 8;

/** Letters are never cut; a row that is full to its last column sends the cursor to the next. */
export function layout(options: LayoutOptions): Layout {
  const { text, cursor, columns, most, rows, theme, unicode } = options;
  const prompt = fittingPrompt(options.prompt, columns);
  const indent = columnsOf(prompt);
  rows.use(Math.max(1, columns - indent), options.foldShown);
  const at = rowOfCursor(text, cursor, rows);
  const room = Math.max(0, most - 1);
  const before = rowsBefore(text, at.row, room, rows);
  const after = rowsAfter(text, at.row, room, rows);
  const above = Math.min(before.length, Math.max(Math.floor(room / 2), room - after.length));
  const shown = [...before.slice(before.length - above), at.row, ...after.slice(0, room - above)];
  const first = shown[0] ?? at.row;
  const last = shown.at(-1) ?? at.row;
  const isStart = first.base + first.from === 0;
  const isEnd = last.base + last.to >= text.length;
  const lead = ' '.repeat(indent);
  const mark = (sign: string) => theme.dim(sign) + lead.slice(1);
  const leadOf = (index: number): string => {
    if (indent === 0) return '';
    if (index === 0) return isStart ? theme.accent(prompt) : mark(unicode ? '↑' : '^');
    return index === shown.length - 1 && !isEnd ? mark(unicode ? '↓' : 'v') : lead;
  };
  return {
    rows: shown.map((row, index) => leadOf(index) + painted(row, rows, theme)),
    cursor: { row: shown.indexOf(at.row), column: indent + at.column },
  };
}

/** The index one row up or down that is nearest to a column; undefined at the first and the last row. */
export function vertical(
  text: string,
  cursor: number,
  by: -1 | 1,
  rows: Rows,
  goal: number | undefined,
): { to?: number; column: number } {
  const at = rowOfCursor(text, cursor, rows);
  const column = goal ?? at.column;
  const [next] = by < 0 ? rowsBefore(text, at.row, 1, rows) : rowsAfter(text, at.row, 1, rows);
  return next ? { to: next.base + rows.indexAt(next.line, [next.from, next.to], column), column } : { column };
}

function fittingPrompt(prompt: string, columns: number): string {
  if (columns - columnsOf(prompt) >= LEAST) return prompt;
  const short = prompt.slice(-2);
  return columns - columnsOf(short) >= 4 ? short : '';
}

function lineAt(text: string, index: number): { readonly line: string; readonly base: number } {
  const base = index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
  const end = text.indexOf('\n', index);
  return { line: text.slice(base, end < 0 ? text.length : end), base };
}

function rowOfCursor(text: string, cursor: number, rows: Rows): { readonly row: Row; readonly column: number } {
  const { line, base } = lineAt(text, cursor);
  const { from, to = line.length } = rows.rowAt(line, cursor - base);
  const column = rows.columnOf(line, from, cursor - base);
  if (column < rows.width) return { row: { line, base, from, to }, column };
  return { row: { line, base, from: line.length, to: line.length }, column: 0 };
}

/** The rows above one, in order, at most so many. */
function rowsBefore(text: string, row: Row, most: number, rows: Rows): Row[] {
  const found: Row[] = [];
  const isBeyond = row.from === row.line.length && row.line !== '';
  let { line, base } = row;
  let below = isBeyond ? rows.count(line) : rows.rowAt(line, row.from).row;
  for (;;) {
    const first = Math.max(0, below - (most - found.length));
    const here = rows.rowsFrom(line, first, below - first).map(([from, to]) => ({ line, base, from, to }));
    found.unshift(...here);
    if (found.length >= most || base === 0) return found;
    ({ line, base } = lineAt(text, base - 1));
    below = rows.count(line);
  }
}

/** The rows below one, at most so many. */
function rowsAfter(text: string, row: Row, most: number, rows: Rows): Row[] {
  const found: Row[] = [];
  let { line, base } = row;
  const isBeyond = row.from === line.length;
  let first = isBeyond ? Number.POSITIVE_INFINITY : rows.rowAt(line, row.from).row + 1;
  for (;;) {
    if (Number.isFinite(first)) {
      for (const [from, to] of rows.rowsFrom(line, first, most - found.length)) found.push({ line, base, from, to });
    }
    const next = base + line.length + 1;
    if (found.length >= most || next > text.length) return found;
    ({ line, base } = lineAt(text, next));
    first = 0;
  }
}

function painted({ line, from, to }: Row, rows: Rows, theme: Theme): string {
  let out = '';
  for (const { letter } of lettersOf(line, from, to)) {
    const { text, stands } = rows.show(letter);
    out += !stands ? text : isFold(letter) ? theme.accent(text) : theme.dim(text);
  }
  return out;
}
