/** Replaces a whole file: backup, temporary file in the same folder, fsync, rename; or nothing at all. */
import { closeSync, fchmodSync, fstatSync, openSync, readFileSync, renameSync, rmSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ToolFault } from '../types/tool.js';
import type { FileState } from '../types/workspace.js';
import { type BackupRecord, knownHashes, type RecordStore } from './backup-record.js';
import { type Kept, keepBackup } from './backups.js';
import { clip, diskFault, errnoOf } from './faults.js';
import { sha256, stateOf } from './file-state.js';
import { type HeldDir, holdOrMakeDir } from './held-dir.js';
import { cannotReplace, createFrom, writeNew } from './new-file.js';
import { UPDATE_FLAGS } from './open-checked.js';
import { assertExpected, assertUntouched, type Original, openOriginal } from './original.js';
import { overwriteDescriptor } from './raw-io.js';
import { sweepFolder } from './sweep.js';
import { tempName } from './temp-name.js';
import type { WriteJournal } from './write-journal.js';

export interface WriteRequest {
  readonly real: string;
  readonly shown: string;
  readonly bytes: Uint8Array;
  readonly backup: boolean;
  readonly expect?: FileState | 'absent';
  /** Permission bits for a file that does not exist; without it the umask decides. */
  readonly mode?: number;
  /** Permission bits afterwards, in any case. */
  readonly setMode?: number;
  /** What the record says afterwards; by default that this was a change of ours. */
  record?(before: BackupRecord | undefined, after: string): BackupRecord | undefined;
}

export interface WriteResult {
  readonly created: boolean;
  readonly state: FileState;
  readonly notes: readonly string[];
}

export interface WriteStores {
  readonly records: RecordStore;
  readonly journal: WriteJournal;
  now(): number;
}

/** Everything one write works with. */
interface Job extends WriteRequest {
  readonly dir: HeldDir;
  readonly name: string;
  readonly original: Original | undefined;
  readonly temps: readonly [string, string, string];
  readonly stores: WriteStores;
  readonly after: string;
}

