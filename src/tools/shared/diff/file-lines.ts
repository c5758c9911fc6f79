/** The lines of a file as hunks are compared with them, and the ways in which they may differ in form. */
import { type Ending, type Line, splitLines } from '../../../base/text-lines.js';
import { asIs, type Fold, lookAlikes, withoutTrailing } from '../edit-fold.js';
import { type IndentMap, indentMap, indentOf } from '../edit-indent.js';
import type { TextView } from '../edit-view.js';
import { findSequence } from '../sequence-search.js';
import type { DiffLine } from './types.js';

/** An old line of a hunk in the units of the view. */
export interface OldLine extends DiffLine {
  readonly kind: ' ' | '-';
}

export interface Level {
  /** For the result; empty for a match to the byte. */
  readonly name: string;
  readonly fold: Fold;
  readonly indent: boolean;
  /** Line breaks have to be the same too. */
  readonly literal: boolean;
}

const LEVELS: readonly Level[] = [
  { name: '', fold: asIs, indent: false, literal: true },
  { name: 'line endings', fold: asIs, indent: false, literal: false },
  { name: 'white space at line ends', fold: withoutTrailing, indent: false, literal: false },
  { name: 'indentation', fold: withoutTrailing, indent: true, literal: false },
];
const CHARACTER_LEVELS: readonly Level[] = [
  { name: 'typographic characters', fold: lookAlikes, indent: false, literal: false },
  { name: 'indentation and typographic characters', fold: lookAlikes, indent: true, literal: false },
];

/** In the order in which they are tried. */
export function levelsFor(view: TextView): readonly Level[] {
  return view.encoding === 'bytes' ? LEVELS : [...LEVELS, ...CHARACTER_LEVELS];
}

export class FileLines {
  readonly lines: readonly Line[];
  /** A byte order mark begins the first line. */
  readonly bom: boolean;
  /** Lines looked at so far: what the work on this file costs. */
  #looked = 0;
  readonly #folded = new Map<Level, readonly string[]>();

  constructor(readonly view: TextView) {
    this.lines = splitLines(view.text);
    this.bom = view.encoding !== 'bytes' && view.text.startsWith('\ufeff');
  }

  /** Does the first line match without its byte order mark? */
  hidesMark(at: number, old: OldLine | undefined): boolean {
    return at === 0 && this.bom && !old?.text.startsWith('\ufeff');
  }

  /** The text of line `at` as line `old` of a hunk sees it. */
  seen(at: number, old: OldLine | undefined): string {
    const text = this.lines[at]?.text ?? '';
    return this.hidesMark(at, old) ? text.slice(1) : text;
  }

  /** So much was looked at that going on would keep everything waiting. */
  get tired(): boolean {
    return this.#looked > MOST_LOOKED;
  }

  /** Do the old lines stand at `at` to the byte? */
  fitsAt(at: number, old: readonly OldLine[], level: Level): boolean {
    const keys = this.#keys(level);
    if (at < 0 || at + old.length > keys.length || (at === 0 && this.bom)) return false;
    this.#looked += old.length;
    return old.every((line, k) => {
      if (line.noEol && at + k !== keys.length - 1) return false;
      return keys[at + k] === this.#key(folded(line.text, level), oldEnding(line), level);
    });
  }

  /** All places (0-based) where the old lines stand at this level, and the indentation found there. At most `most`. */
  places(
    old: readonly OldLine[],
    level: Level,
    options: { readonly inserted: readonly string[]; readonly most: number },
  ): Place[] {
    const wanted = old.map((line) => this.#key(folded(line.text, level), oldEnding(line), level));
    const found = findSequence(this.#keys(level), wanted, level.indent ? MOST_SHIFTED : options.most);
    // Only a first line that shows its byte order mark is another one than in the list.
    if (this.bom && old[0]?.text.startsWith('\ufeff') && this.#fitsAtTop(old, wanted, level)) found.unshift(0);
    this.#looked += this.lines.length + old.length + found.length * (level.indent ? 10 * old.length : 1);
    const marks = [...old.keys()].filter((k) => old[k]?.noEol);
    const places: Place[] = [];
    for (const at of found) {
      if (places.length >= options.most) break;
      // The mark for a missing line break says that the file ends here.
      if (marks.some((k) => at + k !== this.lines.length - 1)) continue;
      const indent = level.indent ? this.#indentAt(at, old, options.inserted) : undefined;
      if (!level.indent) places.push({ at });
      else if (indent) places.push({ at, indent });
    }
    return places;
  }

  #key(text: string, ending: Ending, level: Level): string {
    return level.literal ? `${text}${ending === '' ? '\0' : ending}` : text;
  }

  #keys(level: Level): readonly string[] {
    let list = this.#folded.get(level);
    if (!list) {
      list = this.lines.map((line, at) => this.#key(folded(this.seen(at, undefined), level), line.ending, level));
      this.#folded.set(level, list);
    }
    return list;
  }

  #fitsAtTop(old: readonly OldLine[], wanted: readonly string[], level: Level): boolean {
    const keys = this.#keys(level);
    const [first] = this.lines;
    if (!first || old.length > keys.length || this.#key(folded(first.text, level), first.ending, level) !== wanted[0])
      return false;
    return wanted.every((key, k) => k === 0 || key === keys[k]);
  }

  #indentAt(at: number, old: readonly OldLine[], inserted: readonly string[]): IndentMap | undefined {
    const pairs = old
      .map((line, k) => ({
        search: indentOf(line.text),
        file: indentOf(this.seen(at + k, line)),
        blank: line.text.trim() === '',
      }))
      .filter((pair) => !pair.blank);
    return indentMap(pairs, inserted.filter((text) => text.trim() !== '').map(indentOf));
  }
}

/** Some seconds of work. */
const MOST_LOOKED = 100_000_000;
/** Where the same lines stand so often with any indentation, only the first places are looked at more closely. */
const MOST_SHIFTED = 500;

function oldEnding(line: OldLine): Ending {
  return line.noEol ? '' : line.cr ? '\r\n' : '\n';
}

export interface Place {
  readonly at: number;
  readonly indent?: IndentMap;
}

function folded(text: string, level: Level): string {
  const plain = level.fold(text).text;
  return level.indent ? plain.trimStart() : plain;
}
