/** The append-only file of an undo store: a line is whole or it does not count, also after a kill and beside another process. */
import { closeSync, constants, fstatSync, fsyncSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { readRegular } from '../../base/read-regular.js';
import { parseLine, type UndoLine } from './lines.js';

const FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** A log beyond this many bytes is neither read nor written. */
const LARGEST = 256 * 1024 * 1024;
/** The last part of it is for undos, and for lines that end what was begun. */
const RESERVE = 1 / 16;
const NEW_WORK: ReadonlySet<UndoLine['type']> = new Set(['edit', 'uncovered']);

interface UndoLog {
  /** Writes one line at once. Throws errno errors, `EFBIG` for a log that is full; the next line is whole all the same. */
  append(line: UndoLine): void;
  /** All whole lines on disk, of every process that wrote here; none when there is no log. Throws errno errors for one that cannot be read. */
  read(): UndoLine[];
  /** All on disk; closes. Never throws. */
  close(): void;
}

/** Folder (0700) and file (0600) are made with the first line. `largest`: bytes it may have. */
export function createUndoLog(file: string, largest = LARGEST): UndoLog {
  let fd: number | undefined;
  /** What stands before the next line may have no end. */
  let torn = false;
  const write = (text: string, most: number): void => {
    fd ??= openLog(file);
    const bytes = Buffer.from(`${torn || endsTorn(fd) ? '\n' : ''}${text}\n`);
    if (fstatSync(fd).size + bytes.length > most) throw Object.assign(new Error(`${file} is full`), { code: 'EFBIG' });
    torn = true;
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
    torn = false;
  };
  return {
    append: (line) => write(JSON.stringify(line), NEW_WORK.has(line.type) ? largest * (1 - RESERVE) : largest),
    read() {
      let text: string;
      try {
        text = readRegular(file, largest).toString('utf8');
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ENOENT') return [];
        throw error;
      }
      return text.split('\n').flatMap((line) => parseLine(line) ?? []);
    },
    close() {
      if (fd === undefined) return;
      try {
        fsyncSync(fd);
      } catch {
        // Written, though perhaps not yet on the disk.
      }
      closeSync(fd);
      fd = undefined;
    },
  };
}

function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fd = openSync(file, FLAGS, 0o600);
  try {
    if (!fstatSync(fd).isFile()) throw Object.assign(new Error(`${file} is not an ordinary file`), { code: 'ENXIO' });
    if (fstatSync(fd).size === 0) writeSync(fd, `${JSON.stringify({ type: 'undo', version: 1 } satisfies UndoLine)}\n`);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Does the file end without a line feed, because a process was killed in the middle of a line? */
function endsTorn(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] !== 10;
}
