/** Where a search stands in a text: exactly, or with nothing but form forgiven. Content is never guessed. */
import { type Ending, type Line, splitBreaks, splitLines } from '../../base/text-lines.js';
import { asIs, type Fold, type Folded, lookAlikes, unfold, withoutTrailing } from './edit-fold.js';
import { type IndentMap, indentMap, indentOf } from './edit-indent.js';
import { findSequence } from './sequence-search.js';

/** One line's part of a match: offsets in the text, and the line break after it (absent for the last). */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly ending: Ending;
}

export interface Match {
  /** One for each piece of the search between line breaks. */
  readonly segments: readonly Segment[];
  /** Set when indentation was forgiven. */
  readonly indent?: IndentMap;
  /** The file ends where the search has its last line break. */
  readonly atEnd?: boolean;
  /** The search begins with a line feed that is the end of a CRLF here; the match takes the carriage return too. */
  readonly withReturn?: boolean;
}

export type Found =
  /** `matches` holds the first ones, `count` says how many there are; `overlap`: other choices of places are possible. */
  | { readonly kind: 'exact'; readonly matches: readonly Match[]; readonly count: number; readonly overlap: boolean }
  | { readonly kind: 'forgiven'; readonly match: Match; readonly forgiven: readonly string[]; readonly fold: Fold }
  | { readonly kind: 'ambiguous'; readonly matches: readonly Match[]; readonly forgiven: string }
  | { readonly kind: 'none' };

export interface FindOptions {
  /** Only its indentation is looked at. */
  readonly replace: string;
  /** False: the text is bytes, so nothing is known about its typographic characters. */
  readonly characters: boolean;
  /** How many exact matches are wanted with their places. */
  readonly most: number;
}

/** The most exact reading that matches anywhere; a forgiven one only when it is the only place. */
export function findMatches(text: string, search: string, options: FindOptions): Found {
  const exact = exactMatches(text, search, options.most);
  if (exact.count > 0) return { kind: 'exact', ...exact };
  const lines = splitLines(text);
  const { pieces, endings } = splitBreaks(search);
  const levels: { name: string; fold: Fold; indent: boolean }[] = [
    { name: 'line endings', fold: asIs, indent: false },
    { name: 'white space at line ends', fold: withoutTrailing, indent: false },
    { name: 'indentation', fold: withoutTrailing, indent: true },
  ];
  if (options.characters) {
    levels.push(
      { name: 'typographic characters', fold: lookAlikes, indent: false },
      { name: 'indentation and typographic characters', fold: lookAlikes, indent: true },
    );
  }
  for (const { name, fold, indent } of levels) {
    const matches = indent ? indentedMatches(lines, pieces, fold, options.replace) : lineMatches(lines, pieces, fold);
    const [match, second] = matches;
    if (match && second) return { kind: 'ambiguous', matches, forgiven: name };
    if (match) return { kind: 'forgiven', match, fold, forgiven: differences(text, { pieces, endings }, match, fold) };
  }
  return { kind: 'none' };
}

/** The first `most` places from the left, not overlapping, and how many there are. */
function exactMatches(text: string, search: string, most: number): { matches: Match[]; count: number; overlap: boolean } {
  const matches: Match[] = [];
  let [count, overlap, free] = [0, false, 0];
  const mayOverlap = search.length > 1;
  const { pieces, endings } = splitBreaks(search);
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) {
    count++;
    // A CRLF is one line break; half of one is never cut out.
    const withReturn = search[0] === '\n' && at > free && text[at - 1] === '\r';
    if (count <= most) {
      const segments = segmentsAt(at, pieces, endings);
      matches.push(withReturn ? { segments: segments.map(takeReturn), withReturn } : { segments });
    }
    free = at + search.length;
    if (mayOverlap && !overlap) overlap = text.slice(at + 1, at + 2 * search.length - 1).includes(search);
  }
  return { matches, count, overlap: overlap && !sameFromEnd(text, search) };
}

