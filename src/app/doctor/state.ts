/** The doctor's look at our own folder: can it be written, how large it is, what processes that died left in it. */
import { accessSync, constants, existsSync, lstatSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exclusionOf, folderFor } from '../../workspace/checkpoint/place.js';
import { readSettings, TOTAL_QUOTA } from '../../workspace/checkpoint/settings.js';
import { deadJournals, pathsOf, unfinishedIn } from '../../workspace/journal-read.js';
import { type Finding, finding } from './finding.js';
import type { DoctorPlace } from './place.js';

/** Less free space than this (bytes) is worth a word. */
const LITTLE_SPACE = 200 * 1024 * 1024;
/** So many entries of a folder are counted; then it is "more than". */
const MOST_ENTRIES = 200_000;
const MOST_NAMED = 5;

export function lookAtState({ text, state }: DoctorPlace): readonly Finding[] {
  if (state === undefined) return [];
  const refused = whyNotWritable(state);
  if (refused !== undefined) {
    const values = { folder: state, reason: refused };
    return [finding(text, 'state', { status: 'fault', key: 'doctor.stateLocked', values, fix: 'doctor.stateFix' })];
  }
  if (!existsSync(state)) return [finding(text, 'state', { status: 'ok', key: 'doctor.stateNew', values: { folder: state } })];
  const size = sizeOf(state);
  const values = { folder: state, bytes: size.bytes, size: megabytes(text, size) };
  const found = [finding(text, 'state', { status: 'ok', key: 'doctor.state', values })];
  if (process.platform !== 'win32' && (statSync(state).mode & 0o022) !== 0)
    found.push(finding(text, 'state', { status: 'fault', key: 'doctor.stateOpen', values, fix: 'doctor.stateOpenFix' }));
  const free = freeBytes(state);
  if (free !== undefined && free < LITTLE_SPACE) {
    const little = { ...values, free: megabytes(text, { bytes: free, whole: true }) };
    found.push(finding(text, 'state', { status: 'warning', key: 'doctor.spaceLittle', values: little, fix: 'doctor.spaceFix' }));
  }
  return found;
}

/** Changes that processes which are gone began: a session in that folder finishes or undoes them. */
export function lookAtJournals({ text, state }: DoctorPlace): readonly Finding[] {
  if (state === undefined) return [];
  const folder = join(state, 'journal');
  const paths = new Set<string>();
  const unreadable: string[] = [];
  for (const name of deadJournals(folder)) {
    try {
      for (const entry of unfinishedIn(folder, name)) for (const path of pathsOf(entry)) paths.add(path);
    } catch {
      unreadable.push(join(folder, name));
    }
  }
  const found: Finding[] = unreadable.map((file) =>
    finding(text, 'recovery', { status: 'fault', key: 'doctor.journalBroken', values: { file }, fix: 'doctor.journalBrokenFix' }),
  );
  if (paths.size > 0) {
    const values = { count: paths.size, files: [...paths].slice(0, MOST_NAMED).join(', ') };
    found.push(finding(text, 'recovery', { status: 'warning', key: 'doctor.journals', values, fix: 'doctor.journalsFix' }));
  }
  return found.length > 0 ? found : [finding(text, 'recovery', { status: 'ok', key: 'doctor.journalsNone' })];
}

export function lookAtCheckpoints({ text, state, root, home, env }: DoctorPlace): readonly Finding[] {
  if (state === undefined) return [];
  const size = sizeOf(join(state, 'checkpoints'));
  const own = root === undefined ? undefined : sizeOf(folderFor(state, root));
  const values = {
    bytes: size.bytes,
    size: megabytes(text, size),
    own: own === undefined ? '-' : megabytes(text, own),
    ownBytes: own?.bytes ?? 0,
  };
  const found: Finding[] = [
    size.bytes > TOTAL_QUOTA
      ? finding(text, 'checkpoints', { status: 'warning', key: 'doctor.checkpointsLarge', values, fix: 'doctor.checkpointsFix' })
      : finding(text, 'checkpoints', { status: 'ok', key: 'doctor.checkpoints', values }),
  ];
  const reason = root === undefined || home === undefined ? undefined : exclusionOf(root, { home, state });
  if (reason !== undefined)
    found.push(
      finding(text, 'checkpoints', {
        status: 'warning',
        key: 'doctor.checkpointsHere',
        values: { reason },
        fix: 'doctor.checkpointsHereFix',
      }),
    );
  else if (!readSettings(env).automatic)
    found.push(finding(text, 'checkpoints', { status: 'warning', key: 'doctor.checkpointsOff', fix: 'doctor.checkpointsOn' }));
  return found;
}

/** The errno code, or a word; undefined when it can be written or made. Nothing is made to find out. */
function whyNotWritable(folder: string): string | undefined {
  try {
    for (let place = folder; ; place = dirname(place)) {
      const stat = statSync(place, { throwIfNoEntry: false });
      if (stat === undefined && place !== dirname(place)) continue;
      if (stat?.isDirectory() !== true) return `ENOTDIR: ${place}`;
      accessSync(place, constants.W_OK | constants.X_OK);
      return undefined;
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

interface Size {
  readonly bytes: number;
  readonly whole: boolean;
}

/** Bytes a folder takes on the disk; links are not followed. Never throws. */
function sizeOf(folder: string): Size {
  let bytes = 0;
  let entries = 0;
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of namesIn(next)) {
      if (++entries > MOST_ENTRIES) return { bytes, whole: false };
      const path = join(next, name);
      const stat = lookAt(path);
      if (stat?.isDirectory()) open.push(path);
      else if (stat) bytes += stat.blocks ? stat.blocks * 512 : stat.size;
    }
  }
  return { bytes, whole: true };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function lookAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

function megabytes(text: DoctorPlace['text'], { bytes, whole }: Size): string {
  return `${whole ? '' : '> '}${text.number(bytes / (1024 * 1024), 1)} MB`;
}
