/** The live region under the scrollback: what of it stands on the screen, and the bytes that turn it into what shall stand there. */
import { type CellLine, clip, commonStart, EMPTY_LINE, mayOverflow, rowsOf, toCells } from './line-cells.js';
import type { LiveView } from './port.js';

/** What a terminal does with long lines when it gets narrower. `xtermjs` moves the cursor also for what is broken below it. */
export type Reflow = 'none' | 'usual' | 'xtermjs';

/** A view cut to the size of the terminal. */
export interface FittedView {
  readonly lines: readonly CellLine[];
  readonly cursor?: { readonly row: number; readonly column: number };
}

export interface FrameText {
  readonly text: string;
  /** False: the byte budget was too small for all lines; the next frame goes on. */
  readonly whole: boolean;
}

interface Drawn {
  readonly lines: readonly CellLine[];
  /** Where the cursor stands. */
  readonly row: number;
  readonly column: number;
  readonly columns: number;
}

interface Drawing {
  readonly lines: readonly CellLine[];
  readonly whole: boolean;
}

const LONGEST_LINE = 2048;

/** Cuts a view to at most `rows - 1` lines with the cursor in them; what is cut shows as `mark`. Lines are cut to `columns`. */
export function fitView(view: LiveView, size: { readonly columns: number; readonly rows: number }, mark: string): FittedView {
  const most = Math.max(1, size.rows - 1);
  const total = view.lines.length;
  const { cursor } = view;
  let from = Math.max(0, total - most);
  if (from > 0 && cursor && most > 1) from = Math.min(from, Math.max(0, cursor.row - 1));
  const lines = view.lines.slice(from, from + most).map((line) => fitLine(line, size.columns));
  if (total > most && most > 1) {
    const cut = fitLine(mark, size.columns);
    if (from > 0) lines[0] = cut;
    if (from + most < total) lines[lines.length - 1] = cut;
  }
  if (!cursor || lines.length === 0) return { lines };
  const row = Math.min(lines.length - 1, Math.max(0, Math.trunc(cursor.row) - from));
  return { lines, cursor: { row, column: Math.min(size.columns - 1, Math.max(0, Math.trunc(cursor.column))) } };
}

