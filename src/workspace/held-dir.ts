/** A folder held open while a file in it is replaced, so that nobody can put another folder in its place meanwhile. */
import { closeSync, constants, fstatSync, fsync, mkdirSync, openSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ToolFault } from '../types/tool.js';
import { errnoOf } from './faults.js';
import { pathOfDescriptor } from './open-checked.js';

const fsyncAsync = promisify(fsync);
const DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

export interface HeldDir {
  readonly real: string;
  /** A path of an entry that leads through the open handle where the system can do that. */
  child(name: string): string;
  /** Faults when the folder is no longer where it was opened. */
  verify(): void;
  /** Makes renames in it durable. */
  sync(): Promise<void>;
  close(): void;
}

/** Opens an existing folder by its real path. Throws errno errors; ToolFault when it was swapped. */
export function holdDir(real: string): HeldDir {
  if (process.platform === 'win32') return plainDir(real);
  return heldFrom(openSync(real, DIRECTORY), real);
}

function heldFrom(fd: number, real: string): HeldDir {
  const verify = () => {
    if (pathOfDescriptor(fd, real) !== real) {
      throw new ToolFault(
        'Conflict',
        `the folder ${real} was moved or replaced while a file in it was being written; nothing was changed`,
      );
    }
  };
  try {
    verify();
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  const through = process.platform === 'linux' && pathsThroughDescriptors() ? `/proc/self/fd/${fd}` : real;
  return {
    real,
    child: (name) => `${through}/${name}`,
    verify,
    sync: async () => {
      try {
        await fsyncAsync(fd);
      } catch (error) {
        if (errnoOf(error) !== 'EINVAL' && errnoOf(error) !== 'ENOTSUP') throw error;
      }
    },
    close: () => closeSync(fd),
  };
}

function plainDir(real: string): HeldDir {
  return {
    real,
    child: (name) => join(real, name),
    verify: () => undefined,
    sync: async () => undefined,
    close: () => undefined,
  };
}

let throughWorks: boolean | undefined;

/** Can entries be reached as `/proc/self/fd/N/name`? Tried once. */
function pathsThroughDescriptors(): boolean {
  if (throughWorks === undefined) {
    try {
      const fd = openSync('/', DIRECTORY);
      try {
        const here = openSync(`/proc/self/fd/${fd}/.`, DIRECTORY);
        throughWorks = fstatSync(here).ino === fstatSync(fd).ino;
        closeSync(here);
      } finally {
        closeSync(fd);
      }
    } catch {
      throughWorks = false;
    }
  }
  return throughWorks;
}

export interface MadeDir {
  readonly dir: HeldDir;
  /** Removes the folders that were made, if they are still empty. */
  undo(): void;
}

/** Holds a folder, making it and its parents where they are missing (mode 0777 less the umask). */
export function holdOrMakeDir(real: string): MadeDir {
  const missing: string[] = [];
  let existing = real;
  let held: HeldDir | undefined;
  while (!held) {
    try {
      held = holdDir(existing);
    } catch (error) {
      const parent = dirname(existing);
      if (errnoOf(error) !== 'ENOENT' || parent === existing) throw error;
      missing.unshift(existing.slice(parent.length).replace(/^[\\/]+/, ''));
      existing = parent;
    }
  }
  const made: string[] = [];
  const undo = () => {
    for (const path of made.toReversed()) {
      try {
        rmdirSync(path);
      } catch {
        return;
      }
    }
  };
  let dir = held;
  try {
    for (const name of missing) {
      const path = join(dir.real, name);
      if (makeIfMissing(dir.child(name))) made.push(path);
      const next = process.platform === 'win32' ? plainDir(path) : heldFrom(openSync(dir.child(name), DIRECTORY), path);
      dir.close();
      dir = next;
    }
  } catch (error) {
    dir.close();
    undo();
    throw error;
  }
  return { dir, undo };
}

/** True when it was made here; false when someone else was faster. */
function makeIfMissing(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}
