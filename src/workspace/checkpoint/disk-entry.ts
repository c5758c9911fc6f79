/** Files and links of a folder by the bytes of their names: looked at, written and removed without following a link on the way. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { type ErrorCode, ToolFault } from '../../types/tool.js';
import type { FileState } from '../../types/workspace.js';
import { errnoOf } from '../faults.js';
import { sha256 } from '../file-state.js';
import { CREATE_FLAGS, READ_FLAGS, UPDATE_FLAGS } from '../open-checked.js';
import { tempName } from '../temp-name.js';
import { absolute, lstatOf } from './scan.js';
import { LARGEST_FILE } from './settings.js';

const DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const THROUGH_DESCRIPTORS = process.platform === 'linux' && existsSync('/proc/self/fd');
const LINK_MODE = 0o120000;
const EXECUTABLE_MODE = 0o100755;

/** The id git gives to bytes. */
function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

export interface Present {
  readonly id: string;
  /** As git has it: 0o100644, 0o100755 or 0o120000. */
  readonly mode: number;
}

/** What stands at a path: its content, `absent`, a `folder`, or `odd` for what cannot be recorded. Throws errno errors. */
export function presentAt(path: Buffer): Present | 'absent' | 'folder' | 'odd' {
  const stat = lstatOf(path);
  if (stat === undefined) return 'absent';
  if (stat.isDirectory()) return 'folder';
  if (stat.isSymbolicLink()) return { id: blobId(readlinkSync(path, { encoding: 'buffer' })), mode: LINK_MODE };
  if (!stat.isFile() || stat.size > LARGEST_FILE) return 'odd';
  const fd = openSync(path, READ_FLAGS);
  try {
    const now = fstatSync(fd);
    if (!now.isFile() || now.size > LARGEST_FILE) return 'odd';
    const bytes = Buffer.alloc(now.size);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = readSync(fd, bytes, length, bytes.length - length, length);
    return { id: blobId(bytes.subarray(0, length)), mode: now.mode & 0o100 ? EXECUTABLE_MODE : 0o100644 };
  } finally {
    closeSync(fd);
  }
}

/** The folder a path lies in, held open so that nobody can put another in its place. */
export interface Parent {
  /** A path of the entry itself that leads through the open folder where the system can do that. */
  readonly entry: Buffer;
  /** A path of another entry beside it. */
  beside(name: string): Buffer;
  close(): void;
}

/**
 * Opens the folder of `path` below `root`, making what is missing. `clear` is told of what stands in the way (a file, a link) and must
 * remove it or throw. Throws errno errors.
 */
