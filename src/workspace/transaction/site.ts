/** Where the parts of a transaction lie: folders held open, and our own store of backups. */
import { closeSync, fsync, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { RecordStore } from '../backup-record.js';
import { errnoOf } from '../faults.js';
import { type HeldDir, holdDir } from '../held-dir.js';
import type { FileIntent } from './intent.js';

const fsyncAsync = promisify(fsync);

export interface Site {
  readonly records: RecordStore;
  /** The folder of a file, held open until `close`; undefined when it is not there. Throws errno errors and ToolFault. */
  folderOf(path: string): HeldDir | undefined;
  /** Takes over a folder that was opened elsewhere. */
  adopt(dir: HeldDir): void;
  /** Makes renames in all held folders durable, and those in the store when `store` is set. */
  sync(options: { readonly store: boolean }): Promise<void>;
  close(): void;
}

export function openSite(records: RecordStore): Site {
  const held = new Map<string, HeldDir>();
  return {
    records,
    folderOf(path) {
      const folder = dirname(path);
      const known = held.get(folder);
      if (known) return known;
      try {
        const dir = holdDir(folder);
        held.set(folder, dir);
        return dir;
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    adopt: (dir) => void held.set(dir.real, dir),
    async sync({ store }) {
      await Promise.all([...held.values()].map((dir) => dir.sync()));
      if (store) await syncFolder(records.folder());
    },
    close() {
      for (const dir of held.values()) dir.close();
      held.clear();
    },
  };
}

/** Paths of the parts of one file. `dir` is its folder. */
export function partsOf(file: FileIntent, dir: HeldDir, { records }: Site) {
  const store = (name: string) => join(records.folder(), name);
  const inStore = file.backupIn === 'store';
  return {
    target: dir.child(basename(file.path)),
    temp: dir.child(file.temp),
    saved: file.savedIn === 'store' ? store(file.saved) : dir.child(file.saved),
    copy: file.copy === '' ? undefined : store(file.copy),
    backup: inStore ? store(records.copyName(file.path, 'bak')) : dir.child(`${basename(file.path)}.bak`),
    /** As the record names it. */
    backupPath: inStore ? store(records.copyName(file.path, 'bak')) : `${file.path}.bak`,
  };
}

/** Waits until what was renamed in a folder is on the disk, where the system can tell. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    await fsyncAsync(fd);
  } catch (error) {
    if (errnoOf(error) !== 'EINVAL' && errnoOf(error) !== 'ENOTSUP') throw error;
  } finally {
    closeSync(fd);
  }
}
