/** What the caller asks about: files, folders or words, as a weight for each file. */
import { linesOf, type MapEntry } from './entries.js';

/** Words of a name: `getUserById` and `get_user_by_id` hold `user`. */
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

export interface Focus {
  readonly weights: Float64Array;
  /** Asked for, and nothing in the map has to do with it. */
  readonly unknown: readonly string[];
}

/** `asked`: words, and paths as the entries have them. */
export function focusOf(entries: readonly MapEntry[], asked: readonly string[]): Focus {
  const weights = new Float64Array(entries.length);
  const unknown: string[] = [];
  for (const text of asked) {
    const found = filesOf(entries, text) ?? wordsOf(entries, text);
    if (!found.some((weight) => weight > 0)) unknown.push(text);
    for (const [i, weight] of found.entries()) weights[i] = (weights[i] ?? 0) + weight;
  }
  return { weights, unknown };
}

/** A file, or all files of a folder. */
function filesOf(entries: readonly MapEntry[], text: string): number[] | undefined {
  const path = text.replace(/^\.\//, '').replace(/\/+$/, '');
  const found = entries.map((entry) => (entry.path === path ? 8 : entry.path.startsWith(`${path}/`) ? 4 : 0));
  return found.some((weight) => weight > 0) ? found : undefined;
}

/** Files that declare it, then those with it as a part of a name or of their path. */
function wordsOf(entries: readonly MapEntry[], text: string): number[] {
  const word = text.toLowerCase();
  return entries.map((entry) => {
    const path = entry.path.toLowerCase();
    const base = path.slice(path.lastIndexOf('/') + 1);
    const inPath =
      base === word || base.replace(/\.[^.]*$/, '') === word ? 4 : partsHold(base, word) ? 2 : path.includes(word) ? 0.5 : 0;
    return inPath + inLines(linesOf(entry), word);
  });
}

function inLines(lines: readonly string[], word: string): number {
  let best = 0;
  for (const line of lines) {
    if (!line.toLowerCase().includes(word)) continue;
    const names = line.match(/[\p{L}\p{N}_$]+/gu) ?? [];
    if (names.some((name) => name.toLowerCase() === word)) return 6;
    best = Math.max(best, names.some((name) => partsHold(name, word)) ? 2 : 0.5);
  }
  return best;
}

const partsHold = (name: string, word: string): boolean => (name.match(PARTS) ?? []).some((part) => part.toLowerCase() === word);
