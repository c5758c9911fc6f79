/** What can be taken back: single changes of a text, joined while one types. */

/** A stretch replaced by another. */
export interface Edit {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  /** The cursor before. */
  readonly cursor: number;
  readonly typing: boolean;
}

export interface Edits {
  /** A change that was made; ends what could be done again. */
  add(edit: Edit): void;
  /** The last change, which the caller takes back. */
  back(): Edit | undefined;
  /** The change taken back last, which the caller makes again. */
  again(): Edit | undefined;
  /** What is typed next is a step of its own. */
  pause(): void;
  clear(): void;
}

const MOST_STEPS = 1000;
/** Characters kept in all; the oldest steps go first. */
const MOST_KEPT = 8 * 1024 * 1024;

const sizeOf = ({ removed, inserted }: Edit): number => removed.length + inserted.length;

export function createEdits(): Edits {
  let done: Edit[] = [];
  let undone: Edit[] = [];
  let kept = 0;
  let paused = true;
  return {
    add(edit) {
      undone = [];
      const last = done.at(-1);
      const joins = last?.typing && edit.typing && !paused && edit.removed === '' && edit.at === last.at + last.inserted.length;
      if (joins) done[done.length - 1] = { ...last, inserted: last.inserted + edit.inserted };
      else done.push(edit);
      kept += sizeOf(edit);
      // One blank ends a step, so that words are taken back one by one.
      paused = !edit.typing || /\s$/.test(edit.inserted);
      while (done.length > MOST_STEPS || (kept > MOST_KEPT && done.length > 1)) {
        const oldest = done.shift();
        kept -= oldest ? sizeOf(oldest) : 0;
      }
    },
    back() {
      const edit = done.pop();
      if (edit) undone.push(edit);
      kept -= edit ? sizeOf(edit) : 0;
      paused = true;
      return edit;
    },
    again() {
      const edit = undone.pop();
      if (edit) done.push(edit);
      kept += edit ? sizeOf(edit) : 0;
      paused = true;
      return edit;
    },
    pause() {
      paused = true;
    },
    clear() {
      done = [];
      undone = [];
      kept = 0;
      paused = true;
    },
  };
}
