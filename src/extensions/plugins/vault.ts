/** Private copies of trusted programs, named by their hash: what was hashed is what runs, whatever becomes of the file. */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { because } from '../../types/reason.js';
import { codeOf, hashOpen } from './scan.js';
import type { PinnedProgram, Read } from './types.js';

const SHA256 = /^[0-9a-f]{64}$/;

/** Where programs of this hash have their copies. */
export function vaultFolder(state: string, sha256: string): string {
  if (!SHA256.test(sha256)) throw new RangeError('no SHA-256');
  return join(state, 'cache', 'plugins', sha256);
}

/** The copy of a file whose bytes have this hash, made when it is not there. Never throws. */
export function pinProgram(state: string, path: string, sha256: string): Read<PinnedProgram> {
  try {
    // Two files may hold the same bytes: each has a folder of its own.
    const name = createHash('sha256').update(basename(path)).digest('hex').slice(0, 16);
    const folder = join(vaultFolder(state, sha256), name);
    const program: PinnedProgram = { path: join(folder, basename(path)), folder, sha256 };
    if (isIntact(program)) return { ok: true, value: program };
    if (!copyInto(folder, path, sha256))
      return { ok: false, why: because`it changed while it was read; look at it and trust it again` };
    return { ok: true, value: program };
  } catch (error) {
    return { ok: false, why: because`no private copy can be made (${codeOf(error)})` };
  }
}

/** False: the file no longer has this hash. Throws errno errors. */
function copyInto(folder: string, path: string, sha256: string): boolean {
  const parent = join(folder, '..');
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  chmodSync(parent, 0o700);
  const temporary = join(parent, `.${randomBytes(8).toString('hex')}.tmp`);
  mkdirSync(temporary, { mode: 0o700 });
  try {
    const target = join(temporary, basename(path));
    if (copyFile(path, target).sha256 !== sha256) return false;
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
    return true;
  } catch (error) {
    // Another process made the same copy meanwhile.
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error)) && isIntact({ path: join(folder, basename(path)), folder, sha256 }))
      return true;
    throw error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Copies what an open descriptor gives, so the bytes hashed are the bytes written; 0500. Throws errno errors. */
export function copyFile(path: string, target: string, mode = 0o500): { readonly size: number; readonly sha256: string } {
  const from = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const to = openSync(target, 'wx', 0o600);
    try {
      const read = hashOpen(from, (piece) => {
        for (let at = 0; at < piece.length; ) at += writeSync(to, piece, at);
      });
      fsyncSync(to);
      chmodSync(target, mode);
      return read;
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

/** State of copies that were found whole: looked at again only when something about them changed. */
const whole = new Map<string, string>();

/** Has the copy still the bytes of its name? Never throws. */
export function isIntact({ path, sha256 }: PinnedProgram): boolean {
  try {
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    try {
      const { ino, size, mtimeMs, ctimeMs, mode } = fstatSync(fd);
      const mark = [ino, size, mtimeMs, ctimeMs, mode, sha256].join(' ');
      if (whole.get(path) === mark) return true;
      if (hashOpen(fd).sha256 !== sha256 || (process.platform !== 'win32' && (mode & 0o111) === 0)) return false;
      whole.set(path, mark);
      return true;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}

/** Removes the copy of a program that is no longer trusted. Never throws. */
export function dropCopy(state: string, sha256: string): void {
  try {
    rmSync(vaultFolder(state, sha256), { recursive: true, force: true });
  } catch {
    // A copy nobody runs does no harm.
  }
}

/** Is what stands at a path still the file that was hashed, as far as a look can tell? */
export function fileMark(path: string): string | undefined {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
    return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
  } catch {
    return undefined;
  }
}
