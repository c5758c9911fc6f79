/** Notes of writes under way, outside the workspace: what a killed process left is tidied or undone at the next start. */
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { randomHex } from '../base/clock.js';
import { sha256 } from './file-state.js';
import { holdDir } from './held-dir.js';
import { lookBeforeOpening, READ_FLAGS, UPDATE_FLAGS } from './open-checked.js';

export interface JournalEntry {
  /** Real path of the file being written. */
  readonly path: string;
  /** Temporary files beside it (names). */
  readonly temps: readonly string[];
  /** Set while the file's own bytes are being overwritten: where its old bytes lie. */
  readonly restore?: { readonly backup: string; readonly sha256: string };
}

export interface WriteJournal {
  /** Notes a write; the returned function forgets it again. A state folder that cannot be written gives undefined. */
  begin(entry: JournalEntry): (() => void) | undefined;
  /** Tidies up after processes that are gone, for files `mine` accepts. Gives sentences about what was restored. Never throws. */
  recover(mine: (path: string) => boolean): string[];
}

const PREFIX = 'write-';

export function createWriteJournal(state: string): WriteJournal {
  const folder = join(state, 'journal');
  return {
    begin(entry) {
      const file = join(folder, `${PREFIX}${process.pid}-${randomHex(16)}.json`);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const fd = openSync(file, 'wx', 0o600);
        try {
          writeSync(fd, JSON.stringify(entry));
          if (entry.restore) fsyncSync(fd);
        } finally {
          closeSync(fd);
        }
        return () => rmSync(file, { force: true });
      } catch {
        return undefined;
      }
    },
    recover(mine) {
      const notes: string[] = [];
      for (const name of listed(folder)) {
        const pid = Number(/^write-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
        if (!Number.isInteger(pid) || isAlive(pid)) continue;
        const file = join(folder, name);
        try {
          const entry = parseEntry(readFileSync(file, 'utf8'));
          if (entry && !mine(entry.path)) continue;
          if (entry) notes.push(...undo(entry, statSync(file).mtimeMs));
          rmSync(file, { force: true });
        } catch {
          // Left for the next start.
        }
      }
      return notes;
    },
  };
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith(PREFIX) && name.endsWith('.json'));
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}

/** Undefined for a note that was itself cut off: then nothing had begun. */
function parseEntry(text: string): JournalEntry | undefined {
  try {
    const value = JSON.parse(text) as Partial<JournalEntry>;
    if (typeof value.path !== 'string' || !Array.isArray(value.temps)) return undefined;
    const temps = value.temps.filter((name): name is string => typeof name === 'string' && isTempName(name));
    const restore = value.restore;
    if (restore === undefined) return { path: value.path, temps };
    return typeof restore.backup === 'string' && typeof restore.sha256 === 'string'
      ? { path: value.path, temps, restore }
      : undefined;
  } catch {
    return undefined;
  }
}

const TEMP = /^\.chatcli-[0-9a-f]{20}\.tmp$/;

/** An unguessable name for a temporary file. */
export function tempName(): string {
  return `.chatcli-${randomHex(20)}.tmp`;
}

export function isTempName(name: string): boolean {
  return TEMP.test(name);
}

/** A write takes seconds: what is newer than this (milliseconds) after its start was changed by someone else since. */
const LONGEST_WRITE = 60_000;

function undo(entry: JournalEntry, started: number): string[] {
  const dir = holdDir(dirname(entry.path));
  try {
    for (const temp of entry.temps) rmSync(dir.child(temp), { force: true });
    if (!entry.restore) return [];
    lookBeforeOpening(entry.restore.backup, entry.restore.backup);
    const bytes = readAll(entry.restore.backup);
    const name = entry.path.slice(dirname(entry.path).length).replace(/^[\\/]+/, '');
    if (sha256(bytes) !== entry.restore.sha256 || sha256(readAll(dir.child(name))) === entry.restore.sha256) return [];
    if (statSync(dir.child(name)).mtimeMs > started + LONGEST_WRITE) {
      return [
        `${entry.path}: a write was cut off by the end of an earlier process and the file was changed since; its bytes from before are in ${entry.restore.backup}`,
      ];
    }
    overwrite(dir.child(name), bytes);
    return [`${entry.path}: a write was cut off by the end of an earlier process; the bytes from before it were restored`];
  } finally {
    dir.close();
  }
}

function readAll(path: string): Buffer {
  const fd = openSync(path, READ_FLAGS);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Puts `bytes` into an existing file without changing its identity, and waits for the disk. */
export function overwrite(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, UPDATE_FLAGS);
  try {
    overwriteDescriptor(fd, bytes);
  } finally {
    closeSync(fd);
  }
}

export function overwriteDescriptor(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
  ftruncateSync(fd, bytes.length);
  fsyncSync(fd);
}
