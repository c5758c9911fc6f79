// A lock file that one process at a time holds; a lock whose holder is gone does not stop anyone.
import { mkdirSync, readFileSync, renameSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

const HEARTBEAT_MS = 2000;
/** A holder that has shown no sign of life for this long is taken for gone, whatever its process id says. */
const SILENT_MS = 5 * 60_000;
/** A lock file without content is one being written just now, unless it is older than this. */
const EMPTY_MS = 10_000;

/**
 * Runs `work(addProcess)` while holding the lock `file`. Waits for another holder; `onWait(pid)` is called once when it has to.
 * A process named with `addProcess(pid)` holds the lock too: should we be killed, it is waited for.
 * The lock is released when `work` ends, also by an error, a signal or `process.exit`.
 * @template T
 * @param {string} file
 * @param {(addProcess: (pid: number) => void) => T | Promise<T>} work
 * @param {{onWait?: (pid?: number) => void, pollMs?: number}} [options]
 * @returns {Promise<T>}
 */
export async function withLock(file, work, { onWait = () => {}, pollMs = 200 } = {}) {
  mkdirSync(dirname(file), { recursive: true });
  const holder = { pids: [process.pid], host: hostname(), nonce: Math.random() };
  let mine = `${JSON.stringify(holder)}\n`;
  let told = false;
  while (!create(file, mine)) {
    if (breakIfStale(file)) continue;
    if (!told) onWait(holderOf(file)?.pids.find(isAlive));
    told = true;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  const beat = setInterval(() => touch(file), HEARTBEAT_MS);
  beat.unref();
  const release = () => {
    clearInterval(beat);
    if (read(file) === mine) remove(file);
  };
  const onSignal = (signal) => {
    release();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.on('exit', release);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, onSignal);
  const addProcess = (pid) => {
    holder.pids.push(pid);
    mine = `${JSON.stringify(holder)}\n`;
    writeFileSync(`${file}.${process.pid}`, mine);
    renameSync(`${file}.${process.pid}`, file);
  };
  try {
    return await work(addProcess);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, onSignal);
    process.off('exit', release);
    release();
  }
}

/** True when somebody holds the lock. */
export function isHeld(file) {
  return read(file) !== undefined && !isStale(file);
}

/** True when the lock stands but nobody holds it any more. */
export function isStale(file, now = Date.now()) {
  let age;
  try {
    age = now - statSync(file).mtimeMs;
  } catch {
    return false;
  }
  const holder = holderOf(file);
  if (!holder) return age > EMPTY_MS;
  if (age > SILENT_MS) return true;
  return holder.host === hostname() && !holder.pids.some(isAlive);
}

/** Removes a stale lock. A second lock around the removal keeps two processes from each removing the other's new one. */
function breakIfStale(file) {
  const seen = read(file);
  if (seen === undefined) return true;
  if (!isStale(file)) return false;
  const breaker = `${file}.break`;
  if (!create(breaker, `${process.pid}\n`)) {
    if (ageOf(breaker) > EMPTY_MS) remove(breaker);
    return false;
  }
  try {
    if (read(file) === seen) remove(file);
  } finally {
    remove(breaker);
  }
  return true;
}

function create(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function holderOf(file) {
  try {
    const holder = JSON.parse(read(file) ?? '');
    return Array.isArray(holder.pids) && holder.pids.every(Number.isInteger) ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function ageOf(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Released meanwhile.
  }
}

function remove(file) {
  try {
    unlinkSync(file);
  } catch {
    // Someone else was faster.
  }
}
