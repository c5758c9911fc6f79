/** What was in a folder without being recorded, for the last states that were. */
import type { Recorded } from './record.js';
import type { Unrecorded } from './types.js';

/** States whose unrecorded paths are remembered: who needs them asks at once. */
const MOST_STATES = 8;

interface Memory {
  note(recorded: Recorded): void;
  /** See `TreeStore.unrecorded`. */
  of(tree: string): Unrecorded | undefined;
}

/** Remembers for a few states what they do not hold. */
export function createUnrecorded(): Memory {
  const states = new Map<string, Unrecorded>();
  return {
    note({ tree, left, ignored }) {
      states.delete(tree);
      const others = new Set(left.map((entry) => keyOf(entry.path)));
      const byRules = new Set(ignored.map(keyOf));
      states.set(tree, { left: others, has: (path) => isIn(others, keyOf(path)) || isIn(byRules, keyOf(path)) });
      for (const oldest of states.keys()) {
        if (states.size <= MOST_STATES) break;
        states.delete(oldest);
      }
    },
    of: (tree) => states.get(tree),
  };
}

function isIn(paths: ReadonlySet<string>, key: string): boolean {
  if (paths.has(key)) return true;
  for (let slash = key.lastIndexOf('/'); slash > 0; slash = key.lastIndexOf('/', slash - 1))
    if (paths.has(key.slice(0, slash))) return true;
  return false;
}

/** Folders without the slash at their end. */
function keyOf(path: Buffer): string {
  const text = path.toString('latin1');
  return text.endsWith('/') ? text.slice(0, -1) : text;
}
