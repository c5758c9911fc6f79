/** Keeps the bytes from before a change: as `.bak` beside the file, or outside the workspace when that name is taken. */
import { closeSync, copyFileSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BackupRecord, isElsewhere, knownHashes, type RecordStore } from './backup-record.js';
import { errnoOf } from './faults.js';
import type { HeldDir } from './held-dir.js';
import { hashAt, lookAt } from './look.js';
import { keepOwnerAndMode } from './new-file.js';
import { CREATE_FLAGS } from './open-checked.js';
import type { Original } from './original.js';
import { copyDescriptor } from './raw-io.js';

export interface Kept {
  /** Absolute path of the backup. */
  readonly path: string;
  /** Sentences for the model. */
  readonly notes: readonly string[];
  /** The change was made: forgets the former backup. */
  commit(): void;
  /** The change failed: everything as before. */
  undo(): void;
}

export interface KeepOptions {
  readonly dir: HeldDir;
  readonly original: Original;
  readonly records: RecordStore;
  /** Names for temporary files in the folder, noted in the journal. */
  readonly temps: readonly [string, string];
  /** True: the file's identity stays, so the backup must be a copy of its own. */
  readonly inPlace: boolean;
}

/** Makes the backup durable enough to be restored. Throws errno errors when no place can be found. */
export async function keepBackup(options: KeepOptions): Promise<Kept> {
  const { original, records, dir } = options;
  const bak = `${original.name}.bak`;
  const { obstacle } = await lookBeside(dir, bak, records.get(original.real));
  if (obstacle === undefined) {
    try {
      return await besideFile(options, bak);
    } catch (error) {
      const code = errnoOf(error);
      if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS' && code !== 'ENAMETOOLONG') throw error;
      return inStore(options, `${bak} could not be written (${code})`);
    }
  }
  return inStore(options, obstacle);
}

/** What stands under the name of a backup. */
export interface Beside {
  /** Why it may not be replaced; undefined when the name is free or what is there is ours. */
  readonly obstacle?: string;
  /** SHA-256 of the backup of ours that is there; empty without one. */
  readonly former: string;
}

/** Looks at the name of a backup, with what the record says of it. Throws errno errors. */
export async function lookBeside(dir: HeldDir, bak: string, record: BackupRecord | undefined): Promise<Beside> {
  const found = lookAt(dir.child(bak));
  if (!found) return { former: '' };
  if (!found.isFile()) return { obstacle: `${bak} is not an ordinary file`, former: '' };
  // With the backup elsewhere, the file beside is somebody's own, also when it holds the same bytes.
  const known = isElsewhere(record, join(dir.real, bak)) ? [] : knownHashes(record);
  const hash = known.length > 0 ? await hashAt(dir.child(bak)) : '';
  return hash !== '' && known.includes(hash) ? { former: hash } : { obstacle: `${bak} was not made here`, former: '' };
}

async function besideFile({ dir, original, temps, inPlace }: KeepOptions, bak: string): Promise<Kept> {
  const [fresh, former] = temps;
  const hadFormer = lookAt(dir.child(bak)) !== undefined;
  try {
    await cloneTo(dir.child(fresh), dir.child(original.name), original, inPlace);
    // The write may still be refused (the file changed meanwhile): the former backup must then come back.
    const savedFormer = hadFormer && tryLink(dir.child(bak), dir.child(former));
    renameSync(dir.child(fresh), dir.child(bak));
    return {
      path: join(dir.real, bak),
      notes: [],
      commit: () => {
        if (savedFormer) rmSync(dir.child(former), { force: true });
      },
      undo: () => {
        if (savedFormer) renameSync(dir.child(former), dir.child(bak));
        else if (!hadFormer) rmSync(dir.child(bak), { force: true });
      },
    };
  } catch (error) {
    rmSync(dir.child(fresh), { force: true });
    rmSync(dir.child(former), { force: true });
    throw error;
  }
}

/** The old bytes under a second name: the very same file where a link is enough (then true), a copy otherwise. */
async function cloneTo(target: string, source: string, original: Original, copy: boolean): Promise<boolean> {
  if (!copy && tryLink(source, target)) {
    if (lstatSync(target).ino === original.stat.ino) return true;
    rmSync(target, { force: true });
  }
  await copyFile(original.fd, target, original.stat.mode & 0o777);
  return false;
}

/** A new file with what a descriptor holds, on the disk; with `like` of that owner and mode. Throws errno errors. */
export async function copyFile(from: number, target: string, mode: number, like?: Stats): Promise<void> {
  const fd = openSync(target, CREATE_FLAGS, mode);
  try {
    await copyDescriptor(from, fd);
    if (like) keepOwnerAndMode(fd, like);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

async function inStore({ original, records, temps }: KeepOptions, why: string): Promise<Kept> {
  const folder = records.folder();
  const path = join(folder, records.copyName(original.real, 'bak'));
  const fresh = join(folder, temps[0]);
  const former = join(folder, temps[1]);
  await copyFile(original.fd, fresh, 0o600);
  const hadFormer = lookAt(path)?.isFile() === true;
  if (hadFormer) copyFileSync(path, former);
  renameSync(fresh, path);
  return {
    path,
    notes: [`${why}, so it was left alone; the backup is ${path} and rollback uses it`],
    commit: () => rmSync(former, { force: true }),
    undo: () => {
      if (hadFormer) renameSync(former, path);
      else rmSync(path, { force: true });
    },
  };
}

function tryLink(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch {
    return false;
  }
}

/** Is this file a backup made here of the file it is named after? */
export async function isOwnBackup(records: RecordStore, real: string): Promise<boolean> {
  if (!real.endsWith('.bak')) return false;
  const record = records.get(real.slice(0, -'.bak'.length));
  if (record?.backup !== real || dirname(record.path) !== dirname(real)) return false;
  return (await hashAt(real)) === record.sha256;
}
