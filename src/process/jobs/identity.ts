/** Knows a process again later: its number together with the time it began. */
import { execFileSync } from 'node:child_process';
import { isElsewhere, isRunning, markOf, type ProcessMark } from '../../base/process-mark.js';

/** Where the system has no `/proc`. Empty when there is no such process. */
function startByPs(pid: number): string {
  try {
    const text = execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 2000 }).trim();
    return text === '' ? '' : `ps:${text}`;
  } catch {
    return '';
  }
}

/** Identity of a living process; with an empty start for one that has ended already. */
export function identify(pid: number): ProcessMark {
  const mark = markOf(pid);
  return mark.start === '' && process.platform !== 'linux' ? { ...mark, start: startByPs(pid) } : mark;
}

/** True only when that very process still runs; a later one with its number is not taken for it. */
export function stillRuns(mark: ProcessMark): boolean {
  if (mark.start === '' || isElsewhere(mark)) return false;
  return mark.start.startsWith('ps:') ? startByPs(mark.pid) === mark.start : isRunning(mark);
}
