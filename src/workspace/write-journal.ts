/** Notes of writes under way, outside the workspace: what a killed process left is tidied or undone at the next start. */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomHex } from '../base/clock.js';
import { isRunning, ownMark, type ProcessMark } from '../base/process-mark.js';
import { readRegular } from '../base/read-regular.js';
import { sha256 } from './file-state.js';
import { holdDir } from './held-dir.js';
import { UPDATE_FLAGS } from './open-checked.js';
import { atOnceLocked } from './path-lock.js';

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

/** Number of the process, then when it began (ticks and boot, where known), then its token and more that is random. */
const NAME = /^write-(\d+)-(?:(\d+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-)?([0-9a-f]+)\.jsonl$/;
const TOKEN_LENGTH = 24;
const LARGEST_JOURNAL = 64 * 1024 * 1024;
const LARGEST_FILE = 1024 * 1024 * 1024;

/** One file per process: a line when a write begins, a line when it ends, emptied when none is under way. */
export function createWriteJournal(state: string): WriteJournal {
  const folder = join(state, 'journal');
  let fd: number | undefined;
  let count = 0;
  const open = new Set<number>();
  const file = (): number => {
    if (fd === undefined) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      fd = openSync(join(folder, nameOf(ownMark())), 'ax', 0o600);
    }
    return fd;
  };
  const forget = (id: number) => {
    open.delete(id);
    try {
      if (open.size === 0) ftruncateSync(file());
      else writeSync(file(), `${JSON.stringify({ id, done: true })}\n`);
    } catch {
      // At worst a finished write is looked at again.
    }
  };
  return {
    begin(entry) {
      const id = ++count;
      try {
        writeSync(file(), `${JSON.stringify({ id, time: Date.now(), ...entry })}\n`);
        if (entry.restore) fsyncSync(file());
        open.add(id);
        return () => forget(id);
      } catch {
        return undefined;
      }
    },
    recover(mine) {
      return listed(folder).flatMap((name) => recoverFile(join(folder, name), state, mine));
    },
  };
}

function nameOf({ pid, start, token }: ReturnType<typeof ownMark>): string {
  const [boot, ticks] = start.split(':');
  const name = `write-${pid}-${ticks ? `${ticks}-${boot}-` : ''}${token}${randomHex(12)}.jsonl`;
  return NAME.test(name) ? name : `write-${pid}-${token}${randomHex(12)}.jsonl`;
}

/** The process a journal belongs to; undefined for a name that is none of ours. */
function ownerOf(name: string): ProcessMark | undefined {
  const [, pid, ticks, boot, random] = NAME.exec(name) ?? [];
  if (pid === undefined || random === undefined) return undefined;
  return { pid: Number(pid), start: ticks && boot ? `${boot}:${ticks}` : '', token: random.slice(0, TOKEN_LENGTH) };
}

/** The journals of processes that are gone. */
function listed(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => {
      const owner = ownerOf(name);
      return owner !== undefined && !isRunning(owner);
    });
  } catch {
    return [];
  }
}

/** Undoes what a dead process had under way; its file goes when nothing in it is left for later or for another workspace. */
function recoverFile(file: string, state: string, mine: (path: string) => boolean): string[] {
  const notes: string[] = [];
  try {
    let left = false;
    for (const entry of unfinished(readRegular(file, LARGEST_JOURNAL).toString('utf8'))) {
      for (const temp of entry.temps) rmSync(join(state, 'backups', temp), { force: true });
      const undone = mine(entry.path) ? atOnceLocked(state, entry.path, () => undo(entry)) : 'busy';
      if (undone === 'busy') left = true;
      else notes.push(...undone);
    }
    if (!left) rmSync(file, { force: true });
  } catch {
    // Left for the next start.
  }
  return notes;
}

interface Noted extends JournalEntry {
  readonly time: number;
}

/** A last line that was cut off had not begun anything. */
function unfinished(text: string): Noted[] {
  const entries = new Map<number, Noted>();
  for (const line of text.split('\n')) {
    try {
      const value = JSON.parse(line) as Partial<Noted> & { id?: unknown; done?: unknown };
      if (typeof value.id !== 'number') continue;
      const entry = value.done === true ? undefined : asEntry(value);
      if (entry) entries.set(value.id, entry);
      else entries.delete(value.id);
    } catch {
      // Not a whole line.
    }
  }
  return [...entries.values()];
}

function asEntry(value: Partial<Noted>): Noted | undefined {
  if (typeof value.path !== 'string' || !Array.isArray(value.temps) || typeof value.time !== 'number') return undefined;
  const { path, time, restore } = value;
  const temps = value.temps.filter((name): name is string => typeof name === 'string' && isTempName(name));
  if (restore === undefined) return { path, time, temps };
  return typeof restore.backup === 'string' && typeof restore.sha256 === 'string' ? { path, time, temps, restore } : undefined;
}

/** Names of our temporary files. */
export const TEMP_NAME = /^\.chatcli-[0-9a-f]{20}\.tmp$/;

/** An unguessable name for a temporary file. */
export function tempName(): string {
  return `.chatcli-${randomHex(20)}.tmp`;
}

export function isTempName(name: string): boolean {
  return TEMP_NAME.test(name);
}

/** A write takes seconds: what is newer than this (milliseconds) after its start was changed by someone else since. */
const LONGEST_WRITE = 60_000;

function undo(entry: Noted): string[] {
  const dir = holdDir(dirname(entry.path));
  try {
    for (const temp of entry.temps) rmSync(dir.child(temp), { force: true });
    if (!entry.restore) return [];
    const bytes = readRegular(entry.restore.backup, LARGEST_FILE);
    const name = entry.path.slice(dirname(entry.path).length).replace(/^[\\/]+/, '');
    if (sha256(bytes) !== entry.restore.sha256 || sha256(readRegular(dir.child(name), LARGEST_FILE)) === entry.restore.sha256)
      return [];
    if (statSync(dir.child(name)).mtimeMs > entry.time + LONGEST_WRITE) {
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
