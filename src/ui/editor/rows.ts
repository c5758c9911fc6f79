/** Where the lines of a text break into rows; what was worked out for a line is kept while the line grows or changes. */

import { lettersOf } from '../letters.js';
import { isFold } from './folds.js';
import { type Shown, showLetter } from './show-letter.js';

/** A folded paste as it is shown. */
export type FoldShown = (letter: string) => string;

interface Broken {
  readonly line: string;
  /** Every character takes one column. */
  readonly plain: boolean;
  /** Where rows begin, ascending. */
  readonly starts: number[];
  /** All rows are known. */
  whole: boolean;
}

const PLAIN = /^[\x20-\x7e]*$/;
const KEPT = 64;
/** Letters are seldom longer; what is nearer to a change than this is worked out anew. */
const NEAR = 64;

export class Rows {
  #width = 80;
  #known: Broken[] = [];
  #foldShown: FoldShown = () => '';

  /** The width of a row in columns, and how folds are shown; forgets what was known when the width changed. */
  use(width: number, foldShown: FoldShown): void {
    this.#foldShown = foldShown;
    if (width === this.#width) return;
    this.#width = width;
    this.#known = [];
  }

  /** Letters of folds mean something else from now on. */
  forget(): void {
    this.#known = [];
  }

  get width(): number {
    return this.#width;
  }

  /** Row of an index in a line, counted from 0, and where that row begins and ends (undefined: with the line). */
  rowAt(line: string, index: number): { readonly row: number; readonly from: number; readonly to?: number } {
    const starts = this.#startsOf(line, (known) => (known.at(-1) ?? 0) > index);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    const to = starts[low + 1];
    return { row: low, from: starts[low] ?? 0, ...(to === undefined ? {} : { to }) };
  }

  /** The rows of a line beginning with one, at most so many: pairs of where each begins and ends. */
  rowsFrom(line: string, first: number, most: number): (readonly [number, number])[] {
    const known = this.#startsOf(line, (starts) => starts.length > first + most);
    return known.slice(first, first + most).map((from, index) => [from, known[first + index + 1] ?? line.length] as const);
  }

  /** How many rows a line has. */
  count(line: string): number {
    return this.#startsOf(line, () => false).length;
  }

  show(letter: string): Shown {
    if (!isFold(letter)) return this.#fit(showLetter(letter));
    const text = this.#foldShown(letter);
    return this.#fit({ text, columns: text === '' ? 0 : showWidth(text), stands: true });
  }

  /** Columns from the beginning of a row to an index. */
  columnOf(line: string, from: number, index: number): number {
    let columns = 0;
    for (const { letter } of lettersOf(line, from, index)) columns += this.show(letter).columns;
    return columns;
  }

  /** The index in a row that is nearest to a column without going beyond it, never the beginning of the row below. */
  indexAt(line: string, [from, to]: readonly [number, number], column: number): number {
    let columns = 0;
    let last = from;
    for (const { letter, at } of lettersOf(line, from, to)) {
      columns += this.show(letter).columns;
      last = at;
      if (columns > column) return at;
    }
    return to === line.length ? to : last;
  }

  #fit(shown: Shown): Shown {
    if (shown.columns <= this.#width) return shown;
    let text = '';
    let columns = 0;
    for (const { letter } of lettersOf(shown.text)) {
      const wide = showLetter(letter).columns;
      if (columns + wide > this.#width - 1) break;
      text += letter;
      columns += wide;
    }
    return { text: `${text}…`, columns: columns + 1, stands: true };
  }

  /** Row starts, worked out until it is enough; `enough` is asked before each row. */
  #startsOf(line: string, enough: (starts: readonly number[]) => boolean): readonly number[] {
    const broken = this.#brokenOf(line);
    const { starts } = broken;
    if (broken.whole || enough(starts)) return starts;
    if (broken.plain) {
      for (let at = (starts.at(-1) ?? 0) + this.#width; at < line.length; at += this.#width) {
        starts.push(at);
        if (enough(starts)) return starts;
      }
      broken.whole = true;
      return starts;
    }
    let used = 0;
    for (const { letter, at } of lettersOf(line, starts.at(-1) ?? 0)) {
      const { columns } = this.show(letter);
      if (used > 0 && used + columns > this.#width) {
        starts.push(at);
        used = 0;
        if (enough(starts)) return starts;
      }
      used += columns;
    }
    broken.whole = true;
    return starts;
  }

  #brokenOf(line: string): Broken {
    const place = this.#known.findIndex((one) => one.line === line);
    const found = this.#known[place];
    if (found) {
      if (place > 0) this.#known = [found, ...this.#known.filter((one) => one !== found)];
      return found;
    }
    const like = line.length > NEAR * 4 ? this.#startsBeforeChange(line) : [0];
    const broken = { line, plain: PLAIN.test(line), starts: like, whole: false };
    this.#known = [broken, ...this.#known].slice(0, KEPT);
    return broken;
  }

  /** The rows of the line used last that stand before its first difference. */
  #startsBeforeChange(line: string): number[] {
    const before = this.#known.find((one) => one.line.length > NEAR * 4 && one.line.startsWith(line.slice(0, NEAR)));
    if (!before) return [0];
    const same = commonLength(before.line, line) - NEAR;
    const starts = before.starts.filter((start) => start < same);
    starts.pop();
    return starts.length > 0 ? starts : [0];
  }
}

/** How many characters two texts begin with together. */
function commonLength(a: string, b: string): number {
  let low = 0;
  let high = Math.min(a.length, b.length);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (a.slice(low, middle) === b.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function showWidth(text: string): number {
  let columns = 0;
  for (const { letter } of lettersOf(text)) columns += showLetter(letter).columns;
  return columns;
}
