/** One writer per session: a lock file that names a process, and is taken over when that process is gone. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { errnoOf } from './fault.js';

export interface LockHolder {
  readonly pid: number;
  /** When the process began, in a form only comparable on the same machine; empty where it cannot be known. */
  readonly start: string;
}

export type LockResult = { readonly held: true; release(): void } | { readonly held: false; readonly holder: LockHolder };

/** Takes the lock or says who has it. Throws only for faults of the file system. */
export function takeLock(file: string, unique: string): LockResult {
  const own: LockHolder = { pid: process.pid, start: startOf(process.pid) };
  const text = `${JSON.stringify({ ...own, unique })}\n`;
  const draft = `${file}.${process.pid}.${unique}`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    for (let attempt = 0; attempt < 20; attempt++) {
      if (linked(draft, file)) return { held: true, release: () => releaseLock(file, text) };
      const holder = readHolder(file);
      if (holder === 'gone') continue;
      if (holder !== 'unreadable' && isAlive(holder)) return { held: false, holder };
      takeAway(file, `${draft}.old`);
    }
    return { held: false, holder: { pid: 0, start: '' } };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Who holds the lock right now; undefined when nobody living does. */
export function lockHolder(file: string): LockHolder | undefined {
  const holder = readHolder(file);
  return typeof holder === 'object' && isAlive(holder) ? holder : undefined;
}

function linked(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // A file system without hard links: an exclusive write is the next best thing.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK'].includes(errnoOf(error))) throw error;
  }
  try {
    writeFileSync(file, readFileSync(draft), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
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
  if (typeof moved === 'object' && isAlive(moved)) {
    try {
      linkSync(aside, file);
    } catch {
      // Someone holds it already; that holder wins.
    }
  }
  rmSync(aside, { force: true });
}

function releaseLock(file: string, text: string): void {
  try {
    if (readFileSync(file, 'utf8') === text) rmSync(file, { force: true });
  } catch {
    // Already gone.
  }
}

function readHolder(file: string): LockHolder | 'gone' | 'unreadable' {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8').slice(0, 4096));
    const { pid, start } = value as { pid?: unknown; start?: unknown };
    if (typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0)
      return { pid, start: typeof start === 'string' ? start : '' };
    return 'unreadable';
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? 'gone' : 'unreadable';
  }
}

function isAlive(holder: LockHolder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (errnoOf(error) !== 'EPERM') return false;
  }
  const start = startOf(holder.pid);
  return start === '' || holder.start === '' || start === holder.start;
}

/** Boot and clock ticks at which a process began (Linux); empty elsewhere. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return ticks ? `${boot}:${ticks}` : '';
  } catch {
    return '';
  }
}