/** Does counting from the end find the same places as from the beginning? */
function sameFromEnd(text: string, search: string): boolean {
  const places: number[] = [];
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) places.push(at);
  let at = text.lastIndexOf(search);
  while (at >= 0 && places.pop() === at) at = at < search.length ? -1 : text.lastIndexOf(search, at - search.length);
  return at < 0 && places.length === 0;
}

function takeReturn(segment: Segment, index: number): Segment {
  return index === 0 ? { start: segment.start - 1, end: segment.end - 1, ending: '\r\n' } : segment;
}

function segmentsAt(at: number, pieces: readonly string[], endings: readonly Ending[]): Segment[] {
  let start = at;
  return pieces.map((piece, i) => {
    const segment = { start, end: start + piece.length, ending: endings[i] ?? '' } as const;
    start = segment.end + segment.ending.length;
    return segment;
  });
}

/** Enough to know that a match is not the only one. */
const ENOUGH = 50;
/** Where the same lines stand so often with any indentation, only the first places are looked at more closely. */
const MOST_SHIFTED = 500;

function lineMatches(lines: readonly Line[], pieces: readonly string[], fold: Fold): Match[] {
  const wanted = pieces.map((piece) => fold(piece).text);
  // White space alone says nothing about the place.
  if (fold !== asIs && wanted.every((piece) => piece === '')) return [];
  const matches: Match[] = [];
  if (pieces.length === 1) {
    for (let i = 0; i < lines.length && matches.length < ENOUGH; i++)
      matches.push(...withinLine(lines[i], pieces[0] ?? '', wanted[0] ?? '', fold));
    return matches;
  }
  const middle = wanted.slice(1, -1);
  const starts = middle.length === 0 ? lines.keys() : findSequence(foldAll(lines, fold), middle).map((at) => at - 1);
  for (const from of starts) {
    if (matches.length >= ENOUGH) break;
    const match = acrossLines(lines, from, pieces, wanted, fold);
    if (match) matches.push(match);
  }
  return matches;
}

function foldAll(lines: readonly Line[], fold: Fold): string[] {
  return lines.map((line) => fold(line.text).text);
}

function withinLine(line: Line | undefined, piece: string, wanted: string, fold: Fold): Match[] {
  if (!line || wanted === '') return [];
  const folded = fold(line.text);
  // White space at the end of the search may only be forgiven where the line ends too.
  const toEnd = piece.trimEnd() !== piece;
  const matches: Match[] = [];
  for (
    let at = folded.text.indexOf(wanted);
    at >= 0 && matches.length < ENOUGH;
    at = folded.text.indexOf(wanted, at + wanted.length)
  ) {
    if (toEnd && at + wanted.length !== folded.text.length) continue;
    const start = unfold(folded, at);
    const end = toEnd ? line.text.length : unfold(folded, at + wanted.length);
    if (start !== undefined && end !== undefined)
      matches.push({ segments: [{ start: line.start + start, end: line.start + end, ending: '' }] });
  }
  return matches;
}

/** The first piece ends a line, the last begins one; those between are whole lines and known to be equal. */
function acrossLines(
  lines: readonly Line[],
  from: number,
  pieces: readonly string[],
  wanted: readonly string[],
  fold: Fold,
): Match | undefined {
  const first = lines[from];
  const head = first && fold(first.text);
  if (!first || !head || first.ending === '' || !head.text.endsWith(wanted[0] ?? ''))
    return atLastLine(lines, from, pieces, wanted, fold);
  const start = unfold(head, head.text.length - (wanted[0] ?? '').length);
  if (start === undefined) return undefined;
  const final = lines[from + pieces.length - 2];
  const open = pieces.length > 2 && final?.ending === '';
  if (open && pieces.at(-1) !== '') return undefined;
  const last = open ? undefined : lastSegment(lines, from + pieces.length - 1, pieces.at(-1) ?? '', wanted.at(-1) ?? '', fold);
  if (!open && !last) return undefined;
  const segments: Segment[] = [{ start: first.start + start, end: first.start + first.text.length, ending: first.ending }];
  segments.push(...lines.slice(from + 1, from + pieces.length - 1).map(whole));
  return last ? { segments: [...segments, last] } : { segments, atEnd: true };
}

