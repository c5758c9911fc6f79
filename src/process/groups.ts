/** Looks at and signals process groups and everything that carries our mark. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** Variable that marks every process we start, and so what they start, even in a session of their own. */
export const MARK = 'CHATCLI_RUN_ID';

const LINUX = process.platform === 'linux';

/** Sends a signal to a whole group; false when there is no such group (any more). */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Sends a signal to one process; one that is gone is fine. */
export function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, which is what was wanted.
  }
}

/** One for all: files below /proc have no size, for which `readFileSync` takes half a MiB each time. */
const CHUNK = Buffer.allocUnsafeSlow(32 * 1024);

function readSmall(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    let text = '';
    for (;;) {
      const count = readSync(file, CHUNK, 0, CHUNK.length, null);
      if (count === 0) return text;
      text += CHUNK.toString('latin1', 0, count);
    }
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const processFolders = (): string[] => (LINUX ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []);

/** Living members of a group; those that only wait to be collected do not count. */
export function groupMembers(group: number): number[] {
  if (!signalGroup(group, 0)) return [];
  if (!LINUX) return membersByPs(group);
  return processFolders()
    .filter((pid) => {
      const stat = readSmall(`/proc/${pid}/stat`);
      const [state, , member] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return member === String(group) && state !== 'Z' && state !== 'X';
    })
    .map(Number);
}

function membersByPs(group: number): number[] {
  try {
    const list = execFileSync('/bin/ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8', timeout: 2000 });
    return list
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, member, state]) => member === String(group) && state !== undefined && !state.startsWith('Z'))
      .map(([pid]) => Number(pid));
  } catch {
    return [];
  }
}

/** Living processes whose environment carries the mark (or a mark that begins so). Linux only; elsewhere none. */
export function markedProcesses(mark: string): number[] {
  const wanted = `${MARK}=${mark}`;
  return processFolders()
    .filter((pid) => {
      const environment = readSmall(`/proc/${pid}/environ`);
      return environment.startsWith(wanted) || environment.includes(`\0${wanted}`);
    })
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

/** Signals a group and every marked process outside it. */
export function signalAll(group: number, mark: string, signal: NodeJS.Signals): void {
  signalGroup(group, signal);
  for (const pid of markedProcesses(mark)) signalOne(pid, signal);
}

/** Kills what carries the mark, again and again while it multiplies (at most five rounds). */
export function killMarked(mark: string): void {
  for (let round = 0; round < 5; round++) {
    const pids = markedProcesses(mark);
    if (pids.length === 0) return;
    for (const pid of pids) signalOne(pid, 'SIGKILL');
  }
}
