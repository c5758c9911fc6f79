/** Tables that fit the columns: as they are, with wrapped cells, or as records where there is no room for that. */
import { columnsOf } from './cells.js';
import { flowed } from './flow.js';
import { parseInline } from './inline.js';
import type { Span } from './spans.js';

export type Align = 'left' | 'right' | 'center';

export interface Table {
  readonly head: readonly string[];
  readonly aligns: readonly Align[];
  readonly rows: readonly (readonly string[])[];
}

/** Columns of each cell; absent: records. */
export type Layout = readonly number[] | undefined;

interface Look {
  readonly columns: number;
  readonly unicode: boolean;
  readonly ticks: boolean;
}

const GAP = 2;
const NARROWEST = 8;

/** The cells of a row. A pipe behind a backslash is text. */
export function cellsOf(line: string): string[] {
  const body = line.trim().replace(/^\|/, '');
  const cells: string[] = [];
  let cell = '';
  for (let at = 0; at < body.length; at++) {
    const letter = body[at] ?? '';
    if (letter === '\\' && body[at + 1] === '|') {
      cell += '|';
      at++;
    } else if (letter === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += letter;
  }
  if (cell.trim() !== '' || !/(?:^|[^\\])\|$/.test(body)) cells.push(cell.trim());
  return cells;
}

/** How the columns are aligned, when the line is the one below a table's head. */
export function alignsOf(line: string): Align[] | undefined {
  if (!/^[\s|:-]*-[\s|:-]*$/.test(line)) return undefined;
  const cells = cellsOf(line);
  if (cells.length === 0 || !cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map((cell) => (cell.endsWith(':') ? (cell.startsWith(':') ? 'center' : 'right') : 'left'));
}

const spansOf = (cell: string, look: Look): readonly Span[] => parseInline(cell.replace(/<br ?\/?>/gi, '\n'), look.ticks).spans;
const widthOf = (spans: readonly Span[]): number =>
  Math.max(
    0,
    ...spans
      .map((span) => span.text)
      .join('')
      .split('\n')
      .map(columnsOf),
  );

/** As many cells as the head has: missing ones are empty, what is too much stays in the last. */
function fitted(row: readonly string[], count: number): string[] {
  const cells = row.slice(0, count);
  while (cells.length < count) cells.push('');
  if (row.length > count) cells[count - 1] = row.slice(count - 1).join(' | ');
  return cells;
}

/** The width of each column, chosen from the rows known. */
export function layoutOf(table: Table, look: Look): Layout {
  const count = table.head.length;
  const room = look.columns - GAP * (count - 1);
  const rows = [table.head, ...table.rows].map((row) => fitted(row, count).map((cell) => widthOf(spansOf(cell, look))));
  const natural = table.head.map((_, column) => Math.max(1, ...rows.map((row) => row[column] ?? 0)));
  const total = natural.reduce((sum, width) => sum + width, 0);
  if (total <= room) return natural;
  let cap = Math.max(...natural);
  while (cap > 0 && natural.reduce((sum, width) => sum + Math.min(width, cap), 0) > room) cap--;
  if (cap < NARROWEST) return undefined;
  const widths = natural.map((width) => Math.min(width, cap));
  // What the even share leaves over goes to the widest, one column each.
  let left = room - widths.reduce((sum, width) => sum + width, 0);
  return widths.map((width, column) => ((natural[column] ?? 0) > width && left-- > 0 ? width + 1 : width));
}

/** The head and the line below it. */
export function headLines(table: Table, layout: Layout, look: Look): Span[][] {
  if (!layout) return [];
  const head = rowLines(table.head, table, layout, look).map((line) => line.map((span) => ({ ...span, strong: true })));
  return [...head, [...ruleLine(layout, look)]];
}

function ruleLine(layout: readonly number[], { unicode }: Look): Span[] {
  return [{ text: layout.map((width) => (unicode ? '─' : '-').repeat(width)).join(' '.repeat(GAP)), role: 'border' }];
}

/** The rows, cells wrapped to their width; `first`: nothing stands above them. */
export function bodyLines(table: Table, rows: Table['rows'], layout: Layout, look: Look, first: boolean): Span[][] {
  if (!layout) return rows.flatMap((row, index) => [...(first && index === 0 ? [] : [[]]), ...recordLines(row, table, look)]);
  const blocks = rows.map((row) => rowLines(row, table, layout, look));
  // Rows of several lines need something between them.
  const apart = blocks.some((lines) => lines.length > 1);
  return blocks.flatMap((lines, index) => (apart && !(first && index === 0) ? [[], ...lines] : lines));
}

function rowLines(row: readonly string[], table: Table, layout: readonly number[], look: Look): Span[][] {
  const cells = fitted(row, layout.length).map((cell, column) => flowed(spansOf(cell, look), layout[column] ?? 1));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => {
    const line: Span[] = [];
    for (const [column, lines] of cells.entries()) {
      const spans = lines[at] ?? [];
      const free = Math.max(0, (layout[column] ?? 0) - widthOf(spans));
      const align = table.aligns[column] ?? 'left';
      const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
      const last = column === layout.length - 1;
      line.push({ text: ' '.repeat(before) }, ...spans, { text: last ? '' : ' '.repeat(free - before + GAP) });
    }
    return line.filter((span) => span.text !== '');
  });
}

/** One row as `name: value` lines. */
function recordLines(row: readonly string[], table: Table, look: Look): Span[][] {
  return fitted(row, table.head.length).flatMap((cell, column) => {
    const name = spansOf(table.head[column] ?? '', look).map((span) => ({ ...span, strong: true }));
    const lines = flowed([...name, { text: ': ', role: 'dim' }, ...spansOf(cell, look)], look.columns - 2);
    return lines.map((line, index) => (index === 0 ? line : [{ text: '  ' }, ...line]));
  });
}
