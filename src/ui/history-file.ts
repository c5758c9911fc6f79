/** The lines typed before, kept private on disk: one JSON string a line, newest last. */
import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const MOST = 1000;
const LARGEST = 2 * 1024 * 1024;

export interface HistoryFile {
  /** Newest first, as line editors want it. */
  readonly entries: readonly string[];
  /** Keeps an entry; faults are silent, since a history is a convenience. */
  add(entry: string): void;
}

/** Reads and trims the file (mode 0600). What begins with a space is not kept, nor is a repetition. Never throws. */
export function openHistory(file: string): HistoryFile {
  const entries = read(file);
  if (entries.length > MOST || sizeOf(file) > LARGEST) rewrite(file, entries.slice(-MOST));
  let last = entries.at(-1);
  return {
    entries: entries.slice(-MOST).reverse(),
    add(entry) {
      if (entry.trim() === '' || entry.startsWith(' ') || entry === last) return;
      last = entry;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        const fd = openSync(
          file,
          constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
          0o600,
        );
        try {
          appendFileSync(fd, `${JSON.stringify(entry)}\n`);
        } finally {
          closeSync(fd);
        }
      } catch {
        // No history, no harm.
      }
    },
  };
}

function read(file: string): string[] {
  try {
    if (!statSync(file).isFile()) return [];
    chmodSync(file, 0o600);
    const text = readFileSync(file).subarray(-LARGEST).toString('utf8');
    return text.split('\n').flatMap((line) => {
      try {
        const entry: unknown = JSON.parse(line);
        return typeof entry === 'string' && entry !== '' ? [entry] : [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

function rewrite(file: string, entries: readonly string[]): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}