export function openParent(root: string, path: Buffer, clear: (obstacle: Buffer) => void): Parent {
  const names = split(path);
  const last = names.pop() ?? Buffer.alloc(0);
  let fd = openSync(root, DIRECTORY);
  let here: Buffer = Buffer.from(root);
  const at = (name: Buffer): Buffer =>
    Buffer.concat([THROUGH_DESCRIPTORS ? Buffer.from(`/proc/self/fd/${fd}`) : here, Buffer.from('/'), name]);
  try {
    let given: Buffer = Buffer.alloc(0);
    for (const name of names) {
      given = given.length === 0 ? name : Buffer.concat([given, Buffer.from('/'), name]);
      const stat = lstatOf(at(name));
      if (stat !== undefined && !stat.isDirectory()) clear(given);
      if (!stat?.isDirectory()) makeFolder(at(name));
      const next = openSync(at(name), DIRECTORY);
      closeSync(fd);
      fd = next;
      here = absolute(root, given);
    }
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return { entry: at(last), beside: (name) => at(Buffer.from(name)), close: () => closeSync(fd) };
}

function makeFolder(path: Buffer): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

function split(path: Buffer): Buffer[] {
  const names: Buffer[] = [];
  let from = 0;
  for (let at = path.indexOf(47); at >= 0; at = path.indexOf(47, from)) {
    names.push(path.subarray(from, at));
    from = at + 1;
  }
  return [...names, path.subarray(from)];
}

/** Puts content in the place of what is there: whole or not at all. Gives the state of an ordinary file. Throws errno errors. */
export function putEntry(parent: Parent, bytes: Buffer, mode: number): FileState | undefined {
  const old = lstatOf(parent.entry);
  if (mode !== LINK_MODE && old?.isFile() && old.nlink > 1) return overwrite(parent.entry, bytes, mode);
  const temp = parent.beside(tempName());
  try {
    if (mode === LINK_MODE) {
      symlinkSync(bytes, temp);
      renameSync(temp, parent.entry);
      return undefined;
    }
    const permissions = mode === EXECUTABLE_MODE ? 0o777 : 0o666;
    const fd = openSync(temp, CREATE_FLAGS, permissions);
    let state: FileState;
    try {
      writeAll(fd, bytes);
      if (old?.isFile()) fchmodSync(fd, withExecutable(old.mode, mode));
      const stat = fstatSync(fd);
      state = { mtimeMs: stat.mtimeMs, size: stat.size, sha256: sha256(bytes) };
    } finally {
      closeSync(fd);
    }
    renameSync(temp, parent.entry);
    return state;
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

/** A file with further names keeps them; what cannot be written whole leaves the old bytes. */
function overwrite(path: Buffer, bytes: Buffer, mode: number): FileState {
  const old = bytesAt(path);
  const fd = openSync(path, UPDATE_FLAGS);
  try {
    try {
      // What needs more room comes first, behind the old bytes: a full disk is found before any of them is touched.
      writeAll(fd, bytes.subarray(old.length), old.length);
      fsyncSync(fd);
      writeAll(fd, bytes.subarray(0, old.length));
      ftruncateSync(fd, bytes.length);
    } catch (error) {
      putBack(fd, old, error);
    }
    fchmodSync(fd, withExecutable(fstatSync(fd).mode, mode));
    const stat = fstatSync(fd);
    return { mtimeMs: stat.mtimeMs, size: stat.size, sha256: sha256(bytes) };
  } finally {
    closeSync(fd);
  }
}

function bytesAt(path: Buffer): Buffer {
  const fd = openSync(path, READ_FLAGS);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Throws the error of the write, or that the old bytes could not be put back either. */
function putBack(fd: number, old: Buffer, error: unknown): never {
  try {
    writeAll(fd, old);
    ftruncateSync(fd, old.length);
  } catch {
    const code = errnoOf(error) ?? 'EIO';
    throw new ToolFault(
      code as ErrorCode,
      `it could not be written (${code}), nor its old bytes put back: they are in the checkpoint of the state before`,
    );
  }
  throw error;
}

function writeAll(fd: number, bytes: Buffer, at = 0): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}

/** The permissions a file has, with or without the right to run it for all who may read it. */
function withExecutable(old: number, mode: number): number {
  const plain = old & 0o7666;
  return mode === EXECUTABLE_MODE ? plain | ((old & 0o444) >> 2) : plain;
}

/** Only the right to run it changes. */
export function setExecutable(path: Buffer, mode: number): void {
  const stat = lstatSync(path);
  if (stat.isFile()) chmodSync(path, withExecutable(stat.mode, mode));
}

const SYNCED_AT_ONCE = 16;

/** Makes files that were just written durable, many at once: one after the other takes milliseconds each. Never throws. */
export async function syncAll(paths: readonly Buffer[]): Promise<void> {
  let next = 0;
  const some = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      try {
        const handle = await open(path, READ_FLAGS);
        await handle.datasync().finally(() => handle.close());
      } catch {
        // A link, or a system that syncs only what is open for writing.
      }
    }
  };
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, some));
}

/** Removes a file or link. */
export function removeEntry(path: Buffer): void {
  rmSync(path, { force: true });
}

/** Removes the folders above a removed path that are empty now, up to `root`. */
export function removeEmptyAbove(root: string, path: Buffer): void {
  const names = split(path).slice(0, -1);
  for (; names.length > 0; names.pop()) {
    const folder = absolute(root, join(names));
    try {
      if (!lstatSync(folder).isDirectory()) return;
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function join(names: readonly Buffer[]): Buffer {
  return Buffer.concat(names.flatMap((name, index) => (index === 0 ? [name] : [Buffer.from('/'), name])));
}

/** Every file and link below a folder, as paths below `root`. Throws errno errors. */
export function everythingIn(root: string, folder: Buffer): Buffer[] {
  return readdirSync(absolute(root, folder), { encoding: 'buffer' }).flatMap((name) => {
    const path = join([folder, name]);
    return lstatOf(absolute(root, path))?.isDirectory() ? everythingIn(root, path) : [path];
  });
}

/** Removes a folder that holds nothing but empty folders. Throws errno errors. */
export function removeHollow(root: string, folder: Buffer): void {
  for (const name of readdirSync(absolute(root, folder), { encoding: 'buffer' })) removeHollow(root, join([folder, name]));
  rmdirSync(absolute(root, folder));
}
