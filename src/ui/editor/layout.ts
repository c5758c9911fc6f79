/** The rows a text takes with its prompt, and where the cursor stands in them. */
import { clusterWidth, columnsOf } from '../markdown/cells.js';
import type { ScreenLine } from '../screen/port.js';

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
  /** How a letter is shown; the letter itself as a rule. */
  shown(letter: string): { readonly text: string; readonly styled: string };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Letters are never cut; a row that is full to its last column sends the cursor to the next. */
export function layout({ text, cursor, columns, prompt, most, shown }: LayoutOptions): Layout {
  const indent = columnsOf(prompt);
  const width = Math.max(1, columns - indent);
  const rows: string[] = [''];
  let at = { row: 0, column: 0 };
  let used = 0;
  const next = (): void => {
    rows.push('');
    used = 0;
  };
  const mark = (): void => {
    if (used >= width) next();
    at = { row: rows.length - 1, column: used };
  };
  for (const { segment, index } of segmenter.segment(text)) {
    if (index === cursor) mark();
    if (segment === '\n') {
      next();
      continue;
    }
    const { text: plain, styled } = shown(segment === '\t' ? '  ' : segment);
    const wide = plain === segment ? clusterWidth(segment) : columnsOf(plain);
    if (used > 0 && used + wide > width) next();
    rows[rows.length - 1] += styled;
    used += wide;
  }
  if (cursor >= text.length) mark();
  const from = Math.max(0, at.row - most + 1);
  const lead = ' '.repeat(indent);
  return {
    rows: rows.slice(from, from + most).map((row, number) => `${from + number === 0 ? prompt : lead}${row}`),
    cursor: { row: at.row - from, column: indent + at.column },
  };
}