function fitLine(line: string, columns: number): CellLine {
  // Blanks at the end are nothing to see, and would be broken to rows of their own in a narrower window.
  const cells = clip(toCells(line.endsWith(' ') ? line.trimEnd() : line), columns);
  if (cells.text.length <= LONGEST_LINE) return cells;
  const plain = clip(toCells(cells.text.replace(/\x1b\[[\d;:]*m/g, '').slice(0, LONGEST_LINE)), columns);
  return plain;
}

/** Knows what stands on the screen; every method gives the bytes to write and takes them as written. */
export class LiveRegion {
  private drawn: Drawn = { lines: [], row: 0, column: 0, columns: 80 };
  private cursorShown = true;
  private blank = false;

  /** `atOnce`: what one write changes shows as one change, so that nothing flickers when it is erased first. */
  constructor(private readonly atOnce: boolean) {}

  /** Is this what stands there already? */
  shows(view: FittedView): boolean {
    const { lines, row, column } = this.drawn;
    if (view.lines.length !== lines.length || this.cursorShown !== (view.cursor !== undefined)) return false;
    if (view.cursor && (view.cursor.row !== row || view.cursor.column !== column)) return false;
    return view.lines.every((line, i) => line.text === lines[i]?.text);
  }

  /** `printed` above, `view` below it. At least one line of the view is written, then at most `budget` bytes. */
  frame(printed: readonly CellLine[], view: FittedView, columns: number, budget: number): FrameText {
    const pen = new Pen(this.drawn.row);
    // The first line of all begins at the left, whatever was echoed there.
    if (!this.blank) pen.add('\r\x1b[J');
    this.blank = true;
    const { lines, whole } =
      printed.length > 0 ? this.rewrite(pen, printed, view.lines, columns, budget) : this.lines(pen, view.lines, columns, budget);
    this.place(pen, view, lines.length);
    this.drawn = {
      lines,
      row: pen.row,
      column: view.cursor?.column ?? 0,
      columns,
    };
    return { text: pen.text, whole };
  }

  /** Takes the region off the screen; the cursor is where the next printed line begins. */
  erase(): string {
    const text = this.drawn.lines.length > 0 ? `${up(this.drawn.row)}\r\x1b[J` : '';
    return text + this.forget() + this.showCursor(true);
  }

  /** Something else was on the screen: the region begins where the cursor is now. */
  forget(): string {
    this.drawn = { ...this.drawn, lines: [], row: 0, column: 0 };
    return '';
  }

  /**
   * After the terminal became `columns` wide: erases what it made of the region. `late`: the last frame may have been drawn after
   * the change, so what is in doubt counts low, since a rest of the region above is better than a printed line lost.
   */
  resized(columns: number, how: { readonly reflow: Reflow; readonly late: boolean; readonly shorter: boolean }): string {
    const { lines, row, column } = this.drawn;
    if (lines.length === 0) return '';
    const narrower = columns < this.drawn.columns && how.reflow !== 'none';
    const rows = (line: CellLine): number =>
      !narrower || (how.late && mayOverflow(line, this.drawn.columns)) ? 1 : rowsOf(line, columns);
    // Lines under the cursor fall off a shorter screen before they are broken.
    const all = how.reflow === 'xtermjs' && !how.shorter ? lines : lines.slice(0, row);
    // Several sizes at once, met by frames for each, move the cursor of xterm.js as nobody can tell: not above what is certain.
    const counted = how.reflow === 'xtermjs' && how.late ? [] : all;
    let back = row;
    // From below, as xterm.js goes: the line it finds the cursor in, which it moves by what it broke below, it leaves whole.
    for (let i = counted.length - 1; i >= 0; i--) if (i !== back) back += rows(counted[i] ?? EMPTY_LINE) - 1;
    if (narrower && how.reflow === 'usual' && !how.late)
      back += Math.min(Math.floor(column / columns), rows(lines[row] ?? EMPTY_LINE) - 1);
    this.forget();
    this.drawn = { ...this.drawn, columns };
    return `${up(back)}\r\x1b[J`;
  }

  /** Shows or hides the cursor where that is not so yet. */
  showCursor(shown: boolean): string {
    if (this.cursorShown === shown) return '';
    this.cursorShown = shown;
    return shown ? '\x1b[?25h' : '\x1b[?25l';
  }

  /**
   * Writes lines over the region and the region anew below them. Nothing that stands there is counted on: the terminal may have got
   * another width just now, and then it stands elsewhere.
   */
  private rewrite(pen: Pen, printed: readonly CellLine[], lines: readonly CellLine[], columns: number, budget: number): Drawing {
    pen.to(0);
    pen.add('\r');
    let stale = this.drawn.lines.length;
    if (stale > 0 && (this.atOnce || lines.length === 0 || printed.some((line) => mayOverflow(line, columns - 1)))) {
      pen.add('\x1b[J');
      stale = 0;
    }
    for (const line of printed) {
      const over = stale-- > 0;
      pen.add(`${over ? '\x1b[K' : ''}${line.text}${over ? '\x1b[K' : ''}\r\n`);
    }
    const end = pen.bytes + budget;
    const done: CellLine[] = [];
    for (const [i, line] of lines.entries()) {
      const fits = i === 0 || pen.bytes + Buffer.byteLength(line.text) <= end;
      if (i > 0) pen.add('\r\n');
      stale--;
      if (!this.atOnce && i === lines.length - 1) pen.add('\x1b[J');
      else if (stale >= 0) pen.add('\x1b[K');
      if (fits) pen.add(unwrapped(line, columns, line.text));
      done.push(fits ? line : EMPTY_LINE);
    }
    pen.row = Math.max(0, lines.length - 1);
    return { lines: done, whole: done.every((line, i) => line.text === lines[i]?.text) };
  }

  /** Writes what differs from what stands there. */
  private lines(pen: Pen, lines: readonly CellLine[], columns: number, budget: number): Drawing {
    const old = this.drawn.lines;
    const end = pen.bytes + budget;
    const done: CellLine[] = [];
    let whole = true;
    let written = 0;
    for (const [i, line] of lines.entries()) {
      const before = old[i];
      if (before?.text === line.text) {
        done.push(line);
        continue;
      }
      const late = written > 0 && pen.bytes + line.text.length > end;
      if (late) whole = false;
      if (before === undefined) {
        if (i > 0) {
          pen.to(i - 1);
          pen.add('\r\n');
          pen.row = i;
        }
        if (!late) pen.add(unwrapped(line, columns, line.text));
      } else if (!late) {
        pen.to(i);
        pen.add(unwrapped(line, columns, change(before, line, columns)));
      }
      if (!late) written++;
      done.push(late ? (before ?? EMPTY_LINE) : line);
    }
    if (lines.length < old.length) {
      pen.to(lines.length);
      pen.add('\r\x1b[J');
    }
    return { lines: done, whole };
  }

  /** The cursor to its place; a hidden one to the top left, where no resize can move it away from the text. */
  private place(pen: Pen, view: FittedView, height: number): void {
    const { cursor } = view;
    pen.to(Math.min(cursor?.row ?? 0, Math.max(0, height - 1)));
    pen.add(cursor && cursor.column > 0 ? `\x1b[${cursor.column + 1}G` : '\r');
    pen.add(this.showCursor(cursor !== undefined));
  }
}

const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : '');

/** What turns one line on the screen into another; the cursor is in its row. */
function change(before: CellLine, after: CellLine, columns: number): string {
  const cut = commonStart(before, after);
  const rest = after.text.slice(cut.at);
  const move = cut.column > 0 ? `\x1b[${cut.column + 1}G` : '\r';
  if (!before.sure || !after.sure) return `${move}\x1b[K${cut.colors}${rest}`;
  const clear = after.width < before.width && after.width < columns ? '\x1b[K' : '';
  return `${move}${cut.colors}${rest}${clear}`;
}

/** A line that some terminal may find too long is cut at the margin, not continued on the next row. */
function unwrapped(line: CellLine, columns: number, text: string): string {
  return mayOverflow(line, columns) ? `\x1b[?7l${text}\x1b[?7h` : text;
}

/** Collects bytes and knows the row of the region the cursor is in. */
class Pen {
  text = '';
  bytes = 0;
  constructor(public row: number) {}

  add(text: string): void {
    this.text += text;
    this.bytes += Buffer.byteLength(text);
  }

  to(row: number): void {
    if (row < this.row) this.add(up(this.row - row));
    if (row > this.row) this.add(`\x1b[${row - this.row}B`);
    this.row = row;
  }
}
