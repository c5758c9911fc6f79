/** Undoes or finishes what processes that are gone had under way: at a start, and before their files are touched. */
import { appendFileSync, lstatSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readRegular } from '../base/read-regular.js';
import { ToolFault } from '../types/tool.js';
import { createRecordStore, type RecordStore } from './backup-record.js';
import { errnoOf } from './faults.js';
import { sha256 } from './file-state.js';
import { type HeldDir, holdDir } from './held-dir.js';
import { deadJournals, pathsOf, tempsOf, type Unfinished, unfinishedIn, type WriteEntry } from './journal-read.js';
import { whileLocked } from './path-lock.js';
import { overwrite } from './raw-io.js';
import { finishChange } from './transaction/finish.js';
import { openSite } from './transaction/site.js';
import { undoChange } from './transaction/undo.js';

/** A write takes seconds: what is newer than this (milliseconds) after its start was changed by someone else since. */
const LONGEST_WRITE = 60_000;
const LARGEST_FILE = 1024 * 1024 * 1024;
/** How many paths a sentence names. */
const MOST_NAMED = 5;

export interface Recovery {
  /** Tidies up after processes that are gone, where one of the files is `mine`. Gives sentences about it. Never throws. */
  recover(mine: (path: string) => boolean): Promise<string[]>;
  /** The same for what is about these very files, waiting for whoever is at them. Each is tried once. */
  settle(paths: readonly string[]): Promise<string[]>;
  /** Is there something of a process that is gone about one of these files that was not tried yet? */
  unsettled(paths: readonly string[]): boolean;
  /** Real paths of all files of which there is something of a process that is gone, tried or not. */
  left(): ReadonlySet<string>;
  /** Names of temporary files that what is left to be undone or finished needs. */
  needed(): ReadonlySet<string>;
}

export function createRecovery(state: string): Recovery {
  const journals = createDeadJournals(join(state, 'journal'));
  const tried = new Set<Unfinished>();
  const touching = (paths: readonly string[]) =>
    journals.open().filter(({ entry }) => !tried.has(entry) && pathsOf(entry).some((path) => paths.includes(path)));
  const settleAll = async (open: readonly OpenEntry[], wait?: number) => {
    const notes: string[] = [];
    for (const one of open) {
      const settled = await settleOne(state, one.entry, { wait, isOpen: () => journals.isOpen(one) });
      if (settled) journals.close(one);
      notes.push(...(settled ?? []));
    }
    return notes;
  };
  return {
    recover: (mine) => {
      const open = journals.open();
      journals.removeEmpty();
      return settleAll(
        open.filter(({ entry }) => pathsOf(entry).some(mine)),
        0,
      );
    },
    async settle(paths) {
      const open = touching(paths);
      const notes = await settleAll(open);
      for (const { entry } of open) tried.add(entry);
      return notes;
    },
    unsettled: (paths) => touching(paths).length > 0,
    left: () => new Set(journals.open().flatMap(({ entry }) => pathsOf(entry))),
    needed: () => new Set(journals.open().flatMap(({ entry }) => tempsOf(entry))),
  };
}

interface OpenEntry {
  readonly journal: string;
  readonly entry: Unfinished;
}

/** Journals of processes that are gone, each read once; other processes may settle what is in them too. */
function createDeadJournals(folder: string) {
  const known = new Map<string, Unfinished[]>();
  const load = () => {
    for (const name of deadJournals(folder)) {
      const entries = known.get(name) ?? readOrNothing(folder, name);
      if (entries) known.set(name, entries);
    }
  };
  const remove = (name: string) => {
    rmSync(join(folder, name), { force: true });
    known.delete(name);
  };
  return {
    /** Everything that is neither undone nor finished. */
    open(): OpenEntry[] {
      load();
      return [...known].flatMap(([journal, entries]) => entries.map((entry) => ({ journal, entry })));
    },
    /** Is the entry still open on the disk? Asked under the locks of its files: another process may have settled it meanwhile. */
    isOpen({ journal, entry }: OpenEntry): boolean {
      return readOrNothing(folder, journal)?.some(({ id }) => id === entry.id) ?? false;
    },
    /** One entry is settled; its journal goes with the last one. */
    close({ journal, entry }: OpenEntry): void {
      const left = (known.get(journal) ?? []).filter((one) => one !== entry);
      known.set(journal, left);
      try {
        if (left.length === 0) remove(journal);
        else appendFileSync(join(folder, journal), `\n${JSON.stringify({ id: entry.id, done: true })}\n`);
      } catch {
        // It will be looked at again, and found settled.
      }
    },
    removeEmpty(): void {
      for (const [name, entries] of known) {
        try {
          if (entries.length === 0) remove(name);
        } catch {
          // Left for the next start.
        }
      }
    },
  };
}

