/** From a placed hunk to the smallest changes of the file: context and what both sides share stay the file's own bytes. */
import type { Ending, Line } from '../../../base/text-lines.js';
import { lookAlikes } from '../edit-fold.js';
import { reindent, withinLine } from '../edit-splice.js';
import type { Splice } from '../edit-view.js';
import type { FileLines, OldLine } from './file-lines.js';
import type { Where } from './place-hunk.js';
import type { DiffLine } from './types.js';

/** Lines of the file (0-based, end exclusive) and what stands there afterwards. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly removed: readonly OldLine[];
  readonly added: readonly DiffLine[];
  /** The line of the hunk after it. */
  readonly next?: DiffLine;
}

/** The changed stretches of a hunk, without lines that both sides share. */
export function runsOf(lines: readonly DiffLine[], at: number): Run[] {
  const runs: Run[] = [];
  let line = at;
  for (let i = 0; i < lines.length; ) {
    if (lines[i]?.kind === ' ') {
      line++;
      i++;
      continue;
    }
    const start = i;
    while (i < lines.length && lines[i]?.kind !== ' ') i++;
    const changed = lines.slice(start, i);
    const removed = changed.filter((one): one is OldLine => one.kind === '-');
    const added = changed.filter((one) => one.kind === '+');
    runs.push(...trimmed({ from: line, to: line + removed.length, removed, added, next: lines[i] }));
    line += removed.length;
  }
  return runs;
}

function trimmed({ from, to, removed, added, next }: Run): Run[] {
  let head = 0;
  while (head < removed.length && head < added.length && same(removed[head], added[head])) head++;
  let tail = 0;
  const room = Math.min(removed.length, added.length) - head;
  while (tail < room && same(removed.at(-1 - tail), added.at(-1 - tail))) tail++;
  const run = {
    from: from + head,
    to: to - tail,
    removed: removed.slice(head, removed.length - tail),
    added: added.slice(head, added.length - tail),
    next: tail > 0 ? removed[removed.length - tail] : next,
  };
  return run.removed.length + run.added.length === 0 ? [] : [run];
}

function same(a: DiffLine | undefined, b: DiffLine | undefined): boolean {
  return a !== undefined && b !== undefined && a.text === b.text && a.cr === b.cr && a.noEol === b.noEol;
}

/** `literal`: added lines bring their own line breaks. A string is the reason why there is no honest answer. */
export function spliceForRun(file: FileLines, run: Run, where: Where, literal: boolean): Splice | string {
  const { lines } = file;
  const texts = textsOf(file, run, where);
  if (typeof texts === 'string') return texts;
  const atEnd = run.to >= lines.length;
  const marked = run.added.findIndex((line) => line.noEol);
  if (marked >= 0 && (marked < run.added.length - 1 || !atEnd))
    return 'it says that the file ends without a line break after a line that is not its last';
  const ends = literal && where.level.literal ? ownEnds(run) : endsFor(lines, run, atEnd);
  // A last line without a line break gets one before more lines follow.
  const open = run.from > 0 && run.removed.length === 0 && lines[run.from - 1]?.ending === '' && texts.length > 0;
  const start = startOf(file, run, literal);
  const last = lines[run.to - 1];
  const end = run.to > run.from && last ? last.start + last.text.length + last.ending.length : start;
  const text = texts.map((line, i) => line + (ends[i] ?? '')).join('');
  return { start, end, text: (open ? endingNear(lines, run.from) : '') + text };
}

/** Offset of the first changed line; a byte order mark that the hunk does not show stays before it. */
function startOf(file: FileLines, run: Run, literal: boolean): number {
  const line = file.lines[run.from];
  if (!line) return file.view.text.length;
  const shown = (run.removed[0] ?? run.next)?.text.startsWith('\ufeff') ?? literal;
  return line.start + (run.from === 0 && file.bom && !shown ? 1 : 0);
}

/** The added lines, with the file's indentation and, where only look-alikes differ, the file's own characters. */
function textsOf(file: FileLines, run: Run, where: Where): string[] | string {
  const { level, place } = where;
  const pairwise = level.fold === lookAlikes && !level.indent && run.removed.length === run.added.length;
  const texts: string[] = [];
  for (const [i, line] of run.added.entries()) {
    const old = run.removed[i];
    if (pairwise && old) {
      const seen = file.seen(run.from + i, old);
      const splice = withinLine(seen, { start: 0, end: seen.length, ending: '' }, old.text, line.text);
      texts.push(seen.slice(0, splice.start) + splice.text + seen.slice(splice.end));
      continue;
    }
    const text = place.indent ? reindent(line.text, place.indent) : line.text;
    if (text === undefined)
      return 'its lines have another indentation than the file, which cannot be carried over; send them as the file has them';
    texts.push(text);
  }
  return texts;
}

function ownEnds(run: Run): Ending[] {
  return run.added.map((line) => (line.noEol ? '' : line.cr ? '\r\n' : '\n'));
}

/** Line breaks of the lines replaced, then of their surroundings; the file's end keeps its form unless the diff changes it. */
function endsFor(lines: readonly Line[], run: Run, atEnd: boolean): Ending[] {
  const near = endingNear(lines, run.from, run.to);
  const ends = run.added.map((_line, i): Ending => {
    const index = run.from + Math.min(i, run.to - run.from - 1);
    return (run.to > run.from ? lines[index]?.ending : undefined) || near;
  });
  if (atEnd && ends.length > 0 && !closes(lines, run)) ends[ends.length - 1] = '';
  return ends;
}

/** Does the file end with a line break afterwards? */
function closes(lines: readonly Line[], run: Run): boolean {
  const now = run.added.at(-1)?.noEol ?? false;
  const old = run.removed.at(-1)?.noEol;
  if (old === undefined ? now : now !== old) return !now;
  return lines.length === 0 || lines.at(-1)?.ending !== '';
}

/** The line break beside line `index`: above it, at `below`, or anywhere after. */
function endingNear(lines: readonly Line[], index: number, below = index): '\n' | '\r\n' {
  for (let i = index - 1; i >= 0 && i >= index - 1000; i--) {
    const ending = lines[i]?.ending;
    if (ending) return ending;
  }
  for (let i = index; i < lines.length && i <= below + 1000; i++) {
    const ending = lines[i]?.ending;
    if (ending) return ending;
  }
  return '\n';
}
