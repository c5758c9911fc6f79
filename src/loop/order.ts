/** Which calls of one reply wait for which: the rules of product.md 2 as one function. */
import type { PreparedCall } from './ports.js';

/** For each call the indexes of earlier calls it waits for. A hole (undefined) is a call that will not run. */
export function waitsFor(calls: readonly (PreparedCall | undefined)[]): number[][] {
  return calls.map((later, i) => {
    if (!later) return [];
    const waits: number[] = [];
    for (let j = 0; j < i; j++) {
      const earlier = calls[j];
      if (earlier && mustWait(later, earlier)) waits.push(j);
    }
    return waits;
  });
}

function mustWait(later: PreparedCall, earlier: PreparedCall): boolean {
  if (later.facts.order === 'alone' || earlier.facts.order === 'alone') return true;
  const laterWrites = later.writes.length > 0 || !later.facts.readOnly;
  const earlierWrites = earlier.writes.length > 0 || !earlier.facts.readOnly;
  if (later.facts.order === 'tree') return earlierWrites;
  if (earlier.facts.order === 'tree') return laterWrites;
  return touches(later, earlier.writes) || touches(earlier, later.writes);
}

function touches(call: PreparedCall, paths: PreparedCall['writes']): boolean {
  return paths.some((path) => [...call.reads, ...call.writes].some((mine) => mine.real === path.real));
}

/** The first earlier call that wrote one of this call's targets and failed; undefined when none did. */
export function failedWriter(
  calls: readonly (PreparedCall | undefined)[],
  index: number,
  failed: ReadonlySet<number>,
): number | undefined {
  const later = calls[index];
  if (!later) return undefined;
  for (let j = 0; j < index; j++) {
    if (failed.has(j) && calls[j]?.writes.some((path) => later.writes.some((mine) => mine.real === path.real))) return j;
  }
  return undefined;
}
