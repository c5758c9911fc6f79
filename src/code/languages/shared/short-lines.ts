/** Keeps rewriting linear: patterns that look along a line are never shown a line that no person wrote. */

/** Characters; looking along each of many such lines from each of its places is still quick. */
const LONGEST = 1_000;

/** `rewrite(text)`, which keeps every offset, with longer lines left as they are. */
export function inShortLines(text: string, rewrite: (text: string) => string): string {
  const long: [number, number][] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    if (end - start > LONGEST) long.push([start, end]);
    start = end + 1;
  }
  if (long.length === 0) return rewrite(text);
  const shown = patched(text, long, (from, to) => '\u0001'.repeat(to - from));
  return patched(rewrite(shown), long, (from, to) => text.slice(from, to));
}

function patched(text: string, ranges: readonly [number, number][], instead: (from: number, to: number) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    parts.push(text.slice(at, from), instead(from, to));
    at = to;
  }
  return parts.join('') + text.slice(at);
}