/** The caller holds the lock of the path and has checked its zone. Throws ToolFault; then nothing was changed. */
export async function writeWhole(request: WriteRequest, stores: WriteStores): Promise<WriteResult> {
  let fd: number | undefined;
  try {
    const made = holdOrMakeDir(dirname(request.real));
    try {
      sweepFolder(made.dir, stores.now(), stores.journal.needed);
      const name = basename(request.real);
      const original = await openOriginal(made.dir, name, request);
      fd = original?.fd;
      assertExpected(request, original);
      const temps = [tempName(), tempName(), tempName()] as const;
      const job: Job = { ...request, dir: made.dir, name, original, temps, stores, after: sha256(request.bytes) };
      return original && original.stat.nlink > 1 ? await inPlace(job) : await byRename(job);
    } catch (error) {
      made.undo();
      throw error;
    } finally {
      made.dir.close();
    }
  } catch (error) {
    throw diskFault(error, 'write', request.shown);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

async function byRename(job: Job): Promise<WriteResult> {
  const { dir, original } = job;
  const temp = job.temps[0];
  const forget = begun(job);
  const overwritten = () => {
    // What is noted here must not be taken back while the file's own bytes change.
    forget?.();
    return inPlace(job);
  };
  try {
    let stat: Stats;
    try {
      stat = await writeNew(dir.child(temp), job.bytes, {
        like: original?.stat,
        mode: original ? job.setMode : (job.setMode ?? job.mode),
      });
    } catch (error) {
      rmSync(dir.child(temp), { force: true });
      if (original && cannotReplace(error)) return await overwritten();
      throw error;
    }
    try {
      const notes = await commit(job, () => {
        if (original) renameSync(dir.child(temp), dir.child(job.name));
        else createFrom(dir, temp, job.name);
      });
      return { created: !original, state: stateOf(stat, job.after), notes };
    } catch (error) {
      rmSync(dir.child(temp), { force: true });
      if (original && errnoOf(error) === 'EBUSY') return await overwritten();
      throw error;
    }
  } finally {
    forget?.();
  }
}

/** Notes the write, with all that is needed to take it back. */
function begun(job: Job, restore?: { readonly backup: string; readonly sha256: string }) {
  const { real: path, temps, after, stores } = job;
  const before = stores.records.get(path) ?? null;
  return stores.journal.begin({ path, temps, after, before, ...(restore ? { restore } : {}) });
}

/** Backup and record first, then `act`; a failure puts backup and record back. Gives the notes of the backup. */
async function commit(job: Job, act: () => void): Promise<readonly string[]> {
  const { records } = job.stores;
  const before = records.get(job.real);
  let kept: Kept | undefined;
  try {
    if (job.original && job.backup) kept = await keep(job, job.original, false);
    assertUntouched(job.dir, job.name, job.original?.stat, job.shown);
    saveRecord(job, before, kept);
    act();
  } catch (error) {
    takeBack(records, job.real, before, kept);
    throw error;
  }
  kept?.commit();
  const notes = [...(kept?.notes ?? [])];
  try {
    await job.dir.sync();
  } catch (error) {
    // The file is new already: that the folder could not be flushed must not look like a refusal.
    notes.push(`the folder could not be flushed to the disk (${errnoOf(error) ?? 'unknown fault'})`);
  }
  return notes;
}

/** Backup and record as they were; what cannot be taken back must not hide why the write failed. */
function takeBack(records: RecordStore, real: string, before: BackupRecord | undefined, kept: Kept | undefined): void {
  try {
    kept?.undo();
    if (before) records.set(before);
    else records.remove(real);
  } catch {
    // The backup is then newer than it need be, and holds what the file still holds.
  }
}

function keep(job: Job, original: Original, copy: boolean): Promise<Kept> {
  const temps = [job.temps[1], job.temps[2]] as const;
  return keepBackup({ dir: job.dir, original, records: job.stores.records, temps, inPlace: copy });
}

function saveRecord(job: Job, before: BackupRecord | undefined, kept: Kept | undefined): void {
  const { records, now } = job.stores;
  if (job.record) {
    const record = job.record(before, job.after);
    if (record) records.set(record);
    return;
  }
  const { original } = job;
  records.set({
    path: job.real,
    backup: kept?.path ?? null,
    sha256: kept && original ? original.sha256 : '',
    mode: original ? original.stat.mode & 0o7777 : 0o666,
    // Later than the change before it, also when the clock went back.
    time: Math.max(now(), (before?.time ?? 0) + 1),
    after: job.after,
    earlier: knownHashes(before),
  });
}

/** For files with several names, and where the folder cannot take another file: the same file gets new bytes, under a backup. */
async function inPlace(job: Job): Promise<WriteResult> {
  const { original, stores } = job;
  if (!original) throw new ToolFault('Failed', `${clip(job.shown)} does not exist`);
  const before = stores.records.get(job.real);
  const forgetTemps = begun(job);
  let kept: Kept;
  try {
    kept = await keep(job, original, true);
  } catch (error) {
    forgetTemps?.();
    throw error;
  }
  const forget = begun(job, { backup: kept.path, sha256: original.sha256 });
  // From here on the second note holds all, and the first must not be followed.
  forgetTemps?.();
  try {
    assertUntouched(job.dir, job.name, job.original?.stat, job.shown);
    saveRecord(job, before, kept);
    const stat = overwriteOriginal(job, original, kept.path);
    kept.commit();
    return { created: false, state: stateOf(stat, job.after), notes: kept.notes };
  } catch (error) {
    if (!(error instanceof HalfWritten)) {
      takeBack(stores.records, job.real, before, kept);
    }
    throw error;
  } finally {
    forget?.();
  }
}

/** The one case in which old bytes are only in the backup: the disk refused to take them back. */
class HalfWritten extends ToolFault {}

function overwriteOriginal(job: Job, original: Original, backup: string): Stats {
  const fd = openSync(job.dir.child(job.name), UPDATE_FLAGS);
  try {
    if (fstatSync(fd).ino !== original.stat.ino) {
      throw new ToolFault('Stale', `${clip(job.shown)} was replaced at this very moment; nothing was written`);
    }
    try {
      overwriteDescriptor(fd, job.bytes);
      if (job.setMode !== undefined) fchmodSync(fd, job.setMode);
    } catch (error) {
      putBack(fd, backup, job.shown);
      throw error;
    }
    return fstatSync(fd);
  } finally {
    closeSync(fd);
  }
}

function putBack(fd: number, backup: string, shown: string): void {
  try {
    overwriteDescriptor(fd, readFileSync(backup));
  } catch {
    throw new HalfWritten(
      'EIO',
      `${clip(shown)} could not be written, and its old bytes could not be put back; they are in ${backup}`,
    );
  }
}
