/** The text being typed: a cursor that moves by what people see as one letter, killed text, undo. */

import { letterAfter, letterBefore, wholeLetters } from '../letters.js';
import { createEdits } from './edits.js';
import { createFolds, isFold, typable } from './folds.js';
import { createKillRing } from './kill-ring.js';
import { blankBefore, wordAfter, wordBefore } from './words.js';

/** Every change can be taken back with `undo`, and is cheap in a long text. Folded pastes are one letter each (`isFold`). */
export class Buffer {
  #text = '';
  #cursor = 0;
  readonly #folds = createFolds();
  readonly #edits = createEdits();
  readonly #kills = createKillRing();
  /** The stretch put back last, while nothing else was done. */
  #yanked: { readonly from: number; readonly to: number } | undefined;

  get text(): string {
    return this.#text;
  }

  /** Index in `text`, never inside a letter. */
  get cursor(): number {
    return this.#cursor;
  }

  /** The text with folded pastes in full. */
  whole(): string {
    return this.#folds.whole(this.#text);
  }

  /** Number and lines of a folded paste; undefined: this letter is none. */
  foldOf(letter: string): { readonly number: number; readonly lines: number } | undefined {
    return this.#folds.about(letter);
  }

  /** `typing`: joins the step before in undo when that was typing too. */
  insert(text: string, { typing = false }: { readonly typing?: boolean } = {}): void {
    this.#change(this.#cursor, this.#cursor, typable(text), typing);
  }

  /** Inserts a long text as one letter. The same again, right behind it, puts it there in full instead. */
  insertFolded(text: string): void {
    const clean = typable(text);
    const at = this.#cursor;
    const isAgain = at > 0 && this.#folds.textOf(this.#text[at - 1] ?? '') === clean;
    if (isAgain) this.#change(at - 1, at, clean);
    else this.#change(at, at, this.#folds.keep(clean) ?? clean);
  }

  /** Opens the folded paste beside the cursor; false: there is none. */
  unfold(): boolean {
    const at = [this.#cursor - 1, this.#cursor].find((place) => isFold(this.#text[place] ?? ''));
    const text = at === undefined ? undefined : this.#folds.textOf(this.#text[at] ?? '');
    if (at === undefined || text === undefined) return false;
    this.#change(at, at + 1, text);
    return true;
  }

  /** Replaces a stretch; the cursor stands behind it. */
  replace(from: number, to: number, text: string): void {
    this.#change(from, to, typable(text));
  }

  /** Replaces all; the cursor stands at the end. */
  set(text: string): void {
    this.restore(typable(text));
  }

  /** Puts back what `text` was before, folds and all. */
  restore(text: string): void {
    if (text === this.#text) this.move(text.length);
    else this.#change(0, this.#text.length, text);
  }

  /** An empty text that remembers nothing but what was killed. */
  reset(): void {
    this.#kills.change((text) => this.#folds.whole(text));
    this.#folds.clear();
    this.#edits.clear();
    this.#text = '';
    this.#cursor = 0;
    this.#pause();
  }

  move(to: number): void {
    this.#pause();
    this.#edits.pause();
    this.#cursor = wholeLetters(this.#text, to);
  }

  /** Deletes from the cursor to an index, either way; `kill`: it can be put back with `yank`. */
  delete(to: number, { kill = false }: { readonly kill?: boolean } = {}): void {
    const back = to < this.#cursor;
    const [from, until] = back ? [to, this.#cursor] : [this.#cursor, to];
    if (from === until) return;
    const gone = this.#text.slice(from, until);
    if (!kill) this.#pause();
    this.#yanked = undefined;
    this.#splice(from, until, '', false);
    if (kill) this.#kills.add(gone, back);
  }

  /** Inserts what was killed last. */
  yank(): void {
    this.#put(this.#kills.newest(), this.#cursor, this.#cursor);
  }

  /** Right after `yank`: what was killed before that takes its place. */
  yankOlder(): void {
    if (this.#yanked) this.#put(this.#kills.older(), this.#yanked.from, this.#yanked.to);
  }

  /** Exchanges the letters around the cursor; at the end of a line the two before it. */
  transpose(): void {
    const text = this.#text;
    const middle = this.#cursor === this.lineEnd() ? this.left() : this.#cursor;
    const from = letterBefore(text, middle);
    const to = letterAfter(text, middle);
    if (middle === 0 || to > text.length || text[middle] === '\n' || text[from] === '\n' || middle >= text.length) return;
    this.#change(from, to, text.slice(middle, to) + text.slice(from, middle));
  }

  /** False: there was nothing to take back. */
  undo(): boolean {
    const edit = this.#edits.back();
    if (!edit) return false;
    this.#text = this.#with(edit.at, edit.at + edit.inserted.length, edit.removed);
    this.#cursor = edit.cursor;
    this.#pause();
    return true;
  }

  /** False: there was nothing to do again. */
  redo(): boolean {
    const edit = this.#edits.again();
    if (!edit) return false;
    this.#text = this.#with(edit.at, edit.at + edit.removed.length, edit.inserted);
    this.#cursor = wholeLetters(this.#text, edit.at + edit.inserted.length);
    this.#pause();
    return true;
  }

  left(): number {
    return letterBefore(this.#text, this.#cursor);
  }

  right(): number {
    return letterAfter(this.#text, this.#cursor);
  }

  wordLeft(): number {
    return wordBefore(this.#text, this.#cursor);
  }

  wordRight(): number {
    return wordAfter(this.#text, this.#cursor);
  }

  /** The beginning of what stands between blanks. */
  blankLeft(): number {
    return blankBefore(this.#text, this.#cursor);
  }

  lineStart(at = this.#cursor): number {
    return at === 0 ? 0 : this.#text.lastIndexOf('\n', at - 1) + 1;
  }

  lineEnd(at = this.#cursor): number {
    const end = this.#text.indexOf('\n', at);
    return end < 0 ? this.#text.length : end;
  }

  #put(text: string | undefined, from: number, to: number): void {
    if (text === undefined) return;
    this.#change(from, to, text);
    this.#yanked = { from, to: from + text.length };
  }

  #change(from: number, to: number, inserted: string, typing = false): void {
    this.#pause();
    if (from !== to || inserted !== '') this.#splice(from, to, inserted, typing);
  }

  #splice(from: number, to: number, inserted: string, typing: boolean): void {
    const removed = this.#text.slice(from, to);
    if (removed !== inserted) this.#edits.add({ at: from, removed, inserted, cursor: this.#cursor, typing });
    this.#text = this.#with(from, to, inserted);
    // What now stands together may be one letter.
    this.#cursor = wholeLetters(this.#text, from + inserted.length);
  }

  #with(from: number, to: number, piece: string): string {
    return this.#text.slice(0, from) + piece + this.#text.slice(to);
  }

  #pause(): void {
    this.#kills.pause();
    this.#yanked = undefined;
  }
}
