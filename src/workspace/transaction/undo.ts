/** Takes a transaction back, from the live process or from the journal of one that is gone; doing it twice does no harm. */
import { chmodSync, linkSync, renameSync, rmdirSync, rmSync, type Stats } from 'node:fs';
import { readRegular } from '../../base/read-regular.js';
import { keepUndone } from '../backup-record.js';
import { errnoOf } from '../faults.js';
import { hashAt, lookAt } from '../look.js';
import { overwrite } from '../raw-io.js';
import type { FileIntent, Intent } from './intent.js';
import { partsOf, type Site } from './site.js';

/** A write takes seconds: what is newer than this (milliseconds) after its start was changed by someone else since. */
const LONGEST_CHANGE = 60_000;
const LARGEST = 1024 * 1024 * 1024;

/**
 * All files as they were before, folders made for it gone, nothing of ours left. Gives sentences about files that somebody
 * else changed since, which stay as they are. Throws errno errors when the disk refuses; then it can be done again later.
 */
export async function undoChange(intent: Intent, site: Site): Promise<string[]> {
  const notes: string[] = [];
  for (const file of intent.files.toReversed()) {
    const note = await undoFile(file, intent.time, site);
    if (note !== undefined) notes.push(note);
  }
  await site.sync({ store: false });
  for (const folder of intent.folders.toReversed()) removeEmpty(folder);
  return notes;
}

async function undoFile(file: FileIntent, time: number, site: Site): Promise<string | undefined> {
  const dir = site.folderOf(file.path);
  if (!dir) return undefined;
  const parts = partsOf(file, dir, site);
  const target = lookAt(parts.target);
  const note = file.act === 'create' ? await undoCreate(file, parts, target) : await undoOther(file, time, parts, target, site);
  if (parts.copy !== undefined) rmSync(parts.copy, { force: true });
  rmSync(parts.temp, { force: true });
  rmSync(parts.saved, { force: true });
  return note;
}

type Parts = ReturnType<typeof partsOf>;

async function undoCreate(file: FileIntent, parts: Parts, target: Stats | undefined): Promise<string | undefined> {
  const temp = lookAt(parts.temp);
  if (!target || (!temp && !lookAt(parts.saved))) return undefined;
  if (target.isFile() && (await hashAt(parts.target)) === file.after) {
    rmSync(parts.target);
    return undefined;
  }
  return temp && sameFile(temp, target) ? `${file.path} was made by it and changed since; it stays` : undefined;
}

async function undoOther(
  file: FileIntent,
  time: number,
  parts: Parts,
  target: Stats | undefined,
  site: Site,
): Promise<string | undefined> {
  const saved = lookAt(parts.saved);
  if (!saved?.isFile() || (target && sameFile(saved, target))) return undefined;
  // A copy that was not finished: the file itself was not touched yet.
  if ((await hashAt(parts.saved)) !== file.before) return undefined;
  const now = target?.isFile() ? await hashAt(parts.target) : undefined;
  if (file.act === 'rewrite') return undoRewrite(file, time, parts, { target, now }, site);
  if (file.act === 'remove' && !target) return putBack(parts);
  if (file.act === 'replace' && now === file.after) {
    renameSync(parts.saved, parts.target);
    return undefined;
  }
  if (now === file.before) return undefined;
  return keepAside(file, parts, site);
}

function undoRewrite(
  file: FileIntent,
  time: number,
  parts: Parts,
  { target, now }: { readonly target: Stats | undefined; readonly now: string | undefined },
  site: Site,
): string | undefined {
  if (!target || now === undefined || (target.mtimeMs > time + LONGEST_CHANGE && now !== file.after && now !== file.before))
    return keepAside(file, parts, site);
  if (now !== file.before) {
    // Half a file is nobody's work; a whole one may have been changed by somebody in this very minute.
    if (now !== file.after) keepUndone(site.records, file.path, readRegular(parts.target, LARGEST));
    overwrite(parts.target, readRegular(parts.saved, LARGEST));
  }
  if ((target.mode & 0o7777) !== file.mode) chmodSync(parts.target, file.mode);
  return undefined;
}

/** A removed file under its name again; never over something that came there meanwhile. */
function putBack(parts: Parts): undefined {
  try {
    linkSync(parts.saved, parts.target);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw error;
    renameSync(parts.saved, parts.target);
  }
}

/** Somebody changed the file since: that stays, and the old bytes go where they can be found. */
function keepAside(file: FileIntent, parts: Parts, site: Site): string {
  const kept = keepUndone(site.records, file.path, readRegular(parts.saved, LARGEST));
  return `${file.path} was changed by somebody else since and stays so; its bytes from before are in ${kept}`;
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty: somebody uses it.
  }
}

function sameFile(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
