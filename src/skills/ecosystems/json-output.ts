/** JSON as programs print it: among other lines, one document or several, cut or hostile. */
import type { Json, JsonObject } from '../../types/json.js';

/** Documents read of one output. */
const MOST = 50_000;

/** An object, or an empty one for everything else. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const textField = (object: JsonObject, name: string): string => {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : '';
};

export const listField = (object: JsonObject, name: string): Json[] => {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return Array.isArray(value) ? value : [];
};

/** Where the value that begins at `start` ends, by its brackets; -1 when it does not. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 34) {
      at = stringEnd(text, at);
      if (at === -1) return -1;
    } else if (char === 123 || char === 91) depth++;
    else if (char === 125 || char === 93) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 92) at++;
    else if (char === 34) return at;
  }
  return -1;
}

interface Piece {
  readonly value: Json;
  readonly length: number;
}

/** Characters looked at in openings that lead nowhere, after which no more are tried. */
const MOST_BROKEN = 40_000_000;

function piecesOf(text: string): Piece[] {
  const found: Piece[] = [];
  const opens = /^[ \t]*[[{]/gm;
  let broken = 0;
  for (let match = opens.exec(text); match && found.length < MOST && broken < MOST_BROKEN; match = opens.exec(text)) {
    const start = match.index + match[0].length - 1;
    const end = endOf(text, start);
    // Something that is never closed hides nothing that comes on a later line of its own.
    try {
      if (end === -1) throw new SyntaxError('not closed');
      found.push({ value: JSON.parse(text.slice(start, end)) as Json, length: end - start });
      opens.lastIndex = end;
    } catch {
      broken += end === -1 ? text.length - start : end - start;
    }
  }
  return found;
}

/** Every object or list that begins a line, in order; what is no JSON between them is passed over. */
export const jsonStream = (text: string): Json[] => piecesOf(text).map(({ value }) => value);

/** The one document of an output: the longest there is. Throws when there is none. */
export function jsonDocument(text: string): Json {
  const [longest] = piecesOf(text).sort((a, b) => b.length - a.length);
  if (longest === undefined) throw new Error('no JSON in it');
  return longest.value;
}
