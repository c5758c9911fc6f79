/** A finished file under a temporary name, and the way from there to a name of its own. */
import { closeSync, fchmodSync, fchownSync, fstatSync, fsync, linkSync, openSync, renameSync, rmSync, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { ToolFault } from '../types/tool.js';
import { errnoOf } from './faults.js';
import type { HeldDir } from './held-dir.js';
import { CREATE_FLAGS } from './open-checked.js';
import { writeAll } from './raw-io.js';

const fsyncAsync = promisify(fsync);

/** Writes a file that must not exist and waits for the disk. `like`: the file whose owner and mode it gets; `mode` goes first. */
export async function writeNew(
  path: string,
  bytes: Uint8Array,
  { like, mode }: { readonly like?: Stats; readonly mode?: number },
): Promise<Stats> {
  const fd = openSync(path, CREATE_FLAGS, like ? 0o600 : (mode ?? 0o666));
  try {
    await writeAll(fd, bytes);
    if (like) keepOwnerAndMode(fd, like, mode);
    else if (mode !== undefined) fchmodSync(fd, mode);
    await fsyncAsync(fd);
    return fstatSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Gives an open file the owner of another, as far as that is allowed, and its mode or the chosen one. */
export function keepOwnerAndMode(fd: number, wanted: Stats, chosen?: number): void {
  const mine = fstatSync(fd);
  let mode = chosen ?? wanted.mode & 0o7777;
  if (process.platform !== 'win32' && (mine.uid !== wanted.uid || mine.gid !== wanted.gid)) {
    try {
      fchownSync(fd, wanted.uid, wanted.gid);
    } catch {
      mode &= 0o777;
    }
  }
  fchmodSync(fd, mode);
}

/** The folder refuses a second file, yet the file itself may be written. */
export function cannotReplace(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
}

/** Does this file system know no second names? */
export function knowsNoLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'ENOSYS', 'EACCES', 'EMLINK'].includes(errnoOf(error) ?? '');
}

/** Puts a finished temporary file under a name nobody else took meanwhile. */
export function createFrom(dir: HeldDir, temp: string, name: string): void {
  try {
    linkSync(dir.child(temp), dir.child(name));
  } catch (error) {
    if (errnoOf(error) === 'EEXIST')
      throw new ToolFault('Stale', `${name} appeared while it was being written; nothing was overwritten`);
    if (!knowsNoLinks(error)) throw error;
    renameSync(dir.child(temp), dir.child(name));
    return;
  }
  rmSync(dir.child(temp), { force: true });
}
