/** How far a text can be read as JSON; comments and commas at the end of a list are let pass, since many such files have them. */
import type { Reading } from './reading.js';

/** One fault at most: what comes behind it cannot be read. `asked`: offsets of straight quotes. */
export function jsonFaults(text: string, asked: readonly number[]): Reading {
  const { plain, quotes } = withoutComments(text);
  const at = faultAt(plain);
  const faults = at === undefined ? { count: 0, size: 0 } : { count: 1, size: text.length - at };
  return { faults, delimiters: new Set(asked.filter((each) => quotes.has(each))) };
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

/** The same text with blanks for comments and for commas before a bracket, and where its strings begin and end. */
function withoutComments(text: string): { plain: string; quotes: Set<number> } {
  const quotes = new Set<number>();
  const parts: string[] = [];
  const blank = (piece: string) => piece.replace(/[^\r\n]/g, ' ');
  const token = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;
  let at = 0;
  for (const match of text.matchAll(token)) {
    const [piece] = match;
    parts.push(text.slice(at, match.index), piece.startsWith('"') ? piece : blank(piece));
    at = match.index + piece.length;
    if (!piece.startsWith('"')) continue;
    quotes.add(match.index);
    if (piece.length > 1 && piece.endsWith('"')) quotes.add(at - 1);
  }
  return { plain: parts.join('') + text.slice(at), quotes };
}
