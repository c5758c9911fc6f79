/** Names a process so that a later one with the same number is not taken for it: number, time of its start, boot, a token. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface ProcessMark {
  readonly pid: number;
  /** Boot and time its process began, only comparable on the same machine; empty where it cannot be known. */
  readonly start: string;
  /** Unguessable, one for the life of a process; absent in marks of older versions. */
  readonly token?: string;
}

const TOKEN = randomBytes(12).toString('hex');
let own: ProcessMark | undefined;

/** The mark of this very process. */
export function ownMark(): ProcessMark & { readonly token: string } {
  own ??= { pid: process.pid, start: startOf(process.pid) ?? '' };
  return { ...own, token: TOKEN };
}

/** The mark of another process; its start is empty where it cannot be known. */
export function markOf(pid: number): ProcessMark {
  return { pid, start: startOf(pid) ?? '' };
}

/** Does the process of a mark still run? A process that ended but was not collected counts as gone. */
export function isRunning(mark: ProcessMark): boolean {
  if (!Number.isSafeInteger(mark.pid) || mark.pid <= 0) return false;
  try {
    process.kill(mark.pid, 0);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EPERM') return false;
  }
  const start = startOf(mark.pid);
  if (start === undefined) return false;
  if (start !== '' && mark.start !== '') return start === mark.start;
  return mark.pid !== process.pid || mark.token === undefined || mark.token === TOKEN;
}

/** `<boot id>:<clock ticks>` on Linux; empty where it cannot be known; undefined for a process that has ended. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return fields[19] ? `${boot}:${fields[19]}` : '';
  } catch {
    return '';
  }
}
