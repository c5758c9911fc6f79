/** The manifest of backups, outside the workspace: one small file per path, replaced whole, so that two processes cannot mix it up. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../base/clock.js';
import { readRegular } from '../base/read-regular.js';
import { tempName } from './temp-name.js';

/** What is known about the last change of one file made here. */
export interface BackupRecord {
  /** Real path of the file. */
  readonly path: string;
  /** Where the bytes from before the last change lie; null when there were none or none were kept. */
  readonly backup: string | null;
  /** Of the backup; empty without one. */
  readonly sha256: string;
  /** Permission bits of the file before the change. */
  readonly mode: number;
  /** Permission bits after it, when the change set them. */
  readonly modeAfter?: number;
  /** When the file was last changed here, milliseconds since 1970. */
  readonly time: number;
  /** SHA-256 of what the last change left. */
  readonly after: string;
  /** SHA-256 of former backups, newest first: such a `.bak` is ours, but old. */
  readonly earlier: readonly string[];
}

const MOST_EARLIER = 20;
const LARGEST_RECORD = 1024 * 1024;

export interface RecordStore {
  get(path: string): BackupRecord | undefined;
  /** False when it could only be kept in memory. */
  set(record: BackupRecord): boolean;
  remove(path: string): void;
  /** All records that can be read. */
  all(): BackupRecord[];
  /** Folder for backups that cannot lie beside their file; made when missing (mode 0700). Throws errno errors. */
  folder(): string;
  /** Name of a stored copy of `path` in that folder. */
  copyName(path: string, kind: 'bak' | 'undone'): string;
}

export function createRecordStore(state: string): RecordStore {
  const folder = join(state, 'backups');
  const index = join(folder, 'index');
  const memory = new Map<string, BackupRecord>();
  const fileOf = (path: string) => join(index, `${keyOf(path)}.json`);
  return {
    get(path) {
      return memory.get(path) ?? readRecord(fileOf(path), path);
    },
    set(record) {
      const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
      try {
        mkdirSync(index, { recursive: true, mode: 0o700 });
        if (!overwriteAtOnce(fileOf(record.path), bytes)) replaceRecord(index, fileOf(record.path), bytes);
        memory.delete(record.path);
        return true;
      } catch {
        memory.set(record.path, record);
        return false;
      }
    },
    remove(path) {
      memory.delete(path);
      rmSync(fileOf(path), { force: true });
    },
    all() {
      const stored = namesIn(index).flatMap((name) => readRecord(join(index, name)) ?? []);
      return [...stored.filter((record) => !memory.has(record.path)), ...memory.values()];
    },
    folder() {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    copyName: (path, kind) => `${keyOf(path)}.${kind}`,
  };
}

/** A record up to this size (bytes) is one page of the disk and is written by one system call. */
const AT_ONCE = 4096;
const OVERWRITE_FLAGS = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Puts a record over the former one, padded so that nothing of that is left: a system call is made as a whole or not at all,
 * and this costs a tenth of a new file and a rename. False where it cannot be done so.
 */
function overwriteAtOnce(file: string, bytes: Buffer): boolean {
  if (bytes.length > AT_ONCE) return false;
  let fd: number;
  try {
    fd = openSync(file, OVERWRITE_FLAGS, 0o600);
  } catch {
    return false;
  }
  try {
    const stat = fstatSync(fd);
    const { size } = stat;
    if (!stat.isFile() || stat.nlink !== 1 || size > AT_ONCE) return false;
    const padded = size > bytes.length ? Buffer.concat([bytes, Buffer.alloc(size - bytes.length, '\n')]) : bytes;
    return writeSync(fd, padded, 0, padded.length, 0) === padded.length;
  } finally {
    closeSync(fd);
  }
}

function replaceRecord(index: string, file: string, bytes: Buffer): void {
  const temp = join(index, `.${randomHex(16)}.tmp`);
  try {
    writeFileSync(temp, bytes, { mode: 0o600, flag: 'wx' });
    renameSync(temp, file);
  } finally {
    rmSync(temp, { force: true });
  }
}

/** Does the backup lie somewhere else than beside the file, because that name was taken? */
export function isElsewhere(record: BackupRecord | undefined, beside: string): boolean {
  return typeof record?.backup === 'string' && record.backup !== beside;
}

/** The hashes of all backups ever made here for this path that are still remembered, newest first. */
export function knownHashes(record: BackupRecord | undefined): string[] {
  if (!record) return [];
  return [record.sha256, ...record.earlier].filter((hash) => hash !== '').slice(0, MOST_EARLIER);
}

function keyOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 40);
}

/** A damaged record counts as none, and one of another path. */
function readRecord(file: string, path?: string): BackupRecord | undefined {
  try {
    return asRecord(JSON.parse(readRegular(file, LARGEST_RECORD).toString('utf8')), path);
  } catch {
    return undefined;
  }
}

/** A record of `path` (of any, without it) from JSON, or undefined. */
export function asRecord(json: unknown, path?: string): BackupRecord | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const value = json as Partial<Record<keyof BackupRecord, unknown>>;
  const { backup, sha256, mode, modeAfter, time, after, earlier } = value;
  if (typeof value.path !== 'string' || (path !== undefined && value.path !== path)) return undefined;
  if (typeof sha256 !== 'string' || typeof mode !== 'number' || typeof time !== 'number') return undefined;
  if (typeof after !== 'string' || !Array.isArray(earlier) || (backup !== null && typeof backup !== 'string')) return undefined;
  const known = earlier.filter((entry) => typeof entry === 'string');
  const chosen = typeof modeAfter === 'number' ? { modeAfter } : {};
  return { path: value.path, backup, sha256, mode, ...chosen, time, after, earlier: known };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

/** Keeps what is taken away from under `real`, one generation, outside the workspace; gives the place. Throws errno errors. */
export function keepUndone(records: RecordStore, real: string, bytes: Uint8Array): string {
  const folder = records.folder();
  const path = join(folder, records.copyName(real, 'undone'));
  const temp = join(folder, tempName());
  try {
    writeFileSync(temp, bytes, { mode: 0o600, flag: 'wx' });
    renameSync(temp, path);
  } finally {
    rmSync(temp, { force: true });
  }
  return path;
}
