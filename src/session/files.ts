/** Careful file work for this folder: private folders, plain files only, whole-file writes, lines of any length in bounded memory. */
import { closeSync, constants, fstatSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { sweepOnce } from '../base/sweep-once.js';
import { SessionFault } from './fault.js';

const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Makes a folder only its owner can enter. */
export function privateFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
}

/** Opens a plain file without following a link at its end. The caller closes. Throws errno errors and SessionFault `not-a-log`. */
export function openPlain(file: string, flags: number): number {
  const fd = openSync(file, flags | NO_FOLLOW, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new SessionFault('not-a-log', `${file} is not a plain file`, { file });
}

/** Writes all bytes or throws. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done);
}

/** Replaces a whole file: temporary file beside it, fsync, rename; mode 0600. `unique` keeps two writers apart. */
export function replaceFile(file: string, text: string, unique: string): void {
  const draft = `${file}.${process.pid}.${unique}.tmp`;
  const fd = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600);
  try {
    try {
      writeAll(fd, Buffer.from(text));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

const DAY = 24 * 60 * 60 * 1000;
const DRAFTS = /\.lock\.\d+\.[0-9a-f]+(\.old)?$|\.json\.\d+\.[0-9a-f]+\.tmp$/;

/** Removes drafts of locks and states that killed processes left here more than a day ago. Never throws. */
export function sweepDrafts(dir: string, now: number): void {
  sweepOnce({ folder: dir, names: DRAFTS, before: now - DAY });
}

export interface Line {
  /** Counting from 1. */
  readonly number: number;
  /** Undefined when the line is too long or not valid UTF-8. */
  readonly text: string | undefined;
  /** False for a last line without its line feed. */
  readonly ended: boolean;
}

export interface LineLimits {
  readonly maxLine: number;
  /** Stop after this many bytes of the file. */
  readonly maxBytes?: number;
}

/** The lines of a plain file, one at a time; never holds more than one line and one block. Throws errno errors and SessionFault. */
export async function* readLines(file: string, limits: LineLimits): AsyncGenerator<Line> {
  const handle = await open(file, constants.O_RDONLY | NO_FOLLOW);
  try {
    if (!(await handle.stat()).isFile()) throw new SessionFault('not-a-log', `${file} is not a plain file`, { file });
    const block = Buffer.allocUnsafe(64 * 1024);
    let pieces: Buffer[] = [];
    let size = 0;
    let number = 0;
    let total = 0;
    const take = (ended: boolean): Line => {
      const text = size > limits.maxLine ? undefined : decode(Buffer.concat(pieces, size));
      pieces = [];
      size = 0;
      return { number: ++number, text, ended };
    };
    while (total < (limits.maxBytes ?? Number.POSITIVE_INFINITY)) {
      const { bytesRead } = await handle.read(block, 0, block.length, null);
      if (bytesRead === 0) break;
      total += bytesRead;
      const read = block.subarray(0, bytesRead);
      let from = 0;
      for (let at = read.indexOf(10); at !== -1; at = read.indexOf(10, from)) {
        size += at - from;
        if (size <= limits.maxLine) pieces.push(Buffer.from(read.subarray(from, at)));
        yield take(true);
        from = at + 1;
      }
      size += bytesRead - from;
      if (size <= limits.maxLine) pieces.push(Buffer.from(read.subarray(from)));
      else pieces = [];
    }
    if (size > 0) yield take(false);
  } finally {
    await handle.close();
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
