/** How far a text can be read as JSON; comments and commas at the end of a list are let pass, since many such files have them. */
import { hasCurlyQuotes } from './inserted.js';
import type { Reading, Token } from './reading.js';

/** A piece of the text that is no punctuation, number or word. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly kind: 'string' | 'comment' | 'comma';
}

/** One fault at most: what comes behind it cannot be read. `asked`: offsets of quotes, rising. */
export function jsonFaults(text: string, asked: readonly number[]): Reading {
  const pieces = piecesOf(text);
  const at = faultAt(plainOf(text, pieces));
  const faults = at === undefined ? { count: 0, size: 0 } : { count: 1, size: text.length - at };
  const wanted = new Set(asked);
  const tokens: Token[] = [];
  for (const { start, end, kind } of pieces)
    if (kind === 'string' && isWhole(text, start, end) && wanted.has(start) && wanted.has(end - 1))
      tokens.push({ open: [start], close: [end - 1] });
  const kept = new Set<number>();
  const bad = new Set<number>();
  let next = 0;
  for (const offset of asked.filter((one) => hasCurlyQuotes(text[one] ?? ''))) {
    while ((pieces[next]?.end ?? text.length) <= offset) next++;
    const piece = pieces[next];
    const inside =
      piece !== undefined && piece.start < offset && (piece.kind === 'comment' || isWhole(text, piece.start, piece.end));
    (inside ? kept : bad).add(offset);
  }
  return { faults, tokens, kept, bad };
}

/** Offset of the first fault, or undefined. */
function faultAt(text: string): number | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const found = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    return found === undefined ? text.length : Number(found);
  }
}

const isWhole = (text: string, start: number, end: number): boolean => end - start > 1 && text[end - 1] === '"';

/** Strings, comments, and commas before a bracket. */
function piecesOf(text: string): Piece[] {
  const token = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;
  return [...text.matchAll(token)].map(({ 0: piece, index }) => ({
    start: index,
    end: index + piece.length,
    kind: piece.startsWith('"') ? 'string' : piece.startsWith('/') ? 'comment' : 'comma',
  }));
}

/** The same text with blanks for comments and for commas before a bracket. */
function plainOf(text: string, pieces: readonly Piece[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, kind } of pieces) {
    if (kind === 'string') continue;
    parts.push(text.slice(at, start), text.slice(start, end).replace(/[^\r\n]/g, ' '));
    at = end;
  }
  return parts.join('') + text.slice(at);
}
