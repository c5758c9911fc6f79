/** Three-way merge by lines: two changes of one text are joined where they are apart, and refused where they meet. */
export type Merged =
  | { readonly ok: true; readonly text: string }
  /** Lines of the base (1-based, `to` below `from` for a place between lines) that both sides changed, and how. */
  | { readonly ok: false; readonly from: number; readonly to: number; readonly mine: string; readonly theirs: string };

interface Hunk {
  /** Lines of the base: index of the first, and behind the last. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Milliseconds for one comparison; more counts as a change of everything. */
const TIMEOUT_MS = 1000;

/**
 * Joins `mine` and `theirs`, both made from `base`. Every byte of a line counts, its ending too. Changes that touch or overlap
 * are a conflict unless both are the same.
 */
export async function mergeLines(base: string, mine: string, theirs: string): Promise<Merged> {
  const lines = linesOf(base);
  const own = await hunksOf(lines, linesOf(mine));
  const other = await hunksOf(lines, linesOf(theirs));
  const all: Hunk[] = [];
  let i = 0;
  let k = 0;
  while (i < own.length || k < other.length) {
    const a = own[i];
    const b = other[k];
    if (a && b && meets(a, b)) {
      if (!sameHunk(a, b)) return conflict(a, b);
      all.push(a);
      i++;
      k++;
    } else if (a && (!b || a.from < b.from)) {
      all.push(a);
      i++;
    } else if (b) {
      all.push(b);
      k++;
    }
  }
  return { ok: true, text: applied(lines, all) };
}

/** Changes next to each other meet too: which comes first would be a guess. */
function meets(a: Hunk, b: Hunk): boolean {
  return a.from <= b.to && b.from <= a.to;
}

function sameHunk(a: Hunk, b: Hunk): boolean {
  return a.from === b.from && a.to === b.to && a.lines.join('') === b.lines.join('');
}

function conflict(a: Hunk, b: Hunk): Merged {
  const from = Math.min(a.from, b.from);
  const to = Math.max(a.to, b.to);
  return { ok: false, from: from + 1, to, mine: a.lines.join(''), theirs: b.lines.join('') };
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

async function hunksOf(base: readonly string[], other: readonly string[]): Promise<Hunk[]> {
  const { diffArrays } = await import('diff');
  const parts = diffArrays([...base], [...other], { timeout: TIMEOUT_MS });
  if (parts === undefined) return [{ from: 0, to: base.length, lines: other }];
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { from: number; to: number; lines: string[] } | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      if (open) hunks.push(open);
      open = undefined;
      at += value.length;
      continue;
    }
    open ??= { from: at, to: at, lines: [] };
    if (added) open.lines.push(...value);
    else {
      at += value.length;
      open.to = at;
    }
  }
  if (open) hunks.push(open);
  return hunks;
}

function applied(base: readonly string[], hunks: readonly Hunk[]): string {
  const out: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    for (; at < hunk.from; at++) out.push(base[at] ?? '');
    for (const line of hunk.lines) out.push(line);
    at = hunk.to;
  }
  for (; at < base.length; at++) out.push(base[at] ?? '');
  return out.join('');
}
