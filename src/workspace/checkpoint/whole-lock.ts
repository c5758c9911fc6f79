/** One process at a time in a place, and what killed ones left there is tidied. */
import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomHex } from '../../base/clock.js';
import { takeLock } from '../../base/file-lock.js';
import { sweepOnce } from '../../base/sweep-once.js';
import { ToolFault } from '../../types/tool.js';
import { LOCK_FILE, RUNNING_FILE, WANTED_FILE } from './place.js';
import { endLeft, isAtWork, leftRunning, stopFault } from './shadow-git.js';

const OLD_INDEX_LOCK = 10 * 60_000;
const LONGEST_WISH = 60_000;
const OLD_PACK = 60 * 60_000;
/** How long a git of a killed process is given to end. */
const ORPHAN_WAIT = 2000;

/** The lock was held by another process until the deadline: no failure of the snapshot itself. */
export class BusyFault extends ToolFault {}

/** Runs `work` alone. Waits for others until the signal aborts; then throws BusyFault. Throws errno errors of the place. */
export async function alone<T>(folder: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const release = await take(folder, signal);
  try {
    await tidy(folder, signal);
    return await work();
  } finally {
    release();
  }
}

async function take(folder: string, signal: AbortSignal): Promise<() => void> {
  let told = false;
  const withdraw = () => told && rmSync(join(folder, WANTED_FILE), { force: true });
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    if (signal.aborted) {
      withdraw();
      throw busyOrStopped(signal, told);
    }
    const lock = takeLock(join(folder, LOCK_FILE), randomHex(16));
    if (lock.held) {
      withdraw();
      return lock.release;
    }
    if (!told) writeFileSync(join(folder, WANTED_FILE), '', { mode: 0o600 });
    told = true;
    await sleep(pause);
  }
}

function busyOrStopped(signal: AbortSignal, waited: boolean): ToolFault {
  const fault = stopFault(signal);
  if (!waited || fault.code !== 'Timeout') return fault;
  return new BusyFault('Conflict', 'another process was busy with the checkpoints of this folder; try again');
}

/** Is somebody waiting for the lock? A wish that is old was left by a process that was killed. */
export function isWanted(folder: string): boolean {
  const stat = lstatSync(join(folder, WANTED_FILE), { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < LONGEST_WISH;
}

/** Under the lock. What is locked inside now belongs to nobody, unless a git of a killed process has not ended yet. */
async function tidy(folder: string, signal: AbortSignal): Promise<void> {
  const now = Date.now();
  sweepOnce({ folder, names: /^index\.lock$/, before: now - OLD_INDEX_LOCK });
  sweepOnce({ folder: join(folder, 'objects', 'pack'), names: /^tmp_(pack|idx|rev)_/, before: now - OLD_PACK });
  const left = leftRunning(folder);
  const locked = lstatSync(join(folder, 'index.lock'), { throwIfNoEntry: false }) !== undefined;
  if (left === undefined && !locked) return;
  const until = performance.now() + ORPHAN_WAIT;
  while (left !== undefined && isAtWork(left)) {
    if (signal.aborted) throw stopFault(signal);
    if (performance.now() > until) endLeft(left);
    await sleep(20);
  }
  sweepLeftovers(folder);
}

/** Removes lock and temporary files of git. Only under the lock, and when no git works. Never throws. */
export function sweepLeftovers(folder: string): void {
  const remove = (path: string) => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Tried again next time.
    }
  };
  for (const name of [RUNNING_FILE, 'index.lock', 'HEAD.lock', 'packed-refs.lock', 'shallow.lock', 'config.lock'])
    remove(join(folder, name));
  const objects = join(folder, 'objects');
  for (const entry of entriesOf(objects)) {
    if (/^(tmp_|tmp-|incoming-)/.test(entry)) remove(join(objects, entry));
    else if (/^([0-9a-f]{2}|pack)$/.test(entry))
      for (const inner of entriesOf(join(objects, entry))) if (/^\.?tmp[-_]/.test(inner)) remove(join(objects, entry, inner));
  }
  const snapshots = join(folder, 'refs', 'snapshots');
  for (const entry of entriesOf(snapshots)) if (entry.endsWith('.lock')) remove(join(snapshots, entry));
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
