/** How many lines an edit added and removed. */
import { splitLines } from './text-lines.js';

/** Beyond this many differing lines the count is an upper bound: what lies between the equal ends. */
const MOST_EDITS = 2000;

export interface DiffStat {
  readonly added: number;
  readonly removed: number;
}

/** Fewest added and removed lines that turn `before` into `after` (line endings count). */
export function diffStat(before: string, after: string): DiffStat {
  const a = splitLines(before).map((line) => line.text + line.ending);
  const b = splitLines(after).map((line) => line.text + line.ending);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const left = a.slice(head, a.length - tail);
  const right = b.slice(head, b.length - tail);
  const edits = shortestEdit(left, right);
  if (edits === undefined) return { added: right.length, removed: left.length };
  return { added: (edits + right.length - left.length) / 2, removed: (edits + left.length - right.length) / 2 };
}

/** Length of the shortest edit script (greedy furthest-reaching paths); undefined beyond the bound. */
function shortestEdit(a: readonly string[], b: readonly string[]): number | undefined {
  if (a.length === 0 || b.length === 0) return a.length + b.length;
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  for (let edits = 0; edits <= most; edits++) {
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (reach[middle + k - 1] ?? 0) < (reach[middle + k + 1] ?? 0));
      let x = down ? (reach[middle + k + 1] ?? 0) : (reach[middle + k - 1] ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return edits;
    }
  }
  return undefined;
}
