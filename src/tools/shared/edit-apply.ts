/** One search-and-replace on the bytes of a file: what `patch` does, and each edit of a transaction. */

import { countBreaks } from '../../base/text-lines.js';
import type { ErrorCode } from '../../types/tool.js';
import { counted } from './counted.js';
import { type Found, findMatches, type Match } from './edit-match.js';
import { nearestRegion } from './edit-nearest.js';
import { spliceFor } from './edit-splice.js';
import { applySplices, type Needle, needlesFor, type Splice, type TextView, viewOf, type Wanted } from './edit-view.js';

export interface Edit {
  readonly search: Wanted;
  readonly replace: Wanted;
  /** Demands exactly so many matches and replaces them all. */
  readonly expect?: number;
  readonly all?: boolean;
  /** How many places are replaced, from the first on, when neither `expect` nor `all` says otherwise; 1 when missing. */
  readonly first?: number;
}

/** Lines (1-based, inclusive) an edit took and left; `to` is below `from` when no line is left. */
export interface EditedLines {
  readonly old: readonly [number, number];
  readonly now: readonly [number, number];
}

export type Applied =
  | {
      readonly ok: true;
      readonly bytes: Buffer;
      readonly lines: readonly EditedLines[];
      /** How often the search stands in the file. */
      readonly matches: number;
      /** False when form had to be forgiven. */
      readonly exact: boolean;
      readonly notes: readonly string[];
    }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      /** How many places there were, when they were too few for `first`. */
      readonly places?: number;
    };

/** How many places a message names. */
const MOST_LISTED = 20;

/** Never throws. A refusal changes nothing. `name` is the file's, for messages. */
export function applyEdit(bytes: Buffer, edit: Edit, name: string): Applied {
  if (edit.search.bytes.length === 0)
    return refused('InvalidArgs', 'search is empty; give the text to replace (to write a whole file use write)');
  if (edit.search.bytes.equals(edit.replace.bytes))
    return refused('InvalidArgs', 'search and replace are the same; nothing would change');
  const view = viewOf(bytes, { raw: edit.search.text === undefined || edit.replace.text === undefined });
  const needles = needlesFor(view, edit.search, edit.replace);
  if (!needles.ok) return refused('InvalidArgs', `${name}: ${needles.reason}`);
  for (const needle of needles.list) {
    const most = edit.all || edit.expect !== undefined ? Number.POSITIVE_INFINITY : Math.max(MOST_LISTED, edit.first ?? 1);
    const found = findMatches(view.text, needle.search, { replace: needle.replace, characters: view.encoding !== 'bytes', most });
    if (found.kind !== 'none') return replaceFound(view, found, needle, edit, name);
  }
  return notFound(view, needles.list, edit, name);
}

function refused(code: ErrorCode, message: string): Applied {
  return { ok: false, code, message };
}

function replaceFound(
  view: TextView,
  found: Exclude<Found, { kind: 'none' }>,
  needle: Needle,
  edit: Edit,
  name: string,
): Applied {
  const { matches, count } =
    found.kind === 'exact'
      ? found
      : found.kind === 'forgiven'
        ? { matches: [found.match], count: 1 }
        : { matches: found.matches, count: found.matches.length };
  const where = (shown: readonly Match[]) =>
    listed(linesOf(view.text, shown), shown.length < matches.length ? shown.length : count);
  if (found.kind === 'ambiguous') {
    return refused(
      'Failed',
      `search does not stand in ${name} exactly, and with other ${found.forgiven} it matches ${count} places (${where(matches)}). Such a match must be unique: send the exact text, or more lines around it.`,
    );
  }
  if (edit.expect !== undefined && count !== edit.expect) {
    return refused(
      'Failed',
      `expected ${counted(edit.expect, 'match', 'matches')} in ${name}, found ${count} (${where(matches)}). Nothing was changed.`,
    );
  }
  const overlap = found.kind === 'exact' && found.overlap;
  if (overlap && edit.expect !== undefined) {
    return refused(
      'Failed',
      `in ${name} the matches of search overlap (${where(matches)}), so it is not clear which ${counted(edit.expect, 'is', 'are')} meant; send more lines around them. Nothing was changed.`,
    );
  }
  const every = edit.all === true || edit.expect !== undefined;
  const first = edit.first ?? 1;
  if (!every && count < first) {
    const message = `search stands in ${name} only ${count === 1 ? 'once' : `${count} times`} (${where(matches)}), and equal edits before this one take that`;
    return { ok: false, code: 'NotFound', message, places: count };
  }
  const chosen = every ? matches : matches.slice(0, first);
  const splices: Splice[] = [];
  for (const match of chosen) {
    const splice = spliceFor(view.text, match, needle, found.kind === 'forgiven' ? found.fold : undefined);
    if (!splice)
      return refused(
        'Failed',
        `search matches ${name} at ${where([match])} with another indentation, and the replacement's indentation cannot be carried over; send both with the file's own indentation`,
      );
    splices.push(splice);
  }
  const result = applySplices(view, splices);
  if (result.equals(view.bytes))
    return refused('InvalidArgs', `${name} already reads so (${where(chosen)}); nothing would change`);
  const notes: string[] = needle.note ? [needle.note] : [];
  const halves = chosen.some((match) => match.withReturn);
  if (halves) notes.push('not an exact match; forgiven: line endings');
  if (found.kind === 'forgiven') notes.push(`not an exact match; forgiven: ${found.forgiven.join(', ')}`);
  if (!every && count > first) {
    const replaced = first === 1 ? 'the first was' : `the first ${first} were`;
    notes.push(
      `search matches ${count} places (${where(matches)}); only ${replaced} replaced. Use all: true or expect: ${count} for every one`,
    );
  }
  if (overlap) notes.push('matches of search overlap in the file; places were taken from its beginning');
  return {
    ok: true,
    bytes: result,
    lines: editedLines(view.text, chosen, splices),
    matches: overlap ? Math.max(count, 2) : count,
    exact: found.kind === 'exact' && !halves,
    notes,
  };
}

