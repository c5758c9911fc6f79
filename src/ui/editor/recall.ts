/** What was entered before, up and down. */
import type { EditorHistory } from './port.js';

export interface Recall {
  /**
   * The entry further back (`-1`) or nearer (`1`) that begins with what was typed when walking began; undefined: there is none.
   * `begins`: walking begins here. `draft`: walking is over, and what was typed comes back.
   */
  step(by: -1 | 1, typed: string): { readonly entry: string; readonly begins: boolean } | 'draft' | undefined;
  /** Typing ends walking. */
  reset(): void;
}

export function createRecall(history: EditorHistory): Recall {
  let entries: readonly string[] | undefined;
  let at = 0;
  return {
    step(by, typed) {
      const isFirst = entries === undefined;
      if (!entries) {
        if (by > 0) return undefined;
        const fitting = newestFirst(history.all()).filter((entry) => entry.startsWith(typed) && entry !== typed);
        if (fitting.length === 0) return undefined;
        entries = fitting;
        at = -1;
      }
      const entry = entries[at - by];
      if (entry !== undefined) {
        at -= by;
        return { entry, begins: isFirst };
      }
      if (by < 0) return undefined;
      entries = undefined;
      return 'draft';
    },
    reset() {
      entries = undefined;
    },
  };
}

/** Each entry once, where it was entered last. */
export function newestFirst(entries: readonly string[]): string[] {
  return [...new Set(entries.toReversed())];
}
