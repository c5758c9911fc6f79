/** What this session saw of files: their last state, and whether all of that state was shown. */
import type { FileState } from '../types/workspace.js';
import { sameBytes } from './file-state.js';

/** Lines that a read showed, of how many. */
export interface ShownLines {
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

export interface SeenStates {
  /** State after the last read or write here. */
  last(real: string): FileState | undefined;
  /** State whose content the session really knows: older than `last` when someone else's change was only written over or read in part. */
  known(real: string): FileState | undefined;
  /** A read. Without `shown` all of it was. */
  read(real: string, state: FileState, shown?: ShownLines): void;
  /** A write here on top of `before` (absent: nothing, or not looked at). */
  wrote(real: string, state: FileState, before: FileState | undefined): void;
  removed(real: string): void;
  /** For another process: what the session knows. */
  all(): ReadonlyMap<string, FileState>;
}

export function createSeenStates(given: Iterable<readonly [string, FileState]> = []): SeenStates {
  const last = new Map<string, FileState>(given);
  /** Files that changed under the session: the state it knew, and how far it has read the new one. */
  const doubts = new Map<string, { readonly known: FileState; readonly reading?: FileState; readonly upTo: number }>();
  const known = (real: string) => doubts.get(real)?.known ?? last.get(real);
  return {
    last: (real) => last.get(real),
    known,
    read(real, state, shown) {
      const knew = known(real);
      last.set(real, state);
      const whole = shown === undefined || (shown.from <= 1 && shown.to >= shown.total);
      if (whole || knew === undefined || sameBytes(knew, state)) return void doubts.delete(real);
      const doubt = doubts.get(real);
      const so = doubt?.reading && sameBytes(doubt.reading, state) ? doubt.upTo : 0;
      const upTo = shown.from <= so + 1 ? Math.max(so, shown.to) : so;
      if (upTo >= shown.total) doubts.delete(real);
      else doubts.set(real, { known: knew, reading: state, upTo });
    },
    wrote(real, state, before) {
      const knew = known(real);
      last.set(real, state);
      if (knew === undefined || before === undefined || sameBytes(knew, before)) doubts.delete(real);
      else doubts.set(real, { known: knew, upTo: 0 });
    },
    removed(real) {
      last.delete(real);
      doubts.delete(real);
    },
    all: () => new Map([...last].map(([real, state]) => [real, doubts.get(real)?.known ?? state])),
  };
}
