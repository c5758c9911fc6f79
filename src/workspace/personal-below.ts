/** Says whether a folder holds a personal file, or a link out, somewhere below it, within bounds; quick the second time. */
import { type BigIntStats, type Dirent, lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';

const MOST_ENTRIES = 3000;
const DEEPEST = 6;
const SKIPPED = new Set(['.git', 'node_modules']);
/** A folder that changed this shortly before it was read may change again without a new time. */
const FRESH_NS = 50_000_000n;
/** Folders remembered; beyond that all are forgotten. */
const MOST_KNOWN = 20_000;

export interface BelowLook {
  /**
   * Is there a personal file below `dir`? Links are not followed; `.git` and `node_modules` are left out; over 3,000 entries or
   * 6 levels the answer is false. Synchronous; never throws.
   */
  personal(dir: string): boolean;
  /** The first symbolic link below `dir` for which `leadsOut` (its absolute path) holds, within the same bounds. */
  link(dir: string, leadsOut: (path: string) => boolean): string | undefined;
}

/** What counts of a folder. */
interface View {
  readonly stamp: string;
  readonly folders: readonly string[];
  readonly links: readonly string[];
  readonly personal: boolean;
  readonly entries: number;
}

/** A look that remembers folders by their times. `isPersonal` gets an absolute path, and answers the same every time. */
export function createBelowLook(isPersonal: (path: string) => boolean): BelowLook {
  const known = new Map<string, View>();
  const viewOf = (folder: string): View => {
    const stats = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
    const stamp = stats ? stampOf(stats) : '';
    const before = known.get(folder);
    if (before && before.stamp === stamp) return before;
    const view = lookInto(folder, stamp, isPersonal);
    if (known.size >= MOST_KNOWN) known.clear();
    if (stats && BigInt(Date.now()) * 1_000_000n - stats.mtimeNs > FRESH_NS) known.set(folder, view);
    return view;
  };
  /** The views below a folder, level by level, as far as the bounds go. */
  function* below(dir: string): Generator<View> {
    let seen = 0;
    let level = [dir];
    for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
      const next: string[] = [];
      for (const folder of level) {
        const view = viewOf(folder);
        yield view;
        seen += view.entries;
        if (seen > MOST_ENTRIES) return;
        next.push(...view.folders);
      }
      level = next;
    }
  }
  return {
    personal(dir) {
      for (const view of below(dir)) if (view.personal) return true;
      return false;
    },
    link(dir, leadsOut) {
      for (const view of below(dir)) {
        const found = view.links.find(leadsOut);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

function stampOf({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${mtimeNs}:${ctimeNs}`;
}

function lookInto(folder: string, stamp: string, isPersonal: (path: string) => boolean): View {
  const entries = entriesOf(folder);
  const path = (entry: Dirent) => join(folder, entry.name);
  return {
    stamp,
    folders: entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name)).map(path),
    links: entries.filter((entry) => entry.isSymbolicLink()).map(path),
    personal: entries.some((entry) => entry.isFile() && isPersonal(path(entry))),
    entries: entries.length,
  };
}

/** At most one more than counts, so that no folder is too large. */
function entriesOf(folder: string): Dirent[] {
  const entries: Dirent[] = [];
  try {
    const open = opendirSync(folder);
    try {
      for (let entry = open.readSync(); entry && entries.length <= MOST_ENTRIES; entry = open.readSync()) entries.push(entry);
    } finally {
      open.closeSync();
    }
  } catch {
    return entries;
  }
  return entries;
}
