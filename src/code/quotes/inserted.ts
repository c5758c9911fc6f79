/** Which curly quotes of a text an edit brought: what stood there before is never among them. */

/** Curly quote -> the straight one it stands for. */
export const STRAIGHT: ReadonlyMap<string, string> = new Map([
  ...['\u2018', '\u2019', '\u201A', '\u201B', '\u2032'].map((quote) => [quote, "'"] as const),
  ...['\u201C', '\u201D', '\u201E', '\u201F', '\u2033'].map((quote) => [quote, '"'] as const),
]);
const CURLY = /[\u2018-\u201F\u2032\u2033]/;
const EACH_CURLY = /[\u2018-\u201F\u2032\u2033]/g;
/** Milliseconds for a comparison of characters; beyond it quotes of a changed place with old ones count as old. */
const MOST_MS = 500;
/** Milliseconds for all of them together. */
const MOST_MS_IN_ALL = 2_000;

/** One test, so that a text without them costs nothing more. */
export function hasCurlyQuotes(text: string): boolean {
  return CURLY.test(text);
}

/**
 * Offsets in `after` of curly quotes that were not in `before` (undefined: there was no file), in rising order. Throws the reason of
 * the signal.
 */
export async function insertedQuotes(before: string | undefined, after: string, signal?: AbortSignal): Promise<number[]> {
  if (!hasCurlyQuotes(after)) return [];
  if (before === undefined) return quotesIn(after, 0, after.length);
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const [old, now] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const all = quotesIn(after, head, after.length - tail);
  return all.length === 0 || !hasCurlyQuotes(old) ? all : betweenLines(old, now, head, signal);
}

/** Offsets of all curly quotes from `from` up to `to`. */
export function quotesIn(text: string, from: number, to: number): number[] {
  return [...text.slice(from, to).matchAll(EACH_CURLY)].map((match) => from + match.index);
}

/** Old quotes lie among the new ones: compared by lines, and within changed lines by characters. */
async function betweenLines(old: string, now: string, start: number, signal: AbortSignal | undefined): Promise<number[]> {
  const { diffArrays, diffChars } = await import('diff');
  const lines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const parts = diffArrays(lines(old), lines(now), { timeout: MOST_MS });
  if (!parts) return [];
  const found: number[] = [];
  let at = start;
  let removed = '';
  const deadline = performance.now() + MOST_MS_IN_ALL;
  for (const part of parts) {
    if (removed !== '') await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    const text = part.value.join('');
    if (part.removed) {
      removed += text;
      continue;
    }
    if (part.added)
      found.push(
        ...(hasCurlyQuotes(removed) ? byCharacters(removed, text) : quotesIn(text, 0, text.length)).map((each) => at + each),
      );
    removed = '';
    at += text.length;
  }
  return found;

  function byCharacters(before: string, after: string): number[] {
    if (!hasCurlyQuotes(after)) return [];
    const pieces = diffChars(before, after, { timeout: Math.max(1, Math.min(MOST_MS, deadline - performance.now())) });
    if (!pieces) return [];
    const offsets: number[] = [];
    let offset = 0;
    for (const { value, added, removed: gone } of pieces) {
      if (gone) continue;
      if (added) for (const each of quotesIn(value, 0, value.length)) offsets.push(offset + each);
      offset += value.length;
    }
    return offsets;
  }
}
