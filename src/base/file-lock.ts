/** A lock file that names the process holding it, and is taken over when that process is gone. */
import { createHash } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isElsewhere, isRunning, ownMark, type ProcessMark } from './process-mark.js';
import { readRegular } from './read-regular.js';

export type LockHolder = ProcessMark;

export type LockResult = { readonly held: true; release(): void } | { readonly held: false; readonly holder: LockHolder };

const LARGEST = 4096;
/** A lock of another host or container, whose processes cannot be seen, counts for an hour (milliseconds). */
const ELSEWHERE_MS = 60 * 60 * 1000;
/** Takers that died one after the other while they removed the same dead lock. */
const MOST_DEAD = 8;

/** Takes the lock or says who has it. `unique` keeps two takers apart. Throws only for faults of the file system. */
export function takeLock(file: string, unique: string): LockResult {
  const taker = createTaker(`${file}.${process.pid}.${unique}`);
  try {
    return taker.take(file);
  } finally {
    taker.close();
  }
}

interface Taker {
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
      return takeWith({ draft, text }, file, 0);
    },
    close: () => rmSync(draft, { force: true }),
  };
}

interface Draft {
  readonly draft: string;
  readonly text: string;
}

const NOBODY: LockHolder = { pid: 0, start: '' };

function takeWith(own: Draft, file: string, depth: number): LockResult {
  for (let attempt = 0; attempt < 20; attempt++) {
    if (linked(own.draft, file)) return { held: true, release: () => releaseLock(file, own.text) };
    const found = readLock(file);
    if (found === 'gone') continue;
    if (found.alive) return { held: false, holder: found.holder };
    const other = removeDead(own, file, found, depth);
    if (other) return { held: false, holder: other };
  }
  return { held: false, holder: NOBODY };
}

/**
 * Removes a dead lock. Only who holds the lock named after its content may do so: what was read a while ago may have been
 * taken over by another process meanwhile. Gives the process that is at it already.
 */
function removeDead(own: Draft, file: string, dead: FoundLock, depth: number): LockHolder | undefined {
  if (depth >= MOST_DEAD) return NOBODY;
  const base = file.replace(/\.0\.[0-9a-f]{32}$/, '');
  const right = takeWith(own, `${base}.0.${hashOf(`${file.slice(base.length)}\n${dead.text}`)}`, depth + 1);
  if (!right.held) return right.holder;
  try {
    const now = readLock(file);
    if (now !== 'gone' && !now.alive && now.text === dead.text) rmSync(file, { force: true });
    return undefined;
  } finally {
    right.release();
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Who holds the lock right now; undefined when nobody living does. */
export function lockHolder(file: string): LockHolder | undefined {
  const found = readLock(file);
  return found !== 'gone' && found.alive && found.holder.pid > 0 ? found.holder : undefined;
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

function releaseLock(file: string, text: string): void {
  try {
    if (readRegular(file, LARGEST).toString('utf8') === text) rmSync(file, { force: true });
  } catch {
    // Already gone.
  }
}

interface FoundLock {
  readonly text: string;
  readonly holder: LockHolder;
  /** Its process runs, or nobody can tell and the lock is young. */
  readonly alive: boolean;
}

function readLock(file: string): FoundLock | 'gone' {
  try {
    const text = readRegular(file, LARGEST).toString('utf8');
    const holder = holderIn(text);
    if (holder === undefined) return { text, holder: NOBODY, alive: false };
    return { text, holder, alive: isElsewhere(holder) ? isYounger(file, ELSEWHERE_MS) : isRunning(holder) };
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'gone' : { text: '', holder: NOBODY, alive: false };
  }
}

function holderIn(text: string): LockHolder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Record<keyof LockHolder, unknown>>;
    const { pid, start, token, place } = value;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
    return {
      pid,
      start: typeof start === 'string' ? start : '',
      ...(typeof place === 'string' ? { place } : {}),
      ...(typeof token === 'string' ? { token } : {}),
    };
  } catch {
    return undefined;
  }
}

/** A time that lies ahead is no time. */
function isYounger(file: string, ms: number): boolean {
  const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return at !== undefined && Math.abs(Date.now() - at) < ms;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
