/** Real pipes for child processes. Node's own are sockets: there `/dev/stdout` cannot be opened and two streams lose their order. */
import { execFile } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { whichSystem } from './which.js';

/** Both ends as file descriptors; who takes a pipe closes them. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

const BATCH = 4;
const pool: Pipe[] = [];
let refill: Promise<void> | undefined;
let unavailable = false;

/**
 * Opens both ends of a named pipe; the reading end first and without waiting, or the writing end would wait for a reader.
 * Throws for anything else: commands can write in temporary folders, and what one prints must not land in a file another
 * put there.
 */
export function openBoth(path: string): Pipe {
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  let write: number | undefined;
  try {
    const one = fstatSync(read);
    if (!one.isFIFO()) throw new Error(`${path} is no pipe`);
    write = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
    const other = fstatSync(write);
    if (one.ino !== other.ino || one.dev !== other.dev) throw new Error(`${path} was replaced`);
    return { read, write };
  } catch (error) {
    closeSync(read);
    if (write !== undefined) closeSync(write);
    throw error;
  }
}

async function makePipes(program: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'chatcli-pipe-'));
  try {
    const names = Array.from({ length: BATCH }, (_, index) => join(folder, String(index)));
    await promisify(execFile)(program, ['-m', '600', ...names], { timeout: 5000 });
    for (const name of names) pool.push(openBoth(name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A pipe, or undefined where the system has no way of making one (then Node's own serve). Never throws. */
export async function takePipe(env: Readonly<Record<string, string>>): Promise<Pipe | undefined> {
  while (pool.length === 0 && !unavailable) {
    const program = process.platform === 'win32' ? undefined : whichSystem('mkfifo', env);
    if (program === undefined) return undefined;
    refill ??= makePipes(program)
      .catch(() => {
        unavailable = pool.length === 0;
      })
      .finally(() => {
        refill = undefined;
      });
    await refill;
  }
  return pool.pop();
}
