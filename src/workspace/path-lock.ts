/** One writer per file between processes: lock files in our own state, one per real path and one per file of several names. */
import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomHex } from '../base/clock.js';
import { createTaker, type LockResult } from '../base/file-lock.js';
import { ToolFault } from '../types/tool.js';
import { clip, errnoOf } from './faults.js';

/** Milliseconds a writer waits for others, in all. */
const LONGEST_WAIT = 5000;
/** How often names of one file may be made or removed while locks are being taken. */
const MOST_ROUNDS = 5;

export interface LockTarget {
  readonly real: string;
  readonly shown: string;
}

/**
 * Runs `work` while this process alone may change the files. Locks are taken in one order everywhere, so that nobody
 * waits in a circle. Throws ToolFault `Conflict` when another process stays busy with one of them.
 */
export async function whileLocked<T>(
  state: string,
  targets: readonly LockTarget[],
  work: () => Promise<T>,
  { wait = LONGEST_WAIT }: { readonly wait?: number } = {},
): Promise<T> {
  const folder = join(state, 'locks');
  const end = performance.now() + wait;
  for (let round = 1; ; round++) {
    const wanted = keysOf(targets);
    const held: (() => void)[] = [];
    const taker = takerIn(folder, wanted);
    try {
      for (const [key, target] of wanted) held.push(await waitFor(() => taker.take(join(folder, key)), target, end));
      taker.close();
      if (round < MOST_ROUNDS && [...keysOf(targets).keys()].some((key) => !wanted.has(key))) continue;
      return await work();
    } finally {
      taker.close();
      for (const release of held.toReversed()) release();
    }
  }
}

interface FolderTaker {
  /** Undefined where the folder takes no locks. */
  take(file: string): LockResult | undefined;
  close(): void;
}

function takerIn(folder: string, wanted: ReadonlyMap<string, LockTarget>): FolderTaker {
  const [key = ''] = wanted.keys();
  const taker = createTaker(join(folder, `${key}.${process.pid}.${randomHex(16)}`));
  let open = false;
  const take = (file: string) => {
    const lock = taker.take(file);
    open = true;
    return lock;
  };
  return {
    take(file) {
      try {
        return take(file);
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT') return undefined;
      }
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        return take(file);
      } catch {
        return undefined;
      }
    },
    close() {
      if (!open) return;
      open = false;
      try {
        taker.close();
      } catch {
        // Litter, not a lock; it is swept later.
      }
    },
  };
}

/** Names of the locks in the order in which they are taken, each with the file it is for. */
function keysOf(targets: readonly LockTarget[]): Map<string, LockTarget> {
  const keys = new Map<string, LockTarget>();
  for (const target of targets) for (const key of lockNames(target.real)) keys.set(key, target);
  return new Map([...keys].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A file of several names has a lock of its own besides the one of the name it is reached by. */
export function lockNames(real: string): string[] {
  const names = [nameOf(real)];
  try {
    const stat = statSync(real, { throwIfNoEntry: false });
    if (stat?.isFile() && stat.nlink > 1) names.push(nameOf(`\0${stat.dev}:${stat.ino}`));
  } catch {
    // What cannot be looked at will not be written either.
  }
  return names;
}

function nameOf(subject: string): string {
  return createHash('sha256').update(subject).digest('hex');
}

async function waitFor(take: () => LockResult | undefined, { shown }: LockTarget, end: number): Promise<() => void> {
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    const lock = take();
    // A state folder that cannot be written must not keep anyone from working.
    if (!lock) return () => undefined;
    if (lock.held) return lock.release;
    if (performance.now() > end) {
      const who = lock.holder.pid === 0 ? 'another process' : `process ${lock.holder.pid}`;
      throw new ToolFault('Conflict', `${clip(shown)} is being written by ${who}. Nothing was written; try again later.`);
    }
    await sleep(pause + Math.random() * pause);
  }
}
