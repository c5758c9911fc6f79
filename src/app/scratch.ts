/** The scratch folder of one session: spill files and whole logs, readable by `read`, pruned when old. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpillStore } from '../tools/wrap/output-cap.js';

/** Scratch folders older than this are removed (milliseconds). */
const KEEP_MS = 7 * 24 * 3600 * 1000;

/** Gives the folder for a session id and creates it (mode 0700) where that is possible: reading works on a full or locked disk. */
export function openScratch(state: string, id: string): string {
  const folder = join(state, 'cache', 'scratch', id);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // Spill files then cannot be written, and say so.
  }
  return folder;
}

export function spillStore(folder: string): SpillStore {
  return {
    async spill(text) {
      const file = join(folder, `output-${randomBytes(4).toString('hex')}.txt`);
      try {
        await writeFile(file, text, { mode: 0o600, flag: 'wx' });
        return file;
      } catch {
        return undefined;
      }
    },
  };
}

/** Removes old sessions' scratch folders; never throws, never touches this one. */
export async function pruneScratch(state: string, keep: string, now: number): Promise<void> {
  const parent = join(state, 'cache', 'scratch');
  try {
    for (const name of await readdir(parent)) {
      const folder = join(parent, name);
      if (folder !== keep && now - (await stat(folder)).mtimeMs > KEEP_MS) await rm(folder, { recursive: true, force: true });
    }
  } catch {
    // Tidying is best effort.
  }
}
