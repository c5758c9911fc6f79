/** Tells processes of the sandbox program from those of the command in it. */
import { readFileSync } from 'node:fs';

/** Is it a process of the sandbox program itself, and not one of the command? Linux. */
export function isSandboxHelper(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'bwrap\n';
  } catch {
    return false;
  }
}

/** Is it such a process with nothing left to look after? It ends in a moment. False where that cannot be told. */
export function isIdleHelper(pid: number): boolean {
  try {
    return isSandboxHelper(pid) && readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8') === '';
  } catch {
    return false;
  }
}

/**
 * For lists of what still runs: the processes without those of the sandbox program. Where only these can be seen, something
 * runs in there that cannot, and ending one of them ends it.
 */
export function withoutHelpers(pids: readonly number[]): number[] {
  const others = pids.filter((pid) => !isSandboxHelper(pid));
  return others.length > 0 ? others : [...pids];
}
