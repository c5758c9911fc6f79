/** Names a process so that a later one with the same number is not taken for it: number, time of its start, boot, a token. */
import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessMark {
  readonly pid: number;
  /** Boot and time its process began, only comparable on the same machine; empty where it cannot be known. */
  readonly start: string;
  /** Host and space of process numbers it runs in: elsewhere its number says nothing. Absent in marks of older versions. */
  readonly place?: string;
  /** Unguessable, one for the life of a process; absent in marks of older versions. */
  readonly token?: string;
}

const TOKEN = randomBytes(12).toString('hex');
let own: ProcessMark | undefined;

/** The mark of this very process. */
export function ownMark(): ProcessMark & { readonly token: string } {
  own ??= { pid: process.pid, start: startOf(process.pid) ?? '', place: ownPlace() };
  return { ...own, token: TOKEN };
}

/** The mark of another process; its start is empty where it cannot be known. */
export function markOf(pid: number): ProcessMark {
  return { pid, start: startOf(pid) ?? '', place: ownPlace() };
}

/**
 * Was the mark made on another host or in another container, whose processes cannot be seen from here? Such a process
 * counts for `isRunning` as gone: whoever asks decides by age. A machine that was started again is no other host.
 */
export function isElsewhere({ place, start }: ProcessMark): boolean {
  if (place === undefined || place === ownPlace()) return false;
  const [host, space] = halvesOf(place);
  const [ownHost, ownSpace] = halvesOf(ownPlace());
  const [boot = ''] = start.split(':');
  const isThisBoot = boot !== '' && boot === ownMark().start.split(':')[0];
  // The name of a machine may change while it runs.
  return isThisBoot ? space !== ownSpace : host !== ownHost;
}

let place: string | undefined;

function ownPlace(): string {
  place ??= `${hostname()} ${spaceOf()}`;
  return place;
}

function halvesOf(text: string): readonly [string, string] {
  const gap = text.lastIndexOf(' ');
  return [text.slice(0, gap), text.slice(gap + 1)];
}

/** The space of process numbers this process is in; empty where there is only one. */
function spaceOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Does the process of a mark run here? A process that ended but was not collected counts as gone. */
export function isRunning(mark: ProcessMark): boolean {
  if (!Number.isSafeInteger(mark.pid) || mark.pid <= 0 || isElsewhere(mark)) return false;
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
