/** The scratch folder of one session: spill files and whole logs, readable by `read`, pruned when old. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpillStore } from '../tools/wrap/output-cap.js';

/** Scratch folders older than this are removed (milliseconds). */
const KEEP_MS = 7 * 24 * 3600 * 1000;
/** Bytes of all scratch folders together. */
const MOST_BYTES = 1024 * 1024 * 1024;
/** So long (milliseconds) nobody looks through the folders again. */
const PRUNE_MS = 3600 * 1000;
/** A folder used so lately may belong to a session that runs (milliseconds). */
const REST_MS = 3600 * 1000;

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
      const path = join(folder, `output-${randomBytes(6).toString('hex')}.txt`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(path, text, { mode: 0o600, flag: 'wx' });
        return { path };
      } catch (error) {
        await rm(path, { force: true }).catch(() => undefined);
        return { fault: faultOf(error) };
      }
    },
  };
}

function faultOf(error: unknown): string {
  const code = String((error as { code?: unknown }).code ?? error);
  const words: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EROFS: 'the disk is read-only',
    EACCES: 'the folder is not writable',
  };
  return words[code] ? `${words[code]} (${code})` : code;
}

/** Removes old sessions' scratch folders, then the oldest while all of them together are too large; never throws, never touches this one. */
export async function pruneScratch(state: string, keep: string, now: number): Promise<void> {
  const parent = join(state, 'cache', 'scratch');
  // Nothing was spilled: nothing to keep.
  await rmdir(keep).catch(() => undefined);
  // Looking through all folders is work for now and then, not for the end of every call.
  const mark = join(state, 'cache', 'scratch-pruned');
  try {
    const before = await stat(mark).catch(() => undefined);
    if (before && Math.abs(now - before.mtimeMs) < PRUNE_MS) return;
    await writeFile(mark, '', { mode: 0o600 });
    const folders = [];
    for (const name of await readdir(parent)) {
      const path = join(parent, name);
      const { mtimeMs } = await stat(path);
      if (path !== keep && now - mtimeMs > KEEP_MS) await rm(path, { recursive: true, force: true });
      else folders.push({ path, mtimeMs, bytes: await bytesIn(path) });
    }
    let total = folders.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { path, mtimeMs, bytes } of folders.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= MOST_BYTES) return;
      if (path === keep || now - mtimeMs < REST_MS) continue;
      await rm(path, { recursive: true, force: true });
      total -= bytes;
    }
  } catch {
    // Tidying is best effort.
  }
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(folder, entry.name))).size;
  return bytes;
}
