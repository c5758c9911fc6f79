/** The lines of a file as hunks are compared with them, and the ways in which they may differ in form. */
import { type Line, splitLines } from '../../../base/text-lines.js';
import { asIs, type Fold, lookAlikes, withoutTrailing } from '../edit-fold.js';
import { type IndentMap, indentMap, indentOf } from '../edit-indent.js';
import type { TextView } from '../edit-view.js';
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
  readonly #folded = new Map<string, readonly string[]>();

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

  #foldedLines(level: Level): readonly string[] {
    const key = `${level.fold === lookAlikes} ${level.fold === asIs} ${level.indent}`;
    let list = this.#folded.get(key);
    if (!list) {
      list = this.lines.map((_line, at) => folded(this.seen(at, undefined), level));
      this.#folded.set(key, list);
    }
    return list;
  }

  /** All places (0-based) where the old lines stand at this level, and the indentation found there. At most `most`. */
  places(
    old: readonly OldLine[],
    level: Level,
    options: { readonly inserted: readonly string[]; readonly most: number },
  ): Place[] {
    const file = this.#foldedLines(level);
    const wanted = old.map((line) => folded(line.text, level));
    const places: Place[] = [];
    for (let at = 0; at + old.length <= file.length && places.length < options.most; at++) {
      let k = 0;
      while (k < old.length && this.#same(at + k, old[k], wanted[k] ?? '', file[at + k] ?? '', level)) k++;
      if (k < old.length) continue;
      if (!level.indent) places.push({ at });
      else {
        const indent = this.#indentAt(at, old, options.inserted);
        if (indent) places.push({ at, indent });
      }
    }
    return places;
  }

  #same(at: number, old: OldLine | undefined, wanted: string, file: string, level: Level): boolean {
    const line = this.lines[at];
    if (!old || !line) return false;
    const hides = this.hidesMark(at, old);
    if (at === 0 && this.bom && !hides ? folded(line.text, level) !== wanted : file !== wanted) return false;
    // The mark says that the file ends here.
    if (old.noEol && at !== this.lines.length - 1) return false;
    return !level.literal || line.ending === (old.noEol ? '' : old.cr ? '\r\n' : '\n');
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

export interface Place {
  readonly at: number;
  readonly indent?: IndentMap;
}

function folded(text: string, level: Level): string {
  const plain = level.fold(text).text;
  return level.indent ? plain.trimStart() : plain;
}
