/** What follows the moment a transaction is decided: backups get their names, records are written; doing it twice does no harm. */
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { knownHashes } from '../backup-record.js';
import { copyFile } from '../backups.js';
import { errnoOf } from '../faults.js';
import { hashAt, lookAt } from '../look.js';
import { READ_FLAGS } from '../open-checked.js';
import { tempName } from '../temp-name.js';
import type { FileIntent, Intent } from './intent.js';
import { partsOf, type Site } from './site.js';

export interface Finished {
  /** For each file sentences about its backup. */
  readonly notes: readonly (readonly string[])[];
  /** False when something has to be done again later; the journal must keep the intent until then. */
  readonly complete: boolean;
}

/** Never throws: nothing that fails here changes what the files hold. */
export async function finishChange(intent: Intent, site: Site): Promise<Finished> {
  const notes: (readonly string[])[] = [];
  let complete = true;
  for (const file of intent.files) {
    try {
      notes.push(await twice(() => finishFile(file, intent.time, site)));
    } catch (error) {
      complete = false;
      const code = errnoOf(error) ?? String(error);
      notes.push([`the backup of ${file.path} could not be put in its place (${code}); the next start does it`]);
    }
  }
  return { notes, complete };
}

/** A disk may fail once. */
async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    return work();
  }
}

async function finishFile(file: FileIntent, time: number, site: Site): Promise<string[]> {
  const dir = site.folderOf(file.path);
  if (!dir) return [];
  const parts = partsOf(file, dir, site);
  const has = (path: string | undefined) => path !== undefined && lookAt(path)?.isFile() === true;
  const notes: string[] = [];
  const newer = (site.records.get(file.path)?.time ?? 0) > time;
  if (newer) {
    // It waited for so long that the file was changed again: that change has a backup of its own.
    if (parts.copy !== undefined) rmSync(parts.copy, { force: true });
  } else if (file.act === 'create') {
    if (has(parts.temp) || has(parts.saved)) saveRecord(file, time, null, site);
  } else if (has(parts.copy) || has(parts.saved)) {
    const from = parts.copy ?? parts.saved;
    const name = `${basename(file.path)}.bak`;
    // Somebody may have put a file of their own under that name since it was looked at.
    if (file.backupIn !== 'folder' || (await isFree(parts.backup, file))) {
      saveRecord(file, time, parts.backupPath, site);
      // Gone: it has its place already, only what comes after is missing.
      if (has(from)) renameSync(from, parts.backup);
    } else {
      const stored = await intoStore(file, from, site);
      saveRecord(file, time, stored, site);
      notes.push(`${name} was not made here, so it was left alone; the backup is ${stored} and rollback uses it`);
    }
  }
  rmSync(parts.temp, { force: true });
  rmSync(parts.saved, { force: true });
  return notes;
}

/** Is nothing under that name, or what was there when all was decided, or the new backup itself? */
async function isFree(path: string, file: FileIntent): Promise<boolean> {
  const found = lookAt(path);
  if (!found) return true;
  const hash = found.isFile() ? await hashAt(path) : '';
  return hash !== '' && (hash === file.former || hash === file.before);
}

async function intoStore(file: FileIntent, from: string, { records }: Site): Promise<string> {
  const folder = records.folder();
  const temp = join(folder, tempName());
  const stored = join(folder, records.copyName(file.path, 'bak'));
  const fd = openSync(from, READ_FLAGS);
  try {
    await copyFile(fd, temp, 0o600);
    renameSync(temp, stored);
  } finally {
    closeSync(fd);
    rmSync(temp, { force: true });
  }
  return stored;
}

function saveRecord(file: FileIntent, time: number, backup: string | null, { records }: Site): void {
  const known = records.get(file.path);
  const again = known?.time === time && known.after === file.after && known.backup === backup;
  const record = {
    path: file.path,
    backup,
    sha256: backup === null ? '' : file.before,
    mode: file.mode,
    ...(file.modeAfter === undefined ? {} : { modeAfter: file.modeAfter }),
    time,
    after: file.after,
    earlier: [...new Set([...knownHashes(known), ...(file.former === '' ? [] : [file.former])])],
  };
  // A record only this process knows is not enough for the next one.
  if (!records.set(again ? known : record)) throw Object.assign(new Error('EIO'), { code: 'EIO' });
}
