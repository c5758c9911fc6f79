/** Jobs that outlive the run that started them: found again by their folders, removed when long ended. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isElsewhere } from '../../base/process-mark.js';
import { readRecord } from './job-folder.js';
import { infoOf, isActive, type Job } from './job-state.js';

const NAME = /^k([1-9]\d{0,8})$/;
/** An ended job stays on the list for a week. */
const STAY_MS = 7 * 24 * 3600 * 1000;
/** One of another host or container may still run there. */
const ELSEWHERE_MS = 30 * 24 * 3600 * 1000;
/** A folder without a record was left by a start that did not come to its end. */
const EMPTY_MS = 24 * 3600 * 1000;
const MOST_NUMBERS = 1000;

const folderOf = (state: string): string => join(state, 'jobs');

function numbers(state: string): number[] {
  try {
    const found = readdirSync(folderOf(state)).map((name) => Number(NAME.exec(name)?.[1] ?? 0));
    return found.filter((number) => number > 0).sort((a, b) => a - b);
  } catch {
    return [];
  }
}

/** A new folder of a kept job; its name is the id. Two processes never get the same one. Throws errno errors. */
export function newKeptFolder(state: string): { readonly id: string; readonly folder: string } {
  mkdirSync(folderOf(state), { recursive: true, mode: 0o700 });
  const first = (numbers(state).at(-1) ?? 0) + 1;
  for (let number = first; number < first + MOST_NUMBERS; number++) {
    const id = `k${number}`;
    const folder = join(folderOf(state), id);
    try {
      mkdirSync(folder, { mode: 0o700 });
      return { id, folder };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Error('no free number for a kept job');
}

/** The kept jobs of a workspace, oldest first. */
export function keptJobs(state: string, root: string): Job[] {
  return numbers(state)
    .map((number) => join(folderOf(state), `k${number}`))
    .map((folder) => ({ folder, record: readRecord(folder) }))
    .filter((job): job is Job => job.record?.root === root && job.folder.endsWith(`/${job.record.id}`) && job.record.keep);
}

/** Removes jobs of all workspaces that ended long ago, and what starts left behind that never came to an end. Never throws. */
export async function pruneKept(state: string, now: number): Promise<void> {
  for (const number of numbers(state)) {
    const folder = join(folderOf(state), `k${number}`);
    if (isOver(folder, now)) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isOver(folder: string, now: number): boolean {
  const record = readRecord(folder);
  if (record === undefined) return now - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? now) > EMPTY_MS;
  // A cheap look first: whether processes are left costs a look at all of them.
  if (now - record.startedAt <= (isElsewhere(record.process) ? ELSEWHERE_MS : STAY_MS)) return false;
  const info = infoOf({ folder, record });
  return !isActive(info) && now - (info.endedAt ?? info.startedAt) > STAY_MS;
}
