/** The folder of one job: its record, its log, and the notes that tell how it ended. */
import { closeSync, openSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessMark } from '../../base/process-mark.js';
import { readRegular } from '../../base/read-regular.js';

/** What is written down about a job when it starts. */
export interface JobRecord {
  readonly id: string;
  readonly command: string;
  /** Root of the workspace it belongs to. */
  readonly root: string;
  readonly dir: string;
  readonly keep: boolean;
  readonly startedAt: number;
  /** What every process of it carries in its environment. */
  readonly mark: string;
  /** Bytes its log may hold; absent in records of older versions. */
  readonly logCap?: number;
  /** With the number 0 as it is written down before the start; its supervisor notes the rest in `process`. */
  readonly process: ProcessMark;
}

const RECORD_BYTES = 4 * 1024 * 1024;
const NOTE_BYTES = 4096;

export const logOf = (folder: string): string => join(folder, 'output.log');

/** Writes a file whole or not at all. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function writeRecord(folder: string, record: JobRecord): void {
  replaceFile(join(folder, 'job.json'), JSON.stringify(record));
}

/** The record of a folder, or undefined when it holds none that can be used. */
export function readRecord(folder: string): JobRecord | undefined {
  try {
    const value = JSON.parse(readRegular(join(folder, 'job.json'), RECORD_BYTES).toString('utf8')) as Partial<JobRecord> | null;
    if (value === null || typeof value !== 'object') return undefined;
    const texts = [value.id, value.command, value.root, value.dir, value.mark, value.process?.start];
    if (!texts.every((text) => typeof text === 'string') || !Number.isFinite(value.startedAt)) return undefined;
    if (!Number.isSafeInteger(value.process?.pid) || typeof value.keep !== 'boolean') return undefined;
    const record = value as JobRecord;
    return record.process.pid > 0 ? record : { ...record, process: { ...record.process, ...readProcess(folder) } };
  } catch {
    return undefined;
  }
}

/** What the supervisor noted of itself before it ran the command: number, boot and `stat` line, or number and time of start. */
function readProcess(folder: string): ProcessMark | undefined {
  const [pid = '', boot = '', stat = ''] = readNote(folder, 'process')?.text.split('\n') ?? [];
  if (!/^[1-9]\d{0,9}$/.test(pid)) return undefined;
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return { pid: Number(pid), start: boot.startsWith('ps:') ? boot : boot !== '' && ticks ? `${boot}:${ticks}` : '' };
}

function readNote(folder: string, name: string): { readonly text: string; readonly at: number } | undefined {
  try {
    const path = join(folder, name);
    const text = readRegular(path, NOTE_BYTES).toString('latin1');
    return { text, at: statSync(path).mtimeMs };
  } catch {
    return undefined;
  }
}

interface JobEnd {
  readonly exitCode: number;
  readonly at: number;
}

/** How the command ended, once it has. */
export function readEnd(folder: string): JobEnd | undefined {
  const note = readNote(folder, 'exit');
  const code = /^(\d{1,3})\n$/.exec(note?.text ?? '')?.[1];
  return note === undefined || code === undefined ? undefined : { exitCode: Number(code), at: note.at };
}

/** True once the log took no more. */
export const isLogFull = (folder: string): boolean => readNote(folder, 'full') !== undefined;

/** Why a job ends; on a full disk it ends all the same, and its exit code alone tells how. */
export function noteEndedBy(folder: string, by: 'kill' | 'timeout'): void {
  try {
    replaceFile(join(folder, 'ended-by'), by);
  } catch {
    // The end matters more than the note.
  }
}

export function readEndedBy(folder: string): { readonly by: 'kill' | 'timeout'; readonly at: number } | undefined {
  const note = readNote(folder, 'ended-by');
  return note?.text === 'kill' || note?.text === 'timeout' ? { by: note.text, at: note.at } : undefined;
}

/** Bytes of output that were looked at already. */
export function readSeen(folder: string): number {
  const seen = Number(readNote(folder, 'seen')?.text ?? '0');
  return Number.isSafeInteger(seen) && seen >= 0 ? seen : 0;
}

/** A look that cannot be noted is shown again, which does no harm. */
export function noteSeen(folder: string, bytes: number): void {
  try {
    replaceFile(join(folder, 'seen'), String(bytes));
  } catch {
    // A full disk: shown twice is better than not at all.
  }
}

/** Size of the log; 0 when there is none yet. */
export function logBytes(folder: string): number {
  try {
    return statSync(logOf(folder)).size;
  } catch {
    return 0;
  }
}

/** Bytes `from` to `to` of the log, as far as they are there. */
export function readLog(folder: string, from: number, to: number): Buffer {
  let fd: number;
  try {
    fd = openSync(logOf(folder), 'r');
  } catch {
    return Buffer.alloc(0);
  }
  try {
    const bytes = Buffer.alloc(Math.max(0, to - from));
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(fd, bytes, length, bytes.length - length, from + length);
      if (count === 0) break;
      length += count;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}
