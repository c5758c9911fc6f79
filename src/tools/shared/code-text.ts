/** Places, symbols and edits of language servers as text for a model, and the way from a name to its place. */
import { textLines } from '../../code/lsp/positions.js';
import type { CodePlace, CodePosition, CodeSymbol, EditedText } from '../../types/language.js';
import { invalid } from './args.js';
import { printable } from './printable.js';
import { isWordPart, type Names, renamedIn, wholeWords } from './renaming.js';

const LONGEST_LINE = 200;

/** `path:line:column: text of the line`. */
export function placeLine({ path, start }: CodePlace, shown: string, line: string | undefined): string {
  const text = line === undefined ? '' : `: ${printable(line.trim()).slice(0, LONGEST_LINE)}`;
  return `${printable(shown === '' ? path : shown)}:${start.line}:${start.column}${text}`;
}

/** `function name (in container) path:line:column`, indented by its depth. */
export function symbolLine({ name, kind, container, depth, place }: CodeSymbol, shown: string | undefined): string {
  const where = shown === undefined ? `L${place.start.line}:${place.start.column}` : `${printable(shown)}:${place.start.line}`;
  const inside = shown !== undefined && container !== '' ? ` (in ${container})` : '';
  return `${'  '.repeat(Math.min(depth, 10))}${kind} ${name}${inside} ${where}`;
}

/** Columns (from 1) at which a name stands in a line as a whole word. */
export function columnsOf(line: string, name: string): number[] {
  return wholeWords(line, name).map((at) => at + 1);
}

/** The word at a place, empty when there is none. */
export function wordAt(line: string, column: number): string {
  let start = column - 1;
  let end = column - 1;
  while (start > 0 && isWordPart(line[start - 1])) start--;
  while (end < line.length && isWordPart(line[end])) end++;
  return line.slice(start, end);
}

/** What a call points with. */
export interface Pointer {
  readonly line?: number;
  readonly column?: number;
  readonly symbol?: string;
}

/** Places of a name that are code, as far as a parser could tell. */
export type CodePlaces = readonly (CodePosition & { readonly declares: boolean })[];

/**
 * Where a call points: at a line and column, or at a name in a line, or at a name in the file, where it is declared rather than
 * where it is used, and where it is code (`inCode`) rather than in a comment or string. Throws ToolFault.
 */
export function pointedAt(text: string, { line, column, symbol }: Pointer, inCode: CodePlaces = []): CodePosition {
  const lines = textLines(text);
  if (line === undefined) {
    if (symbol === undefined) throw invalid('line', 'is missing; give line and column, or symbol (best with its line)');
    const best = inCode.find(({ declares }) => declares) ?? inCode[0];
    if (best !== undefined) return { line: best.line, column: best.column };
    const index = lines.findIndex((each) => columnsOf(each.text, symbol).length > 0);
    if (index < 0) throw invalid('symbol', `does not stand in the file: ${symbol}`);
    return { line: index + 1, column: columnsOf(lines[index]?.text ?? '', symbol)[0] ?? 1 };
  }
  const there = lines[line - 1];
  if (there === undefined) throw invalid('line', `is ${line}, but the file has ${lines.length} lines`);
  if (symbol === undefined) {
    if (column === undefined) throw invalid('column', 'is missing; give it, or symbol');
    if (column > there.text.length + 1)
      throw invalid('column', `is ${column}, but line ${line} has ${there.text.length} characters`);
    return { line, column };
  }
  const columns = columnsOf(there.text, symbol);
  const near =
    column === undefined
      ? (inCode.find((place) => place.line === line)?.column ?? columns[0])
      : columns.reduce((a, b) => (Math.abs(b - column) < Math.abs(a - column) ? b : a), columns[0] ?? 0);
  if (near !== undefined && near > 0) return { line, column: near };
  const others = lines.flatMap((each, index) => (columnsOf(each.text, symbol).length > 0 ? [index + 1] : []));
  const hint = others.length === 0 ? 'nor anywhere in the file' : `but in line ${others.slice(0, 8).join(', ')}`;
  throw invalid('symbol', `${symbol} does not stand in line ${line}, ${hint}`);
}

/** A text after a rename, and at how many places it was made. */
export interface Renamed {
  readonly text: string;
  readonly places: number;
}

/**
 * A text after a server's edits; undefined when the edits do not fit it: a place that is not there, or a change that is more
 * than the renaming, so the server saw another text. `skipped`: characters at the beginning of the first line we do not count.
 */
export function withEdits(text: string, { edits }: EditedText, names: Names, skipped = 0): Renamed | undefined {
  const lines = textLines(text);
  let out = '';
  let last = 0;
  let places = 0;
  for (const edit of edits) {
    const [from, to] = [edit.start, edit.end].map((place, index) => {
      const column = place.column - 1 - (place.line === 1 ? skipped : 0);
      // The end of a file may be named as the line behind its last.
      if (index === 1 && place.line === lines.length + 1 && column === 0) return text.length;
      const line = lines[place.line - 1];
      return line === undefined || column < 0 || column > line.text.length ? undefined : line.start + column;
    });
    if (from === undefined || to === undefined || from < last || to < from) return undefined;
    const renamed = renamedIn(text, { from, to, text: edit.text }, names);
    if (renamed === undefined) return undefined;
    places += renamed;
    out += text.slice(last, from) + edit.text;
    last = to;
  }
  return { text: out + text.slice(last), places };
}
