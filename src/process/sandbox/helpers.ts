/** Tells processes of the sandbox program from those of the command in it. */
import { readFileSync } from 'node:fs';

const HELPER = 'bwrap\n';

/** Undefined: there is no such process any more, or no such file. */
function told(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** Is it a process of the sandbox program itself, and not one of the command? Linux. */
export function isSandboxHelper(pid: number): boolean {
  return told(pid, 'comm') === HELPER;
}

/** Is it gone, or such a process with nothing left to look after, which ends in a moment? False where that cannot be told. Linux. */
export function isLeaving(pid: number): boolean {
  const name = told(pid, 'comm');
  if (name !== HELPER) return name === undefined;
  const children = told(pid, `task/${pid}/children`);
  // A system without that file, or a process that went meanwhile?
  return children === undefined ? told(pid, 'comm') === undefined : children === '';
}

/**
 * For lists of what still runs: the processes without those of the sandbox program. Where only these can be seen, something
 * runs in there that cannot, and ending one of them ends it.
 */
export function withoutHelpers(pids: readonly number[]): number[] {
  const others = pids.filter((pid) => !isSandboxHelper(pid));
  return others.length > 0 ? others : [...pids];
}
