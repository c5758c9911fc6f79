/** The single changes between two texts, and the text with only some of them. */
import { diffArrays } from 'diff';

/** Lines with their ends. `from`: the first line (from 0) of the old text it takes or stands before. */
export interface Hunk {
  readonly from: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** One file as a call would leave it; `before` undefined: it does not exist. */
export interface ProposedFile {
  /** As messages show it. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** Changes with so few equal lines between them are one. */
const JOINED = 1;
const MOST_EDITS = 1500;

export const textLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** In the order of the text. A file that does not exist yet has none: it is created whole, or not at all. */
export function hunksOf({ before, after }: Pick<ProposedFile, 'before' | 'after'>): Hunk[] {
  if (before === undefined || before === after) return [];
  const [old, now] = [textLines(before), textLines(after)];
  let top = 0;
  while (top < old.length && top < now.length && old[top] === now[top]) top++;
  let bottom = 0;
  while (bottom < Math.min(old.length, now.length) - top && old.at(-1 - bottom) === now.at(-1 - bottom)) bottom++;
  const [gone, come] = [old.slice(top, old.length - bottom), now.slice(top, now.length - bottom)];
  const parts = diffArrays(gone, come, { maxEditLength: MOST_EDITS });
  if (!parts) return [{ from: top, removed: gone, added: come }];
  const hunks: { from: number; removed: string[]; added: string[] }[] = [];
  let at = top;
  let between: string[] = [];
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      between = value;
      at += value.length;
      continue;
    }
    let last = hunks.at(-1);
    if (!last || between.length > JOINED) {
      last = { from: at, removed: [], added: [] };
      hunks.push(last);
    } else {
      last.removed.push(...between);
      last.added.push(...between);
    }
    between = [];
    if (added) last.added.push(...value);
    else {
      last.removed.push(...value);
      at += value.length;
    }
  }
  return hunks;
}

/** The old text with the hunks that `takes` accepts. */
export function withHunks(before: string, hunks: readonly Hunk[], takes: (index: number) => boolean): string {
  const old = textLines(before);
  const out: string[] = [];
  let at = 0;
  for (const [index, { from, removed, added }] of hunks.entries()) {
    out.push(...old.slice(at, from), ...(takes(index) ? added : removed));
    at = from + removed.length;
  }
  return [...out, ...old.slice(at)].join('');
}
