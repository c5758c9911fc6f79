/** The lines of a diff, and whether their carriage returns belong to the files or to the way the diff came. */
import { invalid } from '../args.js';

export interface RawLine {
  readonly text: string;
  readonly cr: boolean;
}

export interface DiffText {
  readonly lines: readonly RawLine[];
  /** Ends with a line break. */
  readonly closed: boolean;
  readonly endingsKnown: boolean;
}

/** Lines that only the diff itself has, never a file's content. */
const STRUCTURE = /^(?:@@|diff --git |\*\*\* |<{5,9} SEARCH|>{5,9} REPLACE|-{5,9} SEARCH|\+{5,9} REPLACE)/;

/** A diff whose own lines all end with CRLF was sent with CRLF: one carriage return is taken from every line. */
export function diffText(text: string): DiffText {
  const all = text.replace(/^\ufeff/, '').split('\n');
  const closed = all.at(-1) === '';
  if (closed) all.pop();
  const pieces = outdented(all);
  const own = pieces.filter((piece) => STRUCTURE.test(piece));
  const sent = own.length > 0 && own.every((piece, i) => piece.endsWith('\r') || (!closed && i === own.length - 1 && i > 0));
  const lines = pieces.map((piece) => {
    const cr = piece.endsWith('\r');
    return { text: cr ? piece.slice(0, -1) : piece, cr: cr && !sent };
  });
  return { lines, closed, endingsKnown: !sent };
}

/** A diff that stands indented as a whole, as in a list: no line of a real one begins with a blank but those of hunks. */
function outdented(lines: string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  const [first = ''] = indents;
  if (first === '' || !indents.every((indent) => indent.startsWith(first))) return lines;
  const inner = lines.map((line) => line.slice(first.length));
  return inner.some((line) => STRUCTURE.test(line) || line.startsWith('--- ')) ? inner : lines;
}

/** Three or more backticks or tildes that open or close a block of Markdown. */
export function isFence(line: string): boolean {
  return /^\s{0,3}(?:`{3,}|~{3,})[^`]*$/.test(line);
}

/** A fault of the diff at one of its lines (1-based). */
export function faultAt(line: number, reason: string) {
  return invalid('diff', `line ${line}: ${reason}. Nothing was changed`);
}

export function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}
