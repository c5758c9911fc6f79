/** Opens regular files only, without following a link that appears at the last moment and without waiting on a pipe. */
import { constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { type ErrorCode, ToolFault } from '../types/tool.js';
import { clip } from './faults.js';

const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const NONBLOCK = constants.O_NONBLOCK ?? 0;
/** For reading: never follows a link in the last place, never waits. */
export const READ_FLAGS = constants.O_RDONLY | NOFOLLOW | NONBLOCK;
/** For writing in place. */
export const UPDATE_FLAGS = constants.O_WRONLY | NOFOLLOW | NONBLOCK;
/** For a file that must not exist yet. */
export const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW;

/** Faults unless `stat` is a regular file. `shown` is for the message. */
export function assertRegular(stat: Stats, shown: string): void {
  if (stat.isFile()) return;
  const name = clip(shown);
  if (stat.isDirectory())
    throw new ToolFault('EISDIR', `${name} is a directory, not a file. Use tree to list it, or name a file in it.`);
  const kind = stat.isFIFO()
    ? 'a named pipe'
    : stat.isSocket()
      ? 'a socket'
      : stat.isSymbolicLink()
        ? 'a symbolic link that leads nowhere usable'
        : 'a device';
  const code: ErrorCode = stat.isSymbolicLink() ? 'ELOOP' : 'Failed';
  throw new ToolFault(code, `${name} is ${kind}, not an ordinary file. File tools work on ordinary files only.`);
}

/** Looks before opening: opening a device may already have an effect. */
export function lookBeforeOpening(real: string, shown: string): void {
  assertRegular(lstatSync(real), shown);
}

/** Opens for reading; throws errno errors and ToolFault. The caller closes the descriptor. */
export function openForRead(real: string, shown: string): number {
  lookBeforeOpening(real, shown);
  return openSync(real, READ_FLAGS);
}

/**
 * Where an open descriptor really is now. `undefined`: the system does not tell and the path no longer names the same
 * file. A file that was replaced or removed meanwhile still counts as its path.
 */
export function pathOfDescriptor(fd: number, expected: string): string | undefined {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).replace(/ \(deleted\)$/, '');
    } catch {
      // No /proc here: compare identities below.
    }
  }
  try {
    const opened = fstatSync(fd);
    const named = statSync(expected);
    return opened.dev === named.dev && opened.ino === named.ino ? realpathSync.native(expected) : undefined;
  } catch {
    return undefined;
  }
}
