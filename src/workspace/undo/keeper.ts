/** Keeps old bytes within a quota: when they do not fit, the oldest turns are forgotten first. */
import { sha256 } from '../file-state.js';
import type { UndoState } from './fold.js';
import type { Before, FileStep } from './lines.js';
import type { ObjectStore } from './objects.js';

/** An object this young (milliseconds) may belong to a change that is just being made by another process. */
const YOUNG = 10 * 60 * 1000;

interface KeeperOptions {
  readonly objects: ObjectStore;
  readonly quota: number;
  readonly largest: number;
  readonly now: () => number;
  /** Throws errno errors for a log that cannot be read. */
  readonly state: () => UndoState;
  /** Id of the turn that is never forgotten. */
  readonly present: () => string;
  /** Notes turns that are forgotten. Throws errno errors. */
  drop(turns: readonly string[]): void;
  failed(error: unknown): void;
}

interface Keeper {
  /** See `UndoStore.keep`. */
  keep(bytes: Uint8Array, facts: { readonly mode: number; readonly sha256?: string }): Promise<Before>;
  /** The line that refers to these bytes is written. */
  release(files: readonly FileStep[]): void;
}

export function createKeeper(options: KeeperOptions): Keeper {
  const { objects, quota, largest } = options;
  /** Hashes put for a change whose line is not written yet. */
  const pending = new Map<string, number>();
  const forget = (hash: string): void => {
    const count = (pending.get(hash) ?? 0) - 1;
    if (count > 0) pending.set(hash, count);
    else pending.delete(hash);
  };
  /** The turn in which nothing could be freed: looking again would read the whole log for each edit. */
  let full: string | undefined;
  const makeRoom = (wanted: number): boolean => {
    if (objects.used() + wanted <= quota) return true;
    const present = options.present();
    if (full !== present) {
      // Some more than needed, so that the next changes do not drop one turn each.
      const state = options.state();
      const { dropped, hashes } = whatToDrop(state, { present, most: quota * 0.9 - wanted });
      if (dropped.length > 0) options.drop(dropped);
      const kept = new Set([...hashes, ...pending.keys()]);
      objects.retain(kept, { named: state.named, now: options.now(), spare: YOUNG });
      if (objects.used() + wanted <= quota) return true;
      if (dropped.length === state.turns.filter((turn) => turn.id !== present).length) full = present;
    }
    options.failed('quota');
    return false;
  };
  return {
    async keep(bytes, { mode, sha256: known }) {
      const hash = known || sha256(bytes);
      const facts = { sha256: hash, size: bytes.length, mode: mode & 0o7777 };
      if (bytes.length > largest) return { ...facts, kept: false };
      pending.set(hash, (pending.get(hash) ?? 0) + 1);
      try {
        if (objects.has(hash, bytes.length) || makeRoom(bytes.length)) {
          await objects.put(bytes, hash);
          return { ...facts, kept: true };
        }
      } catch (error) {
        options.failed(error);
      }
      forget(hash);
      return { ...facts, kept: false };
    },
    release(files) {
      for (const { before } of files) if (before?.kept) forget(before.sha256);
    },
  };
}

/** The oldest turns but the present one, until what is left has at most `most` bytes; and the objects of what is left. */
function whatToDrop(state: UndoState, { present, most }: { readonly present: string; readonly most: number }) {
  const old = state.turns.filter((turn) => turn.id !== present).map((turn) => turn.id);
  let count = 0;
  let left = usedBy(state, new Set());
  while (count < old.length && left.bytes > most) left = usedBy(state, new Set(old.slice(0, ++count)));
  return { dropped: old.slice(0, count), hashes: left.hashes };
}

/** The objects that what is left after dropping some turns refers to. */
function usedBy(state: UndoState, dropped: ReadonlySet<string>): { readonly bytes: number; readonly hashes: Set<string> } {
  const hashes = new Set<string>();
  let bytes = 0;
  const add = ({ before }: FileStep): void => {
    if (!before?.kept || hashes.has(before.sha256)) return;
    hashes.add(before.sha256);
    bytes += before.size;
  };
  for (const step of state.steps) if (!dropped.has(step.turn.id)) add(step.file);
  for (const taken of [...state.redo, ...state.open]) if (!dropped.has(taken.turn)) for (const file of taken.files) add(file);
  return { bytes, hashes };
}
