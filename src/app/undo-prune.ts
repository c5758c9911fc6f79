/** Keeps the undo stores of all sessions together within bounds. */
import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lockHolder } from '../session/lock.js';
import type { Config } from './config.js';
import { sessionsDir } from './sessions.js';
import { UNDO_SUFFIX, undoFolder } from './undo.js';

/** Stores that nothing touched for this long (milliseconds) are removed. */
const KEEP_MS = 30 * 24 * 3600 * 1000;
/** Bytes of all stores together; beyond them the oldest go. */
const QUOTA = 1024 * 1024 * 1024;

/**
 * Removes stores that are old, those of deleted sessions, and the oldest where all are too large together; never the one of
 * `id`, never one in use. Does nothing in a session that recorded nothing. Never throws.
 */
export async function pruneUndo(config: Pick<Config, 'state'>, id: string, now: number, quota = QUOTA): Promise<void> {
  if (!existsSync(undoFolder(config, id))) return;
  try {
    let total = 0;
    for (const { folder, time, size, orphan, mine } of await storesIn(sessionsDir(config), id)) {
      total += size;
      if (!mine && (orphan || now - time > KEEP_MS || total > quota)) await rm(folder, { recursive: true, force: true });
    }
  } catch {
    // Tidying is best effort.
  }
}

/** Stores of sessions that no living process has open, and our own first; then the newest first. */
async function storesIn(dir: string, own: string) {
  const names = new Set(await readdir(dir));
  const found = [];
  for (const name of names) {
    if (!name.endsWith(UNDO_SUFFIX)) continue;
    const id = name.slice(0, -UNDO_SUFFIX.length);
    const mine = id === own;
    if (!mine && names.has(`${id}.lock`) && lockHolder(join(dir, `${id}.lock`))) continue;
    const folder = join(dir, name);
    const log = await stat(join(folder, 'log.jsonl')).catch(() => undefined);
    found.push({ folder, mine, time: log?.mtimeMs ?? 0, size: await sizeOf(folder), orphan: !names.has(`${id}.jsonl`) });
  }
  return found.sort((a, b) => Number(b.mine) - Number(a.mine) || b.time - a.time);
}

async function sizeOf(folder: string): Promise<number> {
  const objects = join(folder, 'objects');
  let size = 0;
  for (const name of await readdir(objects).catch(() => [])) {
    size += (await stat(join(objects, name)).catch(() => undefined))?.size ?? 0;
  }
  return size;
}