function readOrNothing(folder: string, name: string): Unfinished[] | undefined {
  try {
    return unfinishedIn(folder, name);
  } catch {
    return undefined;
  }
}

/** Undefined when it has to be left for later: somebody is at the files, or the disk refuses. */
async function settleOne(
  state: string,
  entry: Unfinished,
  { wait, isOpen }: { readonly wait: number | undefined; isOpen(): boolean },
): Promise<string[] | undefined> {
  const targets = pathsOf(entry).map((path) => ({ real: path, shown: path }));
  try {
    const work = async () => {
      if (!isOpen()) return [];
      return entry.kind === 'write' ? undoWrite(state, entry) : settleChange(state, entry);
    };
    return await whileLocked(state, targets, work, { wait });
  } catch (error) {
    if (error instanceof ToolFault || errnoOf(error)) return undefined;
    throw error;
  }
}

async function settleChange(
  state: string,
  { intent, committed }: Unfinished & { readonly kind: 'change' },
): Promise<string[] | undefined> {
  const site = openSite(createRecordStore(state));
  try {
    const names = intent.files.map(({ path }) => path);
    const listed = `${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''}`;
    if (committed) {
      const { notes, complete } = await finishChange(intent, site);
      return complete ? notes.flat() : undefined;
    }
    const notes = await undoChange(intent, site);
    return [`a change of several files was cut off by the end of an earlier process and taken back: ${listed}`, ...notes];
  } finally {
    site.close();
  }
}

async function undoWrite(state: string, { entry, time }: Unfinished & { readonly kind: 'write' }): Promise<string[]> {
  const dir = holdDir(dirname(entry.path));
  try {
    const notes = restoreFile(entry, dir, time);
    backupAsBefore(entry, dir, { records: createRecordStore(state), time });
    for (const temp of entry.temps) {
      rmSync(join(state, 'backups', temp), { force: true });
      rmSync(dir.child(temp), { force: true });
    }
    return notes;
  } finally {
    dir.close();
  }
}

/** A write that was not made leaves the former backup and its record too. */
function backupAsBefore(
  entry: WriteEntry,
  dir: HeldDir,
  { records, time }: { readonly records: RecordStore; readonly time: number },
): void {
  const { path, before, after, temps } = entry;
  if (before === undefined || after === undefined) return;
  const file = dir.child(basename(path));
  const now = hashOrNone(file);
  const changed = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (now === after || changed > time + LONGEST_WRITE) return;
  const former = temps[2];
  const bak = dir.child(`${basename(path)}.bak`);
  const stored = join(records.folder(), records.copyName(path, 'bak'));
  if (former !== undefined) {
    if (exists(dir.child(former))) renameSync(dir.child(former), bak);
    else if (exists(join(records.folder(), former))) renameSync(join(records.folder(), former), stored);
    // There was none before: this one is of the write that was not made.
    else if (
      before?.backup !== `${path}.bak` &&
      now !== '' &&
      hashOrNone(bak) === now &&
      records.get(path)?.backup === `${path}.bak`
    )
      rmSync(bak, { force: true });
  }
  // Later changes have a record of their own.
  if (records.get(path)?.after !== after) return;
  if (before) records.set(before);
  else records.remove(path);
}

function hashOrNone(path: string): string {
  try {
    return sha256(readRegular(path, LARGEST_FILE));
  } catch {
    return '';
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function restoreFile(entry: WriteEntry, dir: HeldDir, time: number): string[] {
  if (!entry.restore) return [];
  const bytes = readRegular(entry.restore.backup, LARGEST_FILE);
  const target = dir.child(basename(entry.path));
  const now = sha256(readRegular(target, LARGEST_FILE));
  if (sha256(bytes) !== entry.restore.sha256 || now === entry.restore.sha256 || now === entry.after) return [];
  if (statSync(target).mtimeMs > time + LONGEST_WRITE) {
    return [
      `${entry.path}: a write was cut off by the end of an earlier process and the file was changed since; its bytes from before are in ${entry.restore.backup}`,
    ];
  }
  overwrite(target, bytes);
  return [`${entry.path}: a write was cut off by the end of an earlier process; the bytes from before it were restored`];
}
