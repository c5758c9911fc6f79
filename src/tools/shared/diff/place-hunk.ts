/** Where a hunk belongs in a file: at the stated place, near it, or anywhere if there is one such place. Never by luck. */
import { type FileLines, type Level, levelsFor, type OldLine, type Place } from './file-lines.js';
import type { DiffLine, Hunk } from './types.js';

export interface Where {
  readonly at: number;
  readonly level: Level;
  readonly place: Place;
  /** The old lines stand nowhere else. */
  readonly unique: boolean;
  readonly notes: readonly string[];
}

export type Placed =
  | { readonly ok: true; readonly where: Where }
  | { readonly ok: false; readonly reason: string; readonly absent?: boolean };

export interface PlaceOptions {
  /** The diff was made from this very content: its numbers are exact. */
  readonly verified: boolean;
  /** Of several exact places the first. */
  readonly first: boolean;
  /** Lines by which earlier hunks stood lower than stated. */
  readonly drift: number;
  /** The line after the last one that earlier hunks changed. */
  readonly after: number;
  /** Lines that earlier hunks removed. */
  readonly taken: ReadonlySet<number>;
}

/** Enough places to list, and to know the nearest among. */
const MOST_PLACES = 2000;
/** How far from its stated line a hunk may be found while the same lines also stand farther away. */
const NEAR = 50;

export function placeHunk(file: FileLines, hunk: Hunk, lines: readonly DiffLine[], options: PlaceOptions): Placed {
  const old = lines.filter((line): line is OldLine => line.kind !== '+');
  if (old.length === 0) return withoutOld(file, hunk, options);
  const inserted = lines.filter((line) => line.kind === '+').map((line) => line.text);
  const blank = old.every((line) => line.text.trim() === '');
  const free = freeOf(file, old.length, options.taken);
  const stated = blank ? undefined : atStated(file, old, { hunk, options, free });
  if (stated) return { ok: true, where: stated };
  for (const level of levelsFor(file.view)) {
    if (file.tired) return { ok: false, reason: 'there are too many like places; give more context or exact line numbers' };
    if (blank && !level.literal && level.name !== 'line endings') break;
    const found = file.places(old, level, { inserted, most: MOST_PLACES });
    const usable = found.filter((place) => free(place.at) && (!hunk.atEnd || place.at + old.length === file.lines.length));
    const places = usable.length > 0 || !hunk.atEnd ? usable : found;
    if (places.length === 0) continue;
    if (blank) return onlyBlank(places, hunk, level, options);
    return choose(file, places, { hunk, level, options });
  }
  return { ok: false, reason: '', absent: true };
}

/** The stated place where the hunk fits to the byte, without a look at all the others. */
function atStated(
  file: FileLines,
  old: readonly OldLine[],
  { hunk, options, free }: { readonly hunk: Hunk; readonly options: PlaceOptions; readonly free: (at: number) => boolean },
): Where | undefined {
  const [level] = levelsFor(file.view);
  if (!level || hunk.oldStart === undefined) return undefined;
  const at = hunk.oldStart - 1 + options.drift;
  if (!file.fitsAt(at, old, level) || !free(at) || (hunk.atEnd && at + old.length !== file.lines.length)) return undefined;
  const unique = file.places(old, level, { inserted: [], most: 2 }).length === 1;
  return { at, level, place: { at }, unique, notes: [] };
}

/** Tells for a place whether the hunk would change or lean on no line there that an earlier hunk removed. */
function freeOf(file: FileLines, count: number, taken: ReadonlySet<number>): (at: number) => boolean {
  if (taken.size === 0) return () => true;
  let before: Uint32Array | undefined;
  return (at) => {
    before ??= countsOf(file.lines.length, taken);
    return before[Math.min(at + count, file.lines.length)] === before[at];
  };
}

/** For each line how many before it are taken. */
function countsOf(length: number, taken: ReadonlySet<number>): Uint32Array {
  const counts = new Uint32Array(length + 1);
  for (let i = 0; i < length; i++) counts[i + 1] = (counts[i] ?? 0) + (taken.has(i) ? 1 : 0);
  return counts;
}

