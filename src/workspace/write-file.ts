/** Replaces a whole file: backup, temporary file in the same folder, fsync, rename; or nothing at all. */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { ToolFault } from '../types/tool.js';
import type { FileState } from '../types/workspace.js';
import { type BackupRecord, knownHashes, type RecordStore } from './backup-record.js';
import { type Kept, keepBackup, lookAt, type Original } from './backups.js';
import { clip, diskFault, errnoOf } from './faults.js';
import { describeChange, sameBytes, sha256, sha256OfDescriptor, stateOf } from './file-state.js';
import { type HeldDir, holdOrMakeDir } from './held-dir.js';
import { assertRegular, CREATE_FLAGS, READ_FLAGS, UPDATE_FLAGS } from './open-checked.js';
import { writeAll } from './raw-io.js';
import { sweepFolder } from './sweep.js';
import { overwriteDescriptor, tempName, type WriteJournal } from './write-journal.js';

const fsyncAsync = promisify(fsync);

export interface WriteRequest {
  readonly real: string;
  readonly shown: string;
  readonly bytes: Uint8Array;
  readonly backup: boolean;
  readonly expect?: FileState | 'absent';
  /** Permission bits for a file that does not exist; without it the umask decides. */
  readonly mode?: number;
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
      sweepFolder(made.dir, stores.now());
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

/** Opens and hashes what is there; undefined when nothing is. Faults for what is no ordinary file or may not be written. */
async function openOriginal(dir: HeldDir, name: string, request: WriteRequest): Promise<Original | undefined> {
  const path = dir.child(name);
  const found = lookAt(path);
  if (!found) return undefined;
  assertRegular(found, request.shown);
  accessSync(path, constants.W_OK);
  const fd = openSync(path, READ_FLAGS);
  try {
    const stat = fstatSync(fd);
    assertRegular(stat, request.shown);
    return { real: request.real, name, fd, stat, sha256: await sha256OfDescriptor(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function assertExpected(request: WriteRequest, original: Original | undefined): void {
  const { expect } = request;
  if (expect === undefined) return;
  const name = clip(request.shown);
  if (expect === 'absent') {
    if (original) throw new ToolFault('EEXIST', `${name} exists already; it was not overwritten`);
    return;
  }
  if (!original)
    throw new ToolFault('Stale', `${name} was removed since it was read. Nothing was written; read it again or write it anew.`);
  const now = stateOf(original.stat, original.sha256);
  if (sameBytes(expect, now)) return;
  throw new ToolFault(
    'Stale',
    `${name} changed on disk since it was read (${describeChange(expect, now)}). Nothing was written; read it again first.`,
  );
}

async function byRename(job: Job): Promise<WriteResult> {
  const { dir, original } = job;
  const temp = job.temps[0];
  const forget = job.stores.journal.begin({ path: job.real, temps: job.temps });
  try {
    let stat: Stats;
    try {
      stat = await writeTemp(job);
    } catch (error) {
      rmSync(dir.child(temp), { force: true });
      if (original && cannotReplace(error)) return await inPlace(job);
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
      if (original && errnoOf(error) === 'EBUSY') return await inPlace(job);
      throw error;
    }
  } finally {
    forget?.();
  }
}

/** The folder refuses a second file, yet the file itself may be written. */
function cannotReplace(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
}

async function writeTemp({ dir, temps, original, bytes, mode }: Job): Promise<Stats> {
  const fd = openSync(dir.child(temps[0]), CREATE_FLAGS, original ? 0o600 : (mode ?? 0o666));
  try {
    await writeAll(fd, bytes);
    if (original) keepOwnerAndMode(fd, original.stat);
    else if (mode !== undefined) fchmodSync(fd, mode);
    await fsyncAsync(fd);
    return fstatSync(fd);
  } finally {
    closeSync(fd);
  }
}

function keepOwnerAndMode(fd: number, wanted: Stats): void {
  const mine = fstatSync(fd);
  let mode = wanted.mode & 0o7777;
  if (process.platform !== 'win32' && (mine.uid !== wanted.uid || mine.gid !== wanted.gid)) {
    try {
      fchownSync(fd, wanted.uid, wanted.gid);
    } catch {
      mode &= 0o777;
    }
  }
  fchmodSync(fd, mode);
}

/** Puts a finished temporary file under a name nobody else took meanwhile. */
function createFrom(dir: HeldDir, temp: string, name: string): void {
  try {
    linkSync(dir.child(temp), dir.child(name));
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') throw new ToolFault('Stale', `${name} appeared while it was being written; nothing was overwritten`);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EACCES' && code !== 'EMLINK') throw error;
    renameSync(dir.child(temp), dir.child(name));
    return;
  }
  rmSync(dir.child(temp), { force: true });
}

/** Backup and record first, then `act`; a failure puts backup and record back. Gives the notes of the backup. */
async function commit(job: Job, act: () => void): Promise<readonly string[]> {
  const { records } = job.stores;
  const before = records.get(job.real);
  let kept: Kept | undefined;
  try {
    if (job.original && job.backup) kept = await keep(job, job.original, false);
    assertUntouched(job);
    saveRecord(job, before, kept);
    act();
  } catch (error) {
    takeBack(records, job.real, before, kept);
    throw error;
  }
  kept?.commit();
  await job.dir.sync();
  return kept?.notes ?? [];
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

/** Still the file that was looked at, in the folder that was opened? */
function assertUntouched({ dir, name, original, shown }: Job): void {
  dir.verify();
  const now = lookAt(dir.child(name));
  const was = original?.stat;
  if (!was && !now) return;
  if (was && now && now.ino === was.ino && now.mtimeMs === was.mtimeMs && now.size === was.size) return;
  throw new ToolFault(
    'Stale',
    `${clip(shown)} was changed by another program at this very moment. Nothing was written; read it again first.`,
  );
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
    time: now(),
    after: job.after,
    earlier: knownHashes(before),
  });
}

/** For files with several names, and where the folder cannot take another file: the same file gets new bytes, under a backup. */
async function inPlace(job: Job): Promise<WriteResult> {
  const { original, stores } = job;
  if (!original) throw new ToolFault('Failed', `${clip(job.shown)} does not exist`);
  const before = stores.records.get(job.real);
  const forgetTemps = stores.journal.begin({ path: job.real, temps: job.temps });
  let kept: Kept;
  try {
    kept = await keep(job, original, true);
  } catch (error) {
    forgetTemps?.();
    throw error;
  }
  const forget = stores.journal.begin({
    path: job.real,
    temps: job.temps,
    restore: { backup: kept.path, sha256: original.sha256 },
  });
  try {
    assertUntouched(job);
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
    forgetTemps?.();
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
