/** Writes the small files of the user's own state: atomically, private, and one writer after the other. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, realpathSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { takeLock } from '../base/file-lock.js';

/** So long (milliseconds) a writer waits for another one, which needs a few: everything else stands still meanwhile, an interrupt too. */
const PATIENCE_MS = 100;
const PAUSE_MS = 5;

/** Reads and writes of `change` are not mixed with those of another process. Throws when the file stays locked, or errno errors. */
export function whileLocked<T>(path: string, change: () => T): T {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unique = randomBytes(6).toString('hex');
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const lock = takeLock(`${path}.lock`, unique);
    if (lock.held) {
      try {
        return change();
      } finally {
        lock.release();
      }
    }
    if (Date.now() > until) throw new Error(`${path} is being changed by process ${lock.holder.pid}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** Writes a small private file: beside it, synced, renamed. A link is followed, so that it stays a link. */
export function writeAtomically(path: string, text: string): void {
  const target = realTarget(path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(target), `.${randomBytes(8).toString('hex')}.tmp`);
  const fd = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, target);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
