/** Where a JSON text inside a quoted attribute could end: its brackets tell, once for each way of writing it. */
import { decodeEntities } from './entities.js';
import { spend, type Work } from './work.js';

/** How the text is written: as it is, with XML entities, or with them and backslashes before the delimiter. */
type Writing = 'plain' | 'entities' | 'backslashes';

const ENTITY = /&[#\w]{1,32};/y;
/** All that may stand outside strings in JSON. */
const OUTSIDE = /[\s\w+.,:-]/;

/** Offsets behind the value that begins at or behind `start`, in rising order: at most one for each way of writing it. */
export function jsonEnds(text: string, start: number, quote: string, work: Work): number[] {
  const ends = new Set<number>();
  for (const writing of ['plain', 'entities', 'backslashes'] as const) {
    const end = jsonEnd(text, start, quote, writing, work);
    if (end !== undefined) ends.add(end);
  }
  return [...ends].sort((a, b) => a - b);
}

function jsonEnd(text: string, start: number, quote: string, writing: Writing, work: Work): number | undefined {
  let depth = 0;
  let at = start;
  const done = (end?: number) => {
    spend(work, at - start);
    return end;
  };
  while (at < text.length) {
    const one = letterAt(text, at, quote, writing);
    at += one.length;
    if (one.letter === '{' || one.letter === '[') depth++;
    else if (one.letter === '}' || one.letter === ']') {
      depth--;
      if (depth <= 0) return done(at);
    } else if (one.letter === '"') {
      at = stringEnd(text, at, quote, writing);
    } else if (!OUTSIDE.test(one.letter)) return done();
  }
  return done();
}

/** Offset behind the closing quote of a string; the end of the text when it has none. */
function stringEnd(text: string, from: number, quote: string, writing: Writing): number {
  let at = from;
  while (at < text.length) {
    const one = letterAt(text, at, quote, writing);
    at += one.length;
    if (one.letter === '"') return at;
    if (one.letter === '\\') at += letterAt(text, at, quote, writing).length;
  }
  return at;
}

/** One letter of the JSON and how many characters stand for it. */
function letterAt(
  text: string,
  at: number,
  quote: string,
  writing: Writing,
): { readonly letter: string; readonly length: number } {
  const letter = text.charAt(at);
  if (writing === 'plain') return { letter, length: 1 };
  if (letter === '\\' && writing === 'backslashes') {
    const next = text.charAt(at + 1);
    if (next === quote || (next === '\\' && quote === '"')) return { letter: next, length: 2 };
  }
  if (letter !== '&') return { letter, length: 1 };
  ENTITY.lastIndex = at;
  const entity = ENTITY.exec(text)?.[0];
  const decoded = entity === undefined ? '' : decodeEntities(entity);
  return entity !== undefined && decoded !== entity ? { letter: decoded, length: entity.length } : { letter, length: 1 };
}
