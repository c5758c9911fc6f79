/** Says whether a folder holds a personal file somewhere below it, within bounds. */
import { type Dirent, opendirSync } from 'node:fs';
import { join } from 'node:path';

const MOST_ENTRIES = 3000;
const DEEPEST = 6;
const SKIPPED = new Set(['.git', 'node_modules']);

/**
 * Is there a file below `dir` that `isPersonal` (absolute path) knows? Links are not followed; `.git` and `node_modules` are
 * left out; over 3,000 entries or 6 levels the answer is false. Synchronous; never throws.
 */
export function personalBelow(dir: string, isPersonal: (path: string) => boolean): boolean {
  return firstBelow(dir, (entry, path) => entry.isFile() && isPersonal(path)) !== undefined;
}

/** The first symbolic link below `dir` for which `leadsOut` (its absolute path) holds, within the same bounds. */
export function linkBelow(dir: string, leadsOut: (path: string) => boolean): string | undefined {
  return firstBelow(dir, (entry, path) => entry.isSymbolicLink() && leadsOut(path));
}

function firstBelow(dir: string, fits: (entry: Dirent, path: string) => boolean): string | undefined {
  let seen = 0;
  let level = [dir];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      for (const entry of entriesOf(folder)) {
        if (++seen > MOST_ENTRIES) return undefined;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
          if (!SKIPPED.has(entry.name)) next.push(path);
        } else if (fits(entry, path)) return path;
      }
    }
    level = next;
  }
  return undefined;
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
