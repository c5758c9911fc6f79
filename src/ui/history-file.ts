/** The lines typed before, kept private on disk: one JSON string a line, newest last; several shells may add to it. */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const MOST = 1000;
const LARGEST = 2 * 1024 * 1024;
/** Longer entries (bytes as they are written) are not kept: one would push out all others. */
const LONGEST_ENTRY = 64 * 1024;
const STALE_MS = 60_000;
const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface HistoryFile {
  /** Newest first, as line editors want it. */
  readonly entries: readonly string[];
  /** Keeps an entry; faults are silent, since a history is a convenience. */
  add(entry: string): void;
}

/** Reads and trims the file (mode 0600). What begins with a space is not kept, nor is a repetition. Never throws. */
export function openHistory(file: string): HistoryFile {
  const { entries, size } = read(file);
  if (entries.length > MOST || size > LARGEST) trim(file);
  let last = entries.at(-1);
  return {
    entries: entries.slice(-MOST).reverse(),
    add(entry) {
      if (entry.trim() === '' || entry.startsWith(' ') || entry === last) return;
      last = entry;
      const line = Buffer.from(`${JSON.stringify(entry)}\n`);
      if (line.length > LONGEST_ENTRY) return;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        append(file, line);
      } catch {
        // No history, no harm.
      }
    },
  };
}

/** Written again when another shell put a shorter file in the place of this one meanwhile. */
function append(file: string, line: Buffer): void {
  for (let tries = 0; tries < 3; tries++) {
    const written = appendOnce(file, line);
    if (lstatSync(file, { throwIfNoEntry: false })?.ino === written) return;
  }
}

/** In one write, so that entries of other shells stay apart; what a killed one left half written ends before it. The file's number. */
function appendOnce(file: string, line: Buffer): number {
  const fd = openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | SAFELY, 0o600);
  try {
    const { size, ino } = fstatSync(fd);
    const end = Buffer.alloc(1, '\n');
    if (size > 0) readSync(fd, end, 0, 1, size - 1);
    writeSync(fd, end.toString() === '\n' ? line : Buffer.concat([Buffer.from('\n'), line]));
    return ino;
  } finally {
    closeSync(fd);
  }
}

interface Found {
  readonly entries: string[];
  readonly size: number;
}

function read(file: string): Found {
  try {
    if (!lstatSync(file).isFile()) return { entries: [], size: 0 };
    chmodSync(file, 0o600);
    const fd = openSync(file, constants.O_RDONLY | SAFELY);
    try {
      const { size } = fstatSync(fd);
      return { entries: entriesOf(tail(fd, Math.max(0, size - LARGEST), size)), size };
    } finally {
      closeSync(fd);
    }
  } catch {
    return { entries: [], size: 0 };
  }
}

/** The bytes of an open file between two places. */
function tail(fd: number, from: number, to: number): string {
  const bytes = Buffer.alloc(to - from);
  let got = 0;
  while (got < bytes.length) {
    const count = readSync(fd, bytes, got, bytes.length - got, from + got);
    if (count === 0) break;
    got += count;
  }
  return bytes.toString('utf8', 0, got);
}

function entriesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === 'string' && entry !== '' ? [entry] : [];
    } catch {
      return [];
    }
  });
}

/** Puts a shorter file in its place, one shell at a time; what another shell adds meanwhile is carried over. */
function trim(file: string): void {
  const draft = `${file}.trim`;
  let mine: number | undefined;
  let fd: number | undefined;
  try {
    dropStale(draft);
    mine = openSync(draft, 'wx', 0o600);
    fd = openSync(file, constants.O_RDONLY | SAFELY);
    const { size } = fstatSync(fd);
    writeFileSync(mine, shorter(entriesOf(tail(fd, Math.max(0, size - LARGEST), size))));
    renameSync(draft, file);
    const added = tail(fd, size, fstatSync(fd).size);
    if (added !== '') append(file, Buffer.from(added));
  } catch {
    // Another shell is at it, or the disk is full: the next start tries again.
    if (mine !== undefined) rmSync(draft, { force: true });
  } finally {
    for (const open of [mine, fd]) if (open !== undefined) closeSync(open);
  }
}

function shorter(entries: readonly string[]): string {
  const lines = entries.slice(-MOST).map((entry) => `${JSON.stringify(entry)}\n`);
  let first = lines.length;
  for (let bytes = 0; first > 0 && bytes < LARGEST / 2; first--) bytes += Buffer.byteLength(lines[first - 1] ?? '');
  return lines.slice(first).join('');
}

/** A draft so old belongs to a shell that was killed. */
function dropStale(draft: string): void {
  const stat = lstatSync(draft, { throwIfNoEntry: false });
  if (stat && Date.now() - stat.mtimeMs > STALE_MS) rmSync(draft, { force: true });
}
