/** Finds the executables of a plugins folder; nothing is run and nothing in it is followed out of curiosity. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { because, type Reason } from '../../types/reason.js';
import type { PluginFile } from './types.js';

const OPEN = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const PIECE = 1024 * 1024;
/** Larger files are no plugins. */
export const MOST_BYTES = 512 * 1024 * 1024;
/** Entries of a folder that are looked at. */
const MOST_ENTRIES = 500;

export interface Scan {
  readonly files: readonly PluginFile[];
  /** What is odd about the folder or about files that would be plugins. */
  readonly doubts: readonly { readonly path: string; readonly why: Reason }[];
}

/** Names in a plugins folder that may be plugins, sorted: no hidden files, no signatures. Throws errno errors. */
export function candidates(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && !/\.sig$/i.test(name))
    .sort();
}

/**
 * Executable ordinary files with the hash of what they hold. The user's links count by what they lead to; a project's do not
 * count, and of a project only what `wanted` names is read, the others have an empty hash. Never throws.
 */
export function scanFolder(folder: string, from: PluginFile['from'], wanted: (name: string) => boolean = () => true): Scan {
  const doubts: { path: string; why: Reason }[] = [];
  let names: readonly string[];
  try {
    names = candidates(folder);
    if (process.platform !== 'win32' && (statSync(folder).mode & 0o022) !== 0)
      doubts.push({ path: folder, why: because`others may write to this folder; chmod 700 closes it` });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { files: [], doubts: [] };
    return { files: [], doubts: [{ path: folder, why: because`the folder cannot be read (${codeOf(error)})` }] };
  }
  if (names.length > MOST_ENTRIES)
    doubts.push({ path: folder, why: because`it holds ${names.length} files; only the first ${MOST_ENTRIES} are looked at` });
  const files = names.slice(0, MOST_ENTRIES).flatMap((file) => {
    const seen = lookAt(join(folder, file), from, wanted(file));
    if (seen === undefined) return [];
    if ('sha256' in seen) return [seen];
    doubts.push(seen);
    return [];
  });
  return { files, doubts };
}

/** Undefined: no plugin at all. Never throws. */
function lookAt(
  path: string,
  from: PluginFile['from'],
  isRead: boolean,
): PluginFile | { readonly path: string; readonly why: Reason } | undefined {
  try {
    if (from === 'project' && lstatSync(path).isSymbolicLink())
      return { path, why: because`it is a link, and a project's plugins are files of its own` };
    const stat = statSync(path);
    if (!stat.isFile() || (process.platform !== 'win32' && (stat.mode & 0o111) === 0)) return undefined;
    return isRead ? describeFile(path, from) : { file: basename(path), path, from, size: stat.size, sha256: '' };
  } catch (error) {
    // A link that leads nowhere, or a file that just went.
    return codeOf(error) === 'ENOENT' ? undefined : { path, why: because`it cannot be read (${codeOf(error)})` };
  }
}

/** One file with the hash of its bytes. Throws errno errors; `EINVAL` for what is no ordinary file, `EFBIG` when it is too large. */
export function describeFile(path: string, from: PluginFile['from']): PluginFile {
  const fd = openSync(path, OPEN);
  try {
    const { size, sha256 } = hashOpen(fd);
    return { file: basename(path), path, from, size, sha256 };
  } finally {
    closeSync(fd);
  }
}

/** Reads an open file to its end; `each` gets the pieces. Throws errno errors. */
export function hashOpen(fd: number, each: (piece: Uint8Array) => void = () => undefined): { size: number; sha256: string } {
  const stat = fstatSync(fd);
  if (!stat.isFile()) throw Object.assign(new Error('not an ordinary file'), { code: 'EINVAL' });
  const hash = createHash('sha256');
  const piece = Buffer.alloc(PIECE);
  let size = 0;
  for (;;) {
    const count = readSync(fd, piece, 0, PIECE, null);
    if (count === 0) break;
    size += count;
    if (size > MOST_BYTES) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
    const read = piece.subarray(0, count);
    hash.update(read);
    each(read);
  }
  return { size, sha256: hash.digest('hex') };
}

/** The errno name of a fault, or its text. */
export function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? error);
}
