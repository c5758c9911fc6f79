/** A lock file that names the process holding it, and is taken over when that process is gone. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isRunning, ownMark, type ProcessMark } from './process-mark.js';
import { readRegular } from './read-regular.js';

export type LockHolder = ProcessMark;

export type LockResult = { readonly held: true; release(): void } | { readonly held: false; readonly holder: LockHolder };

const LARGEST = 4096;

/** Takes the lock or says who has it. `unique` keeps two takers apart. Throws only for faults of the file system. */
export function takeLock(file: string, unique: string): LockResult {
  const taker = createTaker(`${file}.${process.pid}.${unique}`);
  try {
    return taker.take(file);
  } finally {
    taker.close();
  }
}

export interface Taker {
  /** As `takeLock`. */
  take(file: string): LockResult;
  /** Removes the draft; locks that were taken stay. */
  close(): void;
}

/** For many locks in one folder: they are names of one file, so that only one is made. `draft` is its own name, used for nothing else. */
export function createTaker(draft: string): Taker {
  const text = `${JSON.stringify({ ...ownMark(), unique: draft.slice(draft.lastIndexOf('.') + 1) })}\n`;
  let made = false;
  return {
    take(file) {
      if (!made) writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
      made = true;
      for (let attempt = 0; attempt < 20; attempt++) {
        if (linked(draft, file)) return { held: true, release: () => releaseLock(file, text) };
        const holder = readHolder(file);
        if (holder === 'gone') continue;
        if (holder !== 'unreadable' && isRunning(holder)) return { held: false, holder };
        takeAway(file, `${draft}.old`);
      }
      return { held: false, holder: { pid: 0, start: '' } };
    },
    close: () => rmSync(draft, { force: true }),
  };
}

/** Who holds the lock right now; undefined when nobody living does. */
export function lockHolder(file: string): LockHolder | undefined {
  const holder = readHolder(file);
  return typeof holder === 'object' && isRunning(holder) ? holder : undefined;
}

function linked(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // A file system without hard links: an exclusive write is the next best thing.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK'].includes(codeOf(error))) throw error;
  }
  try {
    writeFileSync(file, readFileSync(draft), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a dead lock; if another process took it over meanwhile, what was moved is put back. */
function takeAway(file: string, aside: string): void {
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  try {
    if (typeof moved === 'object' && isRunning(moved)) linkSync(aside, file);
  } catch {
    // Someone holds it already; that holder wins.
  }
  try {
    rmSync(aside, { force: true });
  } catch {
    // Litter, not a lock.
  }
}

function releaseLock(file: string, text: string): void {
  try {
    if (readRegular(file, LARGEST).toString('utf8') === text) rmSync(file, { force: true });
  } catch {
    // Already gone.
  }
}

function readHolder(file: string): LockHolder | 'gone' | 'unreadable' {
  try {
    const value: unknown = JSON.parse(readRegular(file, LARGEST).toString('utf8'));
    const { pid, start, token } = value as Partial<Record<keyof LockHolder, unknown>>;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return 'unreadable';
    return { pid, start: typeof start === 'string' ? start : '', ...(typeof token === 'string' ? { token } : {}) };
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'gone' : 'unreadable';
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
