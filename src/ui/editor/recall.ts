/** What was entered before: up and down, and the search backwards. */
import type { EditorHistory } from './port.js';

export interface Recall {
  /** The entry further back (`-1`) or nearer (`1`) that begins with what was typed at first; `draft` is kept and comes back last. */
  step(by: -1 | 1, draft: string): string | undefined;
  /** Typing ends walking. */
  reset(): void;
}

export function createRecall(history: EditorHistory): Recall {
  let entries: readonly string[] = [];
  let at = 0;
  let draft: string | undefined;
  return {
    step(by, current) {
      if (draft === undefined) {
        if (by > 0) return undefined;
        draft = current;
        entries = [...new Set(history.all().toReversed())].toReversed().filter((entry) => entry !== current);
        at = entries.length;
      }
      const next = at + by;
      if (next < 0 || next > entries.length) return undefined;
      at = next;
      if (next < entries.length) return entries[next];
      const own = draft;
      draft = undefined;
      return own;
    },
    reset() {
      draft = undefined;
    },
  };
}

/** The search backwards through what was entered: `again` goes to older hits. */
export interface HistorySearch {
  readonly query: string;
  readonly hit: string | undefined;
  type(text: string): void;
  erase(): void;
  again(): void;
}

export function createSearch(history: EditorHistory): HistorySearch {
  const entries = [...new Set(history.all().toReversed())];
  let query = '';
  let at = 0;
  const from = (start: number): number => {
    const wanted = query.toLowerCase();
    for (let index = start; index < entries.length; index++) if (entries[index]?.toLowerCase().includes(wanted)) return index;
    return -1;
  };
  const seek = (start: number): void => {
    const found = from(start);
    if (found >= 0) at = found;
  };
  return {
    get query() {
      return query;
    },
    get hit() {
      const entry = entries[at];
      return query !== '' && entry?.toLowerCase().includes(query.toLowerCase()) ? entry : undefined;
    },
    type(text) {
      query += text;
      at = 0;
      seek(0);
    },
    erase() {
      query = [...query].slice(0, -1).join('');
      at = 0;
      seek(0);
    },
    again: () => seek(at + 1),
  };
}
