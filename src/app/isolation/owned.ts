/** Which folders of isolated agents are ours: a file beside each says whose it is, so that work left by a killed run can be found. */
import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isElsewhere, isRunning, ownMark, type ProcessMark } from '../../base/process-mark.js';
import { readRegular } from '../../base/read-regular.js';
import { removeFolder, TREE } from './worktree.js';

/** The last part of a file that names an owner; a folder without one is not ours to remove. */
const SUFFIX = '.owner.json';
const OWNED = /^[A-Za-z0-9-]+\.owner\.json$/;
const LARGEST = 16 * 1024;
/** What is left stays for a week (milliseconds). */
const WEEK_MS = 7 * 24 * 3_600_000;

export interface Owner {
  readonly mark: ProcessMark;
  /** Folder of the workspace it was made for. */
  readonly workspace: string;
  readonly session: string;
  readonly worker: string;
  /** `used`: a worker is at it. `left`: its work was not taken back whole. `empty`: nothing was done in it. */
  readonly state: 'used' | 'left' | 'empty';
  /** The user was told where it is. */
  readonly told: boolean;
}

/** Work that a run left behind without a word. */
export interface Left {
  readonly worker: string;
  readonly session: string;
  readonly folder: string;
}

/** Notes that this process uses the folder `name`, before there is one. Throws for faults of the file system. */
export function own(folder: string, name: string, who: Pick<Owner, 'workspace' | 'session' | 'worker'>): void {
  const owner: Owner = { mark: ownMark(), ...who, state: 'used', told: false };
  writeFileSync(fileOf(folder, name), `${JSON.stringify(owner)}\n`, { mode: 0o600, flag: 'wx' });
}

/** The worker is done with it: `told` says that people know of it. Never throws. */
export function leave(folder: string, name: string, state: 'left' | 'empty', told: boolean): void {
  const owner = ownerIn(fileOf(folder, name));
  if (owner) rewrite(folder, name, { ...owner, state, told });
}

/** It is gone. Never throws. */
export function disown(folder: string, name: string): void {
  discard(fileOf(folder, name));
}

/**
 * Work in `workspace` that runs of killed processes left, of whatever session; each is given once. Never throws.
 */
export function leftWork(folder: string, workspace: string): Left[] {
  const found: Left[] = [];
  for (const name of namesIn(folder)) {
    const owner = ownerIn(fileOf(folder, name));
    if (!owner || owner.told || owner.state === 'empty' || owner.workspace !== workspace || isUsed(owner, fileOf(folder, name)))
      continue;
    const tree = join(folder, name, TREE);
    if (lstatSync(tree, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    rewrite(folder, name, { ...owner, state: 'left', told: true });
    found.push({ worker: owner.worker, session: owner.session, folder: tree });
  }
  return found;
}

/** Removes what is a week old and in nobody's use, and what nothing was done in. What we did not make stays. Never throws. */
export async function sweepLeft(folder: string): Promise<void> {
  for (const name of namesIn(folder)) {
    const file = fileOf(folder, name);
    const owner = ownerIn(file);
    if (!owner || isUsed(owner, file)) continue;
    if (owner.state !== 'empty' && isYoung(file)) continue;
    await removeFolder(join(folder, name));
    if (!lstatSync(join(folder, name), { throwIfNoEntry: false })) disown(folder, name);
  }
}

function isUsed({ mark, state }: Owner, file: string): boolean {
  if (state !== 'used') return false;
  // Processes of another host or container cannot be seen.
  return isElsewhere(mark) ? isYoung(file) : isRunning(mark);
}

function isYoung(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) < WEEK_MS;
}

function fileOf(folder: string, name: string): string {
  return join(folder, `${name}${SUFFIX}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => OWNED.test(name))
      .map((name) => name.slice(0, -SUFFIX.length));
  } catch {
    return [];
  }
}

function rewrite(folder: string, name: string, owner: Owner): void {
  const file = fileOf(folder, name);
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // It is told of once more, which is no harm.
    discard(`${file}.new`);
  }
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Nobody reads it.
  }
}

function ownerIn(path: string): Owner | undefined {
  try {
    const { mark, workspace, session, worker, state, told } = JSON.parse(
      readRegular(path, LARGEST).toString('utf8'),
    ) as Partial<Owner>;
    if (typeof mark?.pid !== 'number' || typeof mark.start !== 'string') return undefined;
    if (typeof workspace !== 'string' || typeof session !== 'string' || typeof worker !== 'string') return undefined;
    if (state !== 'used' && state !== 'left' && state !== 'empty') return undefined;
    return { mark, workspace, session, worker, state, told: told === true };
  } catch {
    return undefined;
  }
}
