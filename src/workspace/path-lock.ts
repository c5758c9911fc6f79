/** One writer per file between processes: a lock file per real path, in our own state. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomHex } from '../base/clock.js';
import { type LockResult, takeLock } from '../base/file-lock.js';
import { ToolFault } from '../types/tool.js';
import type { Located } from '../types/workspace.js';
import { clip } from './faults.js';

/** Milliseconds a writer waits for another. */
const LONGEST_WAIT = 5000;

/** Runs `work` while this process alone may change the file. Throws ToolFault `Conflict` when another one stays busy with it. */
export async function whileLocked<T>(state: string, located: Located, work: () => Promise<T>): Promise<T> {
  const release = await waitFor(join(state, 'locks'), located);
  try {
    return await work();
  } finally {
    release();
  }
}

async function waitFor(folder: string, { real, shown }: Located): Promise<() => void> {
  const file = lockOf(folder, real);
  const end = performance.now() + LONGEST_WAIT;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    const lock = tryLock(folder, file);
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

/** The same for work that cannot wait: `busy`, and nothing done, while another process writes the file. */
export function atOnceLocked<T>(state: string, real: string, work: () => T): T | 'busy' {
  const folder = join(state, 'locks');
  const lock = tryLock(folder, lockOf(folder, real));
  if (lock && !lock.held) return 'busy';
  try {
    return work();
  } finally {
    lock?.release();
  }
}

function lockOf(folder: string, real: string): string {
  return join(folder, createHash('sha256').update(real).digest('hex'));
}

function tryLock(folder: string, file: string): LockResult | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return takeLock(file, randomHex(16));
  } catch {
    return undefined;
  }
}
