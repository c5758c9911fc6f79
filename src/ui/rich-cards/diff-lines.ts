/** What changed between two texts: lines with their numbers, and the words that differ. */
import { diffArrays } from 'diff';

export interface DiffRow {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  /** 1-based: of the new text, of the old one for removed lines. */
  readonly number: number;
  readonly text: string;
  /** Pieces of the line when some of its words changed. */
  readonly words?: readonly { readonly text: string; readonly changed: boolean }[];
}

const CONTEXT = 2;
/** Beyond so many differences everything between the equal ends counts as changed. */
const MOST_EDITS = 800;
const LONGEST_FOR_WORDS = 400;

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** The changed lines with a little around them. Bounded in time, whatever the texts are. */
export function diffRows(before: string, after: string): DiffRow[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let top = 0;
  while (top < old.length && top < now.length && old[top] === now[top]) top++;
  let bottom = 0;
  while (bottom < Math.min(old.length, now.length) - top && old.at(-1 - bottom) === now.at(-1 - bottom)) bottom++;
  const [gone, come] = [old.slice(top, old.length - bottom), now.slice(top, now.length - bottom)];
  const rows: DiffRow[] = [];
  const same = (count: number, from: number): void => {
    for (let at = 0; at < count; at++) rows.push({ kind: 'same', number: from + at + 1, text: now[from + at] ?? '' });
  };
  same(top, 0);
  let [a, b] = [top, top];
  for (const part of partsOf(gone, come)) {
    if (part.kind === 'same') {
      same(part.lines.length, b);
      [a, b] = [a + part.lines.length, b + part.lines.length];
      continue;
    }
    rows.push(...changed(part.lines, part.added, a, b));
    [a, b] = [a + part.lines.length, b + part.added.length];
  }
  same(bottom, b);
  return withoutFar(rows);
}

type Part =
  | { readonly kind: 'same'; readonly lines: readonly string[] }
  | { readonly kind: 'changed'; lines: string[]; added: string[] };

function partsOf(gone: string[], come: string[]): Part[] {
  const found = gone.length > 0 && come.length > 0 ? diffArrays(gone, come, { maxEditLength: MOST_EDITS }) : undefined;
  if (!found) return gone.length + come.length === 0 ? [] : [{ kind: 'changed', lines: gone, added: come }];
  const parts: Part[] = [];
  for (const { added, removed, value } of found) {
    const last = parts.at(-1);
    if (!added && !removed) parts.push({ kind: 'same', lines: value });
    else if (last?.kind === 'changed') (added ? last.added : last.lines).push(...value);
    else parts.push({ kind: 'changed', lines: removed ? [...value] : [], added: added ? [...value] : [] });
  }
  return parts;
}

/** Removed lines, then added ones; where each has its counterpart, the words that differ are marked. */
function changed(gone: readonly string[], come: readonly string[], a: number, b: number): DiffRow[] {
  const pairs = gone.length === come.length ? gone.map((line, index) => wordsOf(line, come[index] ?? '')) : [];
  const row = (kind: 'removed' | 'added', text: string, number: number, words: DiffRow['words'] | undefined): DiffRow => ({
    kind,
    number,
    text,
    ...(words === undefined ? {} : { words }),
  });
  return [
    ...gone.map((line, index) => row('removed', line, a + index + 1, pairs[index]?.old)),
    ...come.map((line, index) => row('added', line, b + index + 1, pairs[index]?.now)),
  ];
}

type Words = NonNullable<DiffRow['words']>;

/** Undefined when the lines have too little in common for marks to help. */
function wordsOf(before: string, after: string): { readonly old: Words; readonly now: Words } | undefined {
  if (before.length > LONGEST_FOR_WORDS || after.length > LONGEST_FOR_WORDS) return undefined;
  const split = (line: string): string[] => line.match(/[\p{L}\p{N}_]+|\s+|./gu) ?? [];
  const found = diffArrays(split(before), split(after), { maxEditLength: 100 });
  if (!found) return undefined;
  const kept = found
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.join('').trim().length, 0);
  if (kept * 2.5 < Math.max(before.trim().length, after.trim().length)) return undefined;
  const side = (other: 'added' | 'removed'): Words =>
    found.filter((part) => !part[other]).map((part) => ({ text: part.value.join(''), changed: part.added || part.removed }));
  return { old: side('added'), now: side('removed') };
}

/** Lines far from any change are left out; a gap stands for them. */
function withoutFar(rows: readonly DiffRow[]): DiffRow[] {
  const near = new Set<number>();
  for (const [index, row] of rows.entries())
    if (row.kind !== 'same') for (let at = index - CONTEXT; at <= index + CONTEXT; at++) near.add(at);
  const kept: DiffRow[] = [];
  let last = -1;
  for (const [index, row] of rows.entries()) {
    if (!near.has(index)) continue;
    if (last >= 0 && index > last + 1) kept.push({ kind: 'gap', number: 0, text: '' });
    kept.push(row);
    last = index;
  }
  return kept;
}