/** Added lines alone: only a line number that says so, or an empty file, tells where they go. */
function withoutOld(file: FileLines, hunk: Hunk, options: PlaceOptions): Placed {
  const count = file.lines.length;
  const level = levelsFor(file.view)[0];
  const at = (index: number, notes: readonly string[], unique: boolean): Placed =>
    level ? { ok: true, where: { at: index, level, place: { at: index }, unique, notes } } : { ok: false, reason: '' };
  if (count === 0) return at(0, [], true);
  if (hunk.atEnd) return at(count, [], true);
  const { oldStart } = hunk;
  if (oldStart === undefined || !hunk.noOldLines)
    return { ok: false, reason: 'it has only added lines, so nothing says where they belong; send unchanged lines around them' };
  if (oldStart === 0 && !options.verified)
    return { ok: false, reason: 'it adds lines as if the file were empty, and it is not; send unchanged lines around them' };
  const index = oldStart;
  if (index > count || index < 0 || (options.drift !== 0 && !options.verified))
    return { ok: false, reason: `it has only added lines, and the file has no line ${oldStart} to put them after` };
  return at(index, options.verified ? [] : [`has no unchanged lines and went after line ${index} by its number alone`], false);
}

/** Blank lines stand everywhere; they count only exactly where a header with right counts puts them. */
function onlyBlank(places: readonly Place[], hunk: Hunk, level: Level, options: PlaceOptions): Placed {
  const stated = hunk.oldStart === undefined ? undefined : hunk.oldStart - 1 + options.drift;
  const place = places.find((one) => one.at === stated);
  if (place && (options.verified || (hunk.counted && options.drift === 0)))
    return { ok: true, where: { at: place.at, level, place, unique: false, notes: [] } };
  return {
    ok: false,
    reason: 'its old lines are all blank, which says nothing about the place; send more unchanged lines around the change',
  };
}

interface Choice {
  readonly hunk: Hunk;
  readonly level: Level;
  readonly options: PlaceOptions;
}

function choose(file: FileLines, places: readonly Place[], { hunk, level, options }: Choice): Placed {
  const exactly = level.literal || level.name === 'line endings';
  const [only] = places;
  const take = (place: Place, notes: readonly string[] = []): Placed => ({
    ok: true,
    where: { at: place.at, level, place, unique: places.length === 1, notes },
  });
  const stated = hunk.oldStart === undefined ? undefined : hunk.oldStart - 1 + options.drift;
  const moved = (place: Place) =>
    hunk.oldStart === undefined || place.at === stated
      ? []
      : [`is stated at line ${hunk.oldStart} and was found at line ${place.at + 1}`];
  if (places.length === 1 && only) return take(only, moved(only));
  if (exactly && stated !== undefined) {
    const place = places.find((one) => one.at === stated) ?? (level.literal ? nearest(places, stated) : undefined);
    if (place) return take(place, moved(place));
  }
  if (exactly && hunk.anchors.length > 0) {
    const place = afterAnchors(file, places, hunk.anchors, options.after);
    if (place) return take(place);
  }
  const later = places.filter((place) => place.at >= options.after);
  const [next] = later;
  if (exactly && options.after > 0 && later.length === 1 && next) return take(next, moved(next));
  if (options.first && level.literal && only)
    return take(only, [`matches ${places.length} places (${listed(places)}); only the first was replaced`]);
  return {
    ok: false,
    reason: `${level.name === '' ? 'it fits' : `with other ${level.name} it fits`} ${places.length} places (${listed(places)}); send more unchanged lines around the change`,
  };
}

/**
 * A model's line numbers are guesses: the nearest place must be near and clearly nearer than the next, and line 1 counts as no
 * number at all.
 */
function nearest(places: readonly Place[], stated: number): Place | undefined {
  const far = (place: Place) => Math.abs(place.at - stated);
  const [best, second] = places.toSorted((a, b) => far(a) - far(b));
  if (!best || !second || stated <= 0) return undefined;
  return far(best) <= NEAR && far(second) > 2 * far(best) + 2 ? best : undefined;
}

/** The first place after the anchors, when these stand in one place only. */
function afterAnchors(file: FileLines, places: readonly Place[], anchors: readonly string[], after: number): Place | undefined {
  let from = 0;
  for (const anchor of anchors) {
    const lines = file.lines.flatMap((line, i) => (i >= from && line.text.trim() === anchor ? [i] : []));
    const later = lines.filter((i) => i >= after);
    const [line, second] = lines.length > 1 && from === 0 ? later : lines;
    if (line === undefined || (second !== undefined && from === 0)) return undefined;
    from = line + 1;
  }
  return places.find((place) => place.at >= from - 1);
}

/** `lines 2, 9, 14`, shortened. */
function listed(places: readonly Place[]): string {
  const shown = places.slice(0, 10).map((place) => place.at + 1);
  return `lines ${shown.join(', ')}${places.length > shown.length ? ', ...' : ''}`;
}
