/** Tells the findings an edit brought from those that were there before it and only moved with their lines. */
import type { Finding } from '../../types/language.js';
import { linesOf } from './positions.js';

export interface Observed {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Beyond this many pairs of lines, what lies between the equal ends counts as one change. */
const MOST_PAIRS = 1_000_000;

/** The findings of `after` that are new, in their order, and how many of the others there are. */
export function freshFindings(before: Observed, after: Observed): { readonly fresh: readonly Finding[]; readonly older: number } {
  if (before.findings.length === 0) return { fresh: after.findings, older: 0 };
  const lines = { before: linesOf(before.text), after: linesOf(after.text) };
  const map = before.text === after.text ? SAME : mapLines(lines.before, lines.after);
  const old = before.findings.map((finding) => ({
    finding,
    key: keyOf(finding),
    place: map.placeOf(finding.line),
    taken: false,
  }));
  // A finding on a line that stayed is the old one of that line.
  const left = after.findings.filter((finding) => {
    const key = keyOf(finding);
    const same = old.find((each) => !each.taken && each.key === key && each.place?.line === finding.line);
    if (same) same.taken = true;
    return same === undefined;
  });
  // One on a line that was changed is old when the lines it replaced had it.
  const changed = left.filter((finding) => {
    const hunk = map.hunkAt(finding.line);
    if (hunk === undefined) return true;
    const key = keyOf(finding);
    const same = old.find((each) => !each.taken && each.key === key && each.place?.hunk === hunk);
    if (same) same.taken = true;
    return same === undefined;
  });
  // One that went elsewhere with its line is old too.
  const fresh = changed.filter((finding) => {
    const key = keyOf(finding);
    const text = lines.after[finding.line - 1]?.trim() ?? '';
    const isMoved = ({ line }: Finding) => text !== '' && lines.before[line - 1]?.trim() === text;
    const same = old.find((each) => !each.taken && each.key === key && each.place?.hunk !== undefined && isMoved(each.finding));
    if (same) same.taken = true;
    return same === undefined;
  });
  return { fresh, older: after.findings.length - fresh.length };
}

/** The findings of `before` on lines that are still there, at the lines where they are now. */
export function stillThere(before: Observed, after: string): readonly Finding[] {
  const map = before.text === after ? SAME : mapLines(linesOf(before.text), linesOf(after));
  return before.findings.flatMap((finding) => {
    const line = map.placeOf(finding.line)?.line;
    return line === undefined ? [] : [{ ...finding, line }];
  });
}

/** Places named in a message move with the lines. */
function keyOf({ severity, source, message }: Finding): string {
  const text = message.replace(/\bline \d+|:\d+(:\d+)?/gi, (found) => found.replace(/\d+/g, '#'));
  return JSON.stringify([severity, source, text]);
}

/** Where an old line is: at a new line (from 1), or among those a change replaced. */
interface Place {
  readonly line?: number;
  readonly hunk?: number;
}

interface LineMap {
  /** Where an old line (from 1) is; undefined: there was none. */
  placeOf(line: number): Place | undefined;
  /** The change a new line (from 1) belongs to; undefined: it stayed. */
  hunkAt(line: number): number | undefined;
}

/** Of a text to itself. */
const SAME: LineMap = { placeOf: (line) => ({ line }), hunkAt: () => undefined };

function mapLines(before: readonly string[], after: readonly string[]): LineMap {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const least = Math.min(before.length, after.length) - head;
  while (tail < least && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const pairs = equalPairs(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  const places: Place[] = [];
  const hunks: (number | undefined)[] = [];
  let hunk = 0;
  const stay = (from: number, count: number) => {
    for (let i = 0; i < count; i++) {
      places.push({ line: from + i + 1 });
      hunks.push(undefined);
    }
  };
  const change = (oldEnd: number, newEnd: number) => {
    while (places.length < oldEnd) places.push({ hunk });
    while (hunks.length < newEnd) hunks.push(hunk);
    hunk += 1;
  };
  stay(0, head);
  for (const [old, now] of pairs) {
    change(head + old, head + now);
    stay(head + now, 1);
  }
  change(before.length - tail, after.length - tail);
  stay(after.length - tail, tail);
  return { placeOf: (line) => places[line - 1], hunkAt: (line) => hunks[line - 1] };
}

/** Pairs of equal lines in the longest common subsequence; none when there is too much to compare. */
function equalPairs(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  if (a.length * b.length > MOST_PAIRS || a.length === 0 || b.length === 0) return [];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
