/** Which worktrees are ours: a file beside each names the process it was made for, so that those of killed runs can be removed. */
import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isElsewhere, isRunning, ownMark, type ProcessMark } from '../../base/process-mark.js';
import { readRegular } from '../../base/read-regular.js';
import { removeWorktree } from './worktree.js';

/** The last part of a file that names an owner; a worktree without one is not ours to remove. */
const SUFFIX = '.owner.json';
const OWNED = /^[A-Za-z0-9-]+\.owner\.json$/;
const LARGEST = 4096;
/** Processes of another host or container cannot be seen: theirs count for a week (milliseconds). */
const ELSEWHERE_MS = 7 * 24 * 3_600_000;

interface Owner {
  readonly mark: ProcessMark;
  /** Folder of the repository that the worktree belongs to. */
  readonly repository: string;
}

/** Notes that this process uses the worktree `name`, before there is one. Throws for faults of the file system. */
export function own(folder: string, name: string, repository: string): void {
  const owner: Owner = { mark: ownMark(), repository };
  writeFileSync(join(folder, `${name}${SUFFIX}`), `${JSON.stringify(owner)}\n`, { mode: 0o600, flag: 'wx' });
}

/** Nobody will remove it for us any more: it is gone, or the user's. Never throws. */
export function disown(folder: string, name: string): void {
  try {
    rmSync(join(folder, `${name}${SUFFIX}`), { force: true });
  } catch {
    // Not ours to change; what it names is gone or will be looked at again.
  }
}

/** Removes the worktrees of processes that are gone. Those of living ones, and what we did not make, stay. Never throws. */
export async function removeOrphans(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  for (const file of filesOf(folder)) {
    const name = file.slice(0, -SUFFIX.length);
    const path = join(folder, file);
    const owner = ownerIn(path);
    if (!owner || isUsed(owner.mark, path)) continue;
    await removeWorktree({ repository: owner.repository, top: join(folder, name), env });
    disown(folder, name);
  }
}

function isUsed(mark: ProcessMark, path: string): boolean {
  if (!isElsewhere(mark)) return isRunning(mark);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < ELSEWHERE_MS;
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => OWNED.test(name));
  } catch {
    return [];
  }
}

function ownerIn(path: string): Owner | undefined {
  try {
    const { mark, repository } = JSON.parse(readRegular(path, LARGEST).toString('utf8')) as Partial<Owner>;
    if (typeof repository !== 'string' || typeof mark?.pid !== 'number' || typeof mark.start !== 'string') return undefined;
    return { mark, repository };
  } catch {
    return undefined;
  }
}