/** `text\n` where the file ends with `text`. */
function atLastLine(
  lines: readonly Line[],
  from: number,
  pieces: readonly string[],
  wanted: readonly string[],
  fold: Fold,
): Match | undefined {
  const line = lines[from];
  if (line?.ending !== '' || pieces.length !== 2 || pieces[1] !== '' || pieces[0] === '') return undefined;
  const folded = fold(line.text);
  if (!folded.text.endsWith(wanted[0] ?? '')) return undefined;
  const start = unfold(folded, folded.text.length - (wanted[0] ?? '').length);
  return start === undefined ? undefined : { segments: [{ ...whole(line), start: line.start + start }], atEnd: true };
}

function lastSegment(lines: readonly Line[], index: number, piece: string, wanted: string, fold: Fold): Segment | undefined {
  const line = lines[index];
  const before = lines[index - 1];
  if (piece === '') {
    const start = line?.start ?? (before ? before.start + before.text.length + before.ending.length : 0);
    return { start, end: start, ending: '' };
  }
  if (!line) return undefined;
  const folded: Folded = fold(line.text);
  if (piece.trimEnd() !== piece) return folded.text === wanted ? { ...whole(line), ending: '' } : undefined;
  if (!folded.text.startsWith(wanted)) return undefined;
  const end = unfold(folded, wanted.length);
  return end === undefined ? undefined : { start: line.start, end: line.start + end, ending: '' };
}

function whole(line: Line): Segment {
  return { start: line.start, end: line.start + line.text.length, ending: line.ending };
}

/** Whole lines whose content is equal and whose indentation differs by one uniform shift. */
function indentedMatches(lines: readonly Line[], pieces: readonly string[], fold: Fold, replace: string): Match[] {
  const openEnd = pieces.length > 1 && pieces.at(-1) === '';
  const body = openEnd ? pieces.slice(0, -1) : pieces;
  const wanted = body.map((piece) => fold(piece).text.trimStart());
  if (wanted.every((piece) => piece === '')) return [];
  const indents = splitBreaks(replace)
    .pieces.filter((piece) => piece.trim() !== '')
    .map(indentOf);
  const matches: Match[] = [];
  const places = findSequence(
    foldAll(lines, fold).map((text) => text.trimStart()),
    wanted,
    MOST_SHIFTED,
  );
  for (const from of places) {
    if (matches.length >= ENOUGH) break;
    const region = lines.slice(from, from + body.length);
    const pairs = region
      .map((line, k) => ({ search: indentOf(body[k] ?? ''), file: indentOf(line.text) }))
      .filter((_, k) => wanted[k] !== '');
    const indent = indentMap(pairs, indents);
    if (!indent) continue;
    const segments = region.map(whole);
    const last = region.at(-1);
    if (openEnd && last?.ending === '') matches.push({ segments, indent, atEnd: true });
    else if (openEnd && last) {
      const start = last.start + last.text.length + last.ending.length;
      matches.push({ segments: [...segments, { start, end: start, ending: '' }], indent });
    } else
      matches.push({
        segments: segments.map((segment, k) => (k === segments.length - 1 ? { ...segment, ending: '' } : segment)),
        indent,
      });
  }
  return matches;
}

/** What had to be forgiven, in words. */
function differences(text: string, search: ReturnType<typeof splitBreaks>, match: Match, fold: Fold): string[] {
  const { pieces, endings } = search;
  const found = match.segments.map((segment) => text.slice(segment.start, segment.end));
  const names: string[] = [];
  if (match.indent) names.push(match.indent.note);
  const bare = (line: string) => (match.indent ? line.trimStart() : line);
  if (found.some((line, i) => bare(line).trimEnd() === bare(pieces[i] ?? '').trimEnd() && bare(line) !== bare(pieces[i] ?? '')))
    names.push('white space at line ends');
  if (fold === lookAlikes && found.some((line, i) => bare(line).trimEnd() !== bare(pieces[i] ?? '').trimEnd()))
    names.push('typographic characters');
  if (match.atEnd) names.push('the line break at the end of the file');
  if (match.segments.slice(0, -1).some((segment, i) => segment.ending !== endings[i])) names.push('line endings');
  return names;
}
