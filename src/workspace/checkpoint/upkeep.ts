/** Keeps what snapshots take on the disk within bounds: thins old ones, drops their content, forgets folders that are gone. */
import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_DAYS, KEPT_NEWEST, KEPT_STATES_AGE } from './settings.js';
import { git, type Shadow } from './shadow-git.js';
import { dropSnapshots, listSnapshots, SNAPSHOTS_FOLDER, type Snapshot, STATES_FOLDER } from './snapshots.js';
import { type PlaceState, readState, writeState } from './state-file.js';

const DAY = 24 * 3600_000;
/** Files and packs of git from which putting them together pays. */
const MANY_LOOSE = 27 * 256;
const MANY_PACKS = 25;
const MOST_ROUNDS = 6;

interface UpkeepOptions {
  readonly now: number;
  readonly quota: number;
  readonly signal: AbortSignal;
}

/** Should the place be tidied? Cheap. What one upkeep could not make smaller is not tried again at once. */
export function upkeepDue(folder: string, state: PlaceState, quota: number, now: number): boolean {
  const rested = now - state.lastUpkeep > DAY;
  if (state.stored + state.added > quota && (rested || state.added > quota / 10)) return true;
  if (namesIn(join(folder, SNAPSHOTS_FOLDER)).length > 2 * KEPT_NEWEST && rested) return true;
  const packs = namesIn(join(folder, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length;
  return packs > MANY_PACKS || namesIn(join(folder, 'objects', '17')).length * 256 > MANY_LOOSE;
}

/** More than twice what is allowed: nothing is added before it is tidied. */
export function isFull(state: PlaceState, quota: number): boolean {
  return state.stored + state.added > 2 * quota;
}

/**
 * Drops snapshots that are old or too many, then all content nothing refers to. Only under the lock. May be stopped at any moment and
 * be called again. Throws ToolFault.
 */
export async function upkeep(shadow: Shadow, options: UpkeepOptions): Promise<void> {
  const { folder } = shadow;
  const { now, quota, signal } = options;
  const done = (stored: number) => writeState(folder, { ...readState(folder, shadow.root), stored, added: 0, lastUpkeep: now });
  let snapshots = await listSnapshots(shadow, signal);
  const old = outdated(snapshots, now);
  await dropSnapshots(shadow, old, signal);
  snapshots = snapshots.filter((snapshot) => !old.includes(snapshot.reference));
  forgetStates(folder, now - KEPT_STATES_AGE);
  await putTogether(shadow, signal);
  let size = diskUse(folder);
  for (let round = 0; size > quota && round < MOST_ROUNDS; round++) {
    forgetStates(folder, now - DAY);
    const kept = Math.max(1, Math.floor(snapshots.length / 2));
    const excess = snapshots.slice(kept).map((snapshot) => snapshot.reference);
    await dropSnapshots(shadow, excess, signal);
    snapshots = snapshots.slice(0, kept);
    await putTogether(shadow, signal);
    size = diskUse(folder);
    if (excess.length === 0) break;
  }
  done(size);
}

/** References of snapshots to drop: the newest are kept, then the last of each day for some weeks. */
export function outdated(snapshots: readonly Snapshot[], now: number): string[] {
  const days = new Set<number>();
  return snapshots
    .slice(KEPT_NEWEST)
    .filter((snapshot) => {
      const day = Math.floor(snapshot.time / DAY);
      if (now - snapshot.time > KEPT_DAYS * DAY || days.has(day)) return true;
      days.add(day);
      return false;
    })
    .map((snapshot) => snapshot.reference);
}

/** One pack of everything that is referred to; the rest is gone. */
async function putTogether(shadow: Shadow, signal: AbortSignal): Promise<void> {
  const settings = ['core.bigFileThreshold=16m', 'repack.writeBitmaps=false', 'repack.packKeptObjects=true'];
  await git(shadow, ['repack', '-a', '-d', '-q', '--window=10', '--depth=20'], { signal, settings });
  await git(shadow, ['prune', '--expire=now'], { signal });
}

/** Removes references to recorded states that no session used since `before`. */
function forgetStates(folder: string, before: number): void {
  const states = join(folder, STATES_FOLDER);
  for (const session of namesIn(states)) {
    const dir = join(states, session);
    for (const name of namesIn(dir)) {
      const file = join(dir, name);
      const stat = lstatSync(file, { throwIfNoEntry: false });
      if (stat && stat.mtimeMs < before) rmSync(file, { force: true });
    }
    try {
      rmdirSync(dir);
    } catch {
      // Still in use.
    }
  }
}

/** Bytes a folder takes on the disk. */
export function diskUse(folder: string): number {
  let size = 0;
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) size += diskUse(path);
    else if (stat) size += Math.max(stat.size, (stat.blocks ?? 0) * 512);
  }
  return size;
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