/** Line numbers of the first matches; they come in the order of the text. */
function linesOf(text: string, matches: readonly Match[]): number[] {
  let line = 1;
  let at = 0;
  return matches.slice(0, MOST_LISTED).map((match) => {
    const start = match.segments[0]?.start ?? 0;
    line += breaks(text, at, start);
    at = start;
    return line;
  });
}

function editedLines(text: string, matches: readonly Match[], splices: readonly Splice[]): EditedLines[] {
  let shift = 0;
  const starts = linesOf(text, matches);
  return starts.map((from, i) => {
    const splice = splices[i] ?? { start: 0, end: 0, text: '' };
    const start = matches[i]?.segments[0]?.start ?? 0;
    const end = matches[i]?.segments.at(-1)?.end ?? 0;
    // A match that ends with a line break does not reach into the next line.
    const to = Math.max(from, from + breaks(text, start, end) - (end > start && text[end - 1] === '\n' ? 1 : 0));
    const gained = breaks(splice.text, 0, splice.text.length) - breaks(text, splice.start, splice.end);
    const lines: EditedLines = { old: [from, to], now: [from + shift, to + shift + gained] };
    shift += gained;
    return lines;
  });
}

function breaks(text: string, from: number, to: number): number {
  return countBreaks(text.slice(from, to));
}

/** `lines 2, 9, 14`, shortened. */
function listed(lines: readonly number[], count: number): string {
  return `line${count === 1 ? '' : 's'} ${lines.join(', ')}${count > lines.length ? ', ...' : ''}`;
}

function notFound(view: TextView, needles: readonly Needle[], edit: Edit, name: string): Applied {
  const wanted = edit.expect === undefined ? '' : ` (expected ${counted(edit.expect, 'match', 'matches')})`;
  const message = `search was not found in ${name}${wanted}. Nothing was changed.`;
  if (view.text === '') return refused('NotFound', `${message} The file is empty.`);
  const [needle] = needles;
  if (!needle) return refused('NotFound', message);
  const there = presentAlready(view, needle);
  if (there !== undefined)
    return refused('NotFound', `${message} The replacement already stands there (${there}): the change seems to be made.`);
  const nearest =
    view.encoding === 'bytes' && edit.search.text === undefined ? undefined : nearestRegion(view.text, needle.search);
  return refused(
    'NotFound',
    nearest ? `${message}\n${nearest}` : `${message} Nothing in the file is like it; read the file again.`,
  );
}

function presentAlready(view: TextView, needle: Needle): string | undefined {
  if (needle.replace.trim().length < 3) return undefined;
  const found = findMatches(view.text, needle.replace, { replace: '', characters: false, most: MOST_LISTED });
  if (found.kind === 'exact') return listed(linesOf(view.text, found.matches), found.count);
  return found.kind === 'forgiven' ? listed(linesOf(view.text, [found.match]), 1) : undefined;
}
