/** From a match and its replacement to the smallest exact change: lines that stay are the file's own bytes. */
import { type Ending, splitBreaks } from '../../base/text-lines.js';
import { type Fold, lookAlikes, unfold } from './edit-fold.js';
import { type IndentMap, indentOf } from './edit-indent.js';
import type { Match, Segment } from './edit-match.js';
import type { Splice } from './edit-view.js';

/** Undefined when the replacement's indentation cannot be carried over to the file's. */
export function spliceFor(
  text: string,
  match: Match,
  needle: { readonly search: string; readonly replace: string },
  fold?: Fold,
): Splice | undefined {
  const search = splitBreaks(needle.search);
  const replace = splitBreaks(needle.replace);
  const [firstSegment] = match.segments;
  const lastSegment = match.segments.at(-1);
  if (!firstSegment || !lastSegment) return undefined;
  // A change of nothing but line endings is meant literally.
  if (search.pieces.join('\n') === replace.pieces.join('\n'))
    return { start: firstSegment.start, end: lastSegment.end, text: needle.replace };
  const from = [...search.pieces];
  const to = [...replace.pieces];
  if (match.atEnd) {
    from.pop();
    if (to.length > 1 && to.at(-1) === '') to.pop();
  }
  const head = common(from, to, 0);
  const tail = common(from.toReversed(), to.toReversed(), head);
  const { indent } = match;
  const middle = to.slice(head, to.length - tail).map((piece) => (indent ? reindent(piece, indent) : piece));
  if (middle.some((piece) => piece === undefined)) return undefined;
  const inserted = middle.filter((piece) => piece !== undefined);
  return place(text, match.segments, { head, tail, old: from.slice(head, from.length - tail), inserted }, fold);
}

/** How many pieces are equal from the front, `taken` of the shorter list being spoken for already. */
function common(a: readonly string[], b: readonly string[], taken: number): number {
  const most = Math.min(a.length, b.length) - taken;
  let count = 0;
  while (count < most && a[count] === b[count]) count++;
  return count;
}

/** A line with the file's indentation; undefined when it cannot be carried over. */
export function reindent(piece: string, map: IndentMap): string | undefined {
  if (piece.trim() === '') return '';
  const indent = indentOf(piece);
  const mapped = map.apply(indent);
  return mapped === undefined ? undefined : mapped + piece.slice(indent.length);
}

interface Middle {
  /** Pieces at both ends that stay. */
  readonly head: number;
  readonly tail: number;
  readonly old: readonly string[];
  readonly inserted: readonly string[];
}

function place(text: string, segments: readonly Segment[], middle: Middle, fold: Fold | undefined): Splice {
  const { head, tail, old, inserted } = middle;
  const after = segments.length - tail;
  const first = segments[head];
  const last = segments[after - 1];
  const next = segments[after];
  if (old.length > 0 && inserted.length > 0 && first && last) {
    if (old.length === 1 && inserted.length === 1 && fold === lookAlikes)
      return withinLine(text, first, old[0] ?? '', inserted[0] ?? '');
    return { start: first.start, end: last.end, text: joined(inserted, endingsOf(text, segments, head, after - 1)) };
  }
  if (old.length > 0 && first && last) {
    // Lines go with their own breaks; at the very end with the break before them.
    if (next) return { start: first.start, end: next.start, text: '' };
    const before = segments[head - 1];
    return { start: before ? before.end : first.start, end: last.end, text: '' };
  }
  const ending = endingNear(text, segments, head);
  if (next) return { start: next.start, end: next.start, text: inserted.map((piece) => piece + ending).join('') };
  const end = segments.at(-1)?.end ?? 0;
  return { start: end, end, text: inserted.map((piece) => ending + piece).join('') };
}

/** In a line matched by look-alikes only what differs is replaced, so that the rest keeps its own characters. */
export function withinLine(text: string, segment: Segment, old: string, inserted: string): Splice {
  const line = text.slice(segment.start, segment.end);
  const folded = lookAlikes(line);
  const before = lookAlikes(old);
  const wanted = lookAlikes(inserted);
  let head = commonText(before.text, wanted.text);
  while (head > 0 && (unfold(folded, head) === undefined || unfold(wanted, head) === undefined)) head--;
  const room = Math.min(before.text.length, wanted.text.length) - head;
  let tail = 0;
  while (tail < room && before.text.at(-1 - tail) === wanted.text.at(-1 - tail)) tail++;
  while (
    tail > 0 &&
    (unfold(folded, folded.text.length - tail) === undefined || unfold(wanted, wanted.text.length - tail) === undefined)
  )
    tail--;
  const start = unfold(folded, head) ?? 0;
  const end = tail === 0 ? line.length : (unfold(folded, folded.text.length - tail) ?? line.length);
  const replacement = inserted.slice(
    unfold(wanted, head) ?? 0,
    tail === 0 ? undefined : unfold(wanted, wanted.text.length - tail),
  );
  return { start: segment.start + start, end: segment.start + end, text: replacement };
}

function commonText(a: string, b: string): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count++;
  return count;
}

function joined(pieces: readonly string[], endings: (index: number) => Ending): string {
  return pieces.map((piece, i) => (i === 0 ? piece : endings(i - 1) + piece)).join('');
}

/** The break for the i-th gap between inserted lines: that of the old gap in its place, else of the last one, else a neighbour's. */
function endingsOf(text: string, segments: readonly Segment[], from: number, to: number): (index: number) => Ending {
  const old = segments.slice(from, to).map((segment) => segment.ending);
  let near = old.at(-1);
  return (index) => {
    near ??= endingNear(text, segments, from);
    return old[index] ?? near;
  };
}

/** How far a neighbouring line break is looked for, in characters. */
const NEIGHBOURHOOD = 65_536;

/** The line break a new line beside segment `index` gets: of the line before, of the line itself, or of the one above the match. */
function endingNear(text: string, segments: readonly Segment[], index: number): Ending {
  const previous = segments.slice(0, index).findLast((segment) => segment.ending !== '')?.ending;
  if (previous) return previous;
  const own = segments[index]?.ending;
  if (own) return own;
  const end = segments.at(-1)?.end ?? 0;
  const below = text.slice(end, end + NEIGHBOURHOOD).indexOf('\n');
  if (below >= 0) return text[end + below - 1] === '\r' ? '\r\n' : '\n';
  const start = segments[0]?.start ?? 0;
  const before = text.slice(Math.max(0, start - NEIGHBOURHOOD), start);
  const above = before.lastIndexOf('\n');
  return above > 0 && before[above - 1] === '\r' ? '\r\n' : '\n';
}
