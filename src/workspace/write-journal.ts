/** Notes of writes under way, outside the workspace: a file per process, so that what a killed one left can be undone or finished. */
import { closeSync, fstatSync, fsync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ownMark } from '../base/process-mark.js';
import { journalName, type WriteEntry } from './journal-read.js';
import { createRecovery, type Recovery } from './recovery.js';
import type { Intent } from './transaction/intent.js';
import { syncFolder } from './transaction/site.js';

const fsyncAsync = promisify(fsync);

/** A transaction that stands in the journal. */
export interface IntentEntry {
  /** Waits until the intent is on the disk. Throws errno errors. */
  flush(): Promise<void>;
  /** From here on the transaction counts as made. Throws errno errors; then it does not. */
  commit(): Promise<void>;
  /** Nothing of it is left to be done. Never throws. */
  forget(): void;
}

export interface WriteJournal extends Recovery {
  /** Notes a write; the returned function forgets it again. A state folder that cannot be written gives undefined. */
  begin(entry: WriteEntry): (() => void) | undefined;
  /** Notes a transaction before anything of it is done. Throws errno errors. */
  intend(intent: Intent): IntentEntry;
}

/** One file per process: lines when something begins, is decided, ends; emptied when nothing is under way. */
export function createWriteJournal(state: string): WriteJournal {
  const file = createJournalFile(join(state, 'journal'));
  let count = 0;
  const open = new Set<number>();
  const forget = (id: number) => {
    open.delete(id);
    try {
      if (open.size === 0) file.empty();
      else file.add({ id, done: true });
    } catch {
      // At worst a finished write is looked at again.
    }
  };
  /** A decision that cannot be taken back has to stand. */
  const revoked = (id: number): boolean => {
    try {
      file.add({ id, committed: false });
      return true;
    } catch {
      return false;
    }
  };
  return {
    ...createRecovery(state),
    begin(entry) {
      const id = ++count;
      try {
        file.add({ id, time: Date.now(), ...entry });
        if (entry.restore) file.sync();
        open.add(id);
        return () => forget(id);
      } catch {
        return undefined;
      }
    },
    intend(intent) {
      const id = ++count;
      file.add({ id, change: intent });
      open.add(id);
      return {
        flush: () => file.flush(),
        async commit() {
          file.add({ id, committed: true });
          try {
            await file.flush();
          } catch (error) {
            if (revoked(id)) throw error;
          }
        },
        forget: () => forget(id),
      };
    },
  };
}

/** The file itself: made when first needed, and again when somebody removed it. */
function createJournalFile(folder: string) {
  let fd: number | undefined;
  let folderFlushed = false;
  const there = (): number => {
    if (fd !== undefined && fstatSync(fd).nlink > 0) return fd;
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
    folderFlushed = false;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    fd = openSync(join(folder, journalName(ownMark())), 'ax', 0o600);
    return fd;
  };
  return {
    /** A whole line, or none that could be taken for one: a disk may fill up in the middle of it. */
    add(value: object): void {
      const bytes = Buffer.from(`\n${JSON.stringify(value)}\n`);
      const target = there();
      for (let at = 0; at < bytes.length; ) at += writeSync(target, bytes, at, bytes.length - at);
    },
    sync: () => fsyncSync(there()),
    async flush(): Promise<void> {
      await fsyncAsync(there());
      if (folderFlushed) return;
      await syncFolder(folder);
      await syncFolder(join(folder, '..'));
      folderFlushed = true;
    },
    empty(): void {
      if (fd !== undefined) ftruncateSync(fd);
    },
  };
}
