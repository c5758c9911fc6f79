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
  const pieces = text.replace(/^\ufeff/, '').split('\n');
  const closed = pieces.at(-1) === '';
  if (closed) pieces.pop();
  const own = pieces.filter((piece) => STRUCTURE.test(piece));
  const sent = own.length > 0 && own.every((piece, i) => piece.endsWith('\r') || (!closed && i === own.length - 1 && i > 0));
  const lines = pieces.map((piece) => {
    const cr = piece.endsWith('\r');
    return { text: cr ? piece.slice(0, -1) : piece, cr: cr && !sent };
  });
  return { lines, closed, endingsKnown: !sent };
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
