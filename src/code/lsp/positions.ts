/** Between places as servers count them and places as people do. */
import type { CodePosition } from '../../types/language.js';

export type PositionEncoding = 'utf-16' | 'utf-8' | 'utf-32';

/** As in the protocol: both from 0. */
export interface ServerPosition {
  readonly line: number;
  readonly character: number;
}

export interface ServerRange {
  readonly start: ServerPosition;
  readonly end: ServerPosition;
}

const LINE_END = /\r\n|\n|\r/g;

/** Lines of a text by the protocol's rules: `\n`, `\r\n` and `\r` end one. Without their ends. */
export function linesOf(text: string): string[] {
  return text.split(LINE_END);
}

/** The same lines, each with the offsets where it begins and ends. */
export function textLines(text: string): readonly { readonly text: string; readonly start: number; readonly end: number }[] {
  let start = 0;
  const ends = [...text.matchAll(LINE_END)].map((match) => ({ end: match.index, next: match.index + match[0].length }));
  return [...ends, { end: text.length, next: text.length }].map(({ end, next }) => {
    const line = { text: text.slice(start, end), start, end };
    start = next;
    return line;
  });
}

/** A place of ours from a server's; a place behind the end of its line is the end. `line` is the text of that line, if known. */
export function toPosition(
  { line, character }: ServerPosition,
  text: string | undefined,
  encoding: PositionEncoding,
): CodePosition {
  return { line: line + 1, column: (text === undefined ? character : unitsToColumn(text, character, encoding)) + 1 };
}

/** A server's place from one of ours. */
export function fromPosition({ line, column }: CodePosition, text: string, encoding: PositionEncoding): ServerPosition {
  const head = text.slice(0, column - 1);
  if (encoding === 'utf-8') return { line: line - 1, character: Buffer.byteLength(head) };
  if (encoding === 'utf-32') return { line: line - 1, character: [...head].length };
  return { line: line - 1, character: head.length };
}

/** Is there such a place in a line? */
export function isIn(text: string, units: number, encoding: PositionEncoding): boolean {
  if (encoding === 'utf-16') return units <= text.length;
  return units <= (encoding === 'utf-8' ? Buffer.byteLength(text) : [...text].length);
}

function unitsToColumn(text: string, units: number, encoding: PositionEncoding): number {
  if (encoding === 'utf-16') return Math.min(units, text.length);
  let column = 0;
  let seen = 0;
  for (const letter of text) {
    seen += encoding === 'utf-32' ? 1 : Buffer.byteLength(letter);
    if (seen > units) break;
    column += letter.length;
  }
  return column;
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** A range a server sent, checked; undefined when it is none. */
export function readRange(value: unknown): ServerRange | undefined {
  const { start, end } = (value ?? {}) as { start?: unknown; end?: unknown };
  const from = readPosition(start);
  const to = readPosition(end);
  if (from === undefined || to === undefined) return undefined;
  const isBackwards = to.line < from.line || (to.line === from.line && to.character < from.character);
  return isBackwards ? undefined : { start: from, end: to };
}

function readPosition(value: unknown): ServerPosition | undefined {
  const { line, character } = (value ?? {}) as { line?: unknown; character?: unknown };
  return isCount(line) && isCount(character) && line < 2 ** 31 ? { line, character } : undefined;
}
