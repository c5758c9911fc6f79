/** Places, symbols and edits of language servers as text for a model, and the way from a name to its place. */
import type { CodePlace, CodePosition, CodeSymbol, EditedText } from '../../types/language.js';
import { invalid } from './args.js';
import { printable } from './printable.js';

const LONGEST_LINE = 200;

/** Lines by the rules of the protocol, each with the offset where it begins. */
export function textLines(text: string): readonly { readonly text: string; readonly start: number; readonly end: number }[] {
  const lines: { text: string; start: number; end: number }[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(start, match.index), start, end: match.index });
    start = match.index + match[0].length;
  }
  lines.push({ text: text.slice(start), start, end: text.length });
  return lines;
}

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

const isWordPart = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_$]/u.test(char);

/** Columns (from 1) at which a name stands in a line as a whole word. */
export function columnsOf(line: string, name: string): number[] {
  const found: number[] = [];
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const before = isWordPart(name[0]) && isWordPart(line[at - 1]);
    const after = isWordPart(name.at(-1)) && isWordPart(line[at + name.length]);
    if (!before && !after) found.push(at + 1);
  }
  return found;
}

/** The word at a place, empty when there is none. */
export function wordAt(line: string, column: number): string {
  let start = column - 1;
  let end = column - 1;
  while (start > 0 && isWordPart(line[start - 1])) start--;
  while (end < line.length && isWordPart(line[end])) end++;
  return line.slice(start, end);
}

/** Where a call points: at a line and column, or at a name in a line, or at the first place of a name. Throws ToolFault. */
export function pointedAt(
  text: string,
  { line, column, symbol }: { readonly line?: number; readonly column?: number; readonly symbol?: string },
): CodePosition {
  const lines = textLines(text);
  if (line === undefined) {
    if (symbol === undefined) throw invalid('line', 'is missing; give line and column, or symbol (best with its line)');
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
      ? columns[0]
      : columns.reduce((a, b) => (Math.abs(b - column) < Math.abs(a - column) ? b : a), columns[0] ?? 0);
  if (near !== undefined && near > 0) return { line, column: near };
  const others = lines.flatMap((each, index) => (columnsOf(each.text, symbol).length > 0 ? [index + 1] : []));
  const hint = others.length === 0 ? 'nor anywhere in the file' : `but in line ${others.slice(0, 8).join(', ')}`;
  throw invalid('symbol', `${symbol} does not stand in line ${line}, ${hint}`);
}

/** The two names of a rename. */
export interface Names {
  readonly old: string;
  readonly new: string;
}

/**
 * A text after a server's edits; undefined when the edits do not fit it: a place that is not there, or one where the old name
 * does not stand, so the server saw another text. `skipped`: characters at the beginning of the first line we do not count.
 */
export function withEdits(text: string, { edits }: EditedText, names: Names, skipped = 0): string | undefined {
  const lines = textLines(text);
  let out = '';
  let last = 0;
  for (const edit of edits) {
    const [from, to] = [edit.start, edit.end].map((place) => {
      const line = lines[place.line - 1];
      const column = place.column - 1 - (place.line === 1 ? skipped : 0);
      return line === undefined || column < 0 || column > line.text.length ? undefined : line.start + column;
    });
    if (from === undefined || to === undefined || from < last || to < from) return undefined;
    if (!isRenaming(text, { from, to, text: edit.text }, names)) return undefined;
    out += text.slice(last, from) + edit.text;
    last = to;
  }
  return out + text.slice(last);
}

interface Replacing {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The old name goes, whole or the part in which the new one differs; or the new one comes beside it (`{ a }` -> `{ a: b }`). */
function isRenaming(text: string, edit: Replacing, names: Names): boolean {
  if (text.slice(edit.from, edit.to).includes(names.old)) return true;
  const width = names.old.length;
  for (
    let at = text.indexOf(names.old, Math.max(0, edit.from - width));
    at >= 0 && at <= edit.to;
    at = text.indexOf(names.old, at + 1)
  ) {
    const end = at + width;
    if (edit.from < at || edit.to > end) continue;
    if (text.slice(at, edit.from) + edit.text + text.slice(edit.to, end) === names.new) return true;
    const isBeside = edit.from === edit.to && (edit.from === at || edit.from === end);
    if (isBeside && edit.text.includes(names.new)) return true;
  }
  return false;
}
