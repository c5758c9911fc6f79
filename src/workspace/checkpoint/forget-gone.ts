/** Bounds what the snapshots of all folders take together, and forgets folders that are gone. */
import { lstatSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../../base/clock.js';
import { takeLock } from '../../base/file-lock.js';
import { LOCK_FILE } from './place.js';
import { GONE_AGE, TOTAL_QUOTA } from './settings.js';
import { readState } from './state-file.js';
import { namesIn } from './upkeep.js';

const DAY = 24 * 3600_000;
const STAMP = 'looked-through';
/** Folders used within this time are never removed to make room. */
const FRESH = 7 * DAY;

/** Looks through all places, at most once a day. `present`: the place in use, which stays. Never throws. */
export function forgetGone(state: string, present: string, now: number, total = TOTAL_QUOTA): void {
  const base = join(state, 'checkpoints');
  try {
    const stamp = join(base, STAMP);
    const last = lstatSync(stamp, { throwIfNoEntry: false });
    if (last && now - last.mtimeMs < DAY) return;
    writeFileSync(stamp, '', { mode: 0o600 });
    utimesSync(stamp, now / 1000, now / 1000);
    lookThrough(base, present, now, total);
  } catch {
    // Another day.
  }
}

function lookThrough(base: string, present: string, now: number, total: number): void {
  const places: { folder: string; lastUse: number; size: number }[] = [];
  for (const name of namesIn(base)) {
    const folder = join(base, name);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (!stat?.isDirectory() || folder === present) continue;
    if (/^[0-9a-f]{16}\..+/.test(name)) {
      // A draft, a place that was put aside, or one half removed.
      const age = name.includes('.broken-') ? GONE_AGE : DAY;
      if (now - stat.mtimeMs > age) rmSync(folder, { recursive: true, force: true });
      continue;
    }
    if (!/^[0-9a-f]{16}$/.test(name)) continue;
    const { root, lastUse, stored, added } = readState(folder, '');
    const used = lastUse || stat.mtimeMs;
    if (root !== '' && !lstatSync(root, { throwIfNoEntry: false }) && now - used > GONE_AGE) removePlace(folder);
    else places.push({ folder, lastUse: used, size: stored + added });
  }
  let sum = places.reduce((all, place) => all + place.size, 0);
  for (const place of places.sort((a, b) => a.lastUse - b.lastUse)) {
    if (sum <= total || now - place.lastUse < FRESH) return;
    removePlace(place.folder);
    sum -= place.size;
  }
}

/** Under its lock, and out of sight at once, so that nobody finds half of it. */
function removePlace(folder: string): void {
  const lock = takeLock(join(folder, LOCK_FILE), randomHex(16));
  if (!lock.held) return;
  const aside = `${folder}.gone-${randomHex(8)}`;
  try {
    renameSync(folder, aside);
  } catch (error) {
    lock.release();
    throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}
