/** What all processes must know of a place: when the last automatic attempt began, failures in a row, how much is stored. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../../base/clock.js';
import { readRegular } from '../../base/read-regular.js';
import { STATE_FILE } from './place.js';

export interface PlaceState {
  /** Real path of the folder that is recorded. */
  readonly root: string;
  /** Milliseconds since 1970; 0 for never. */
  readonly lastAttempt: number;
  readonly failures: number;
  readonly lastUse: number;
  readonly lastUpkeep: number;
  /** Bytes on disk at the last upkeep, and those handed in since (before compression). */
  readonly stored: number;
  readonly added: number;
}

const LARGEST = 64 * 1024;

/** Never throws: what cannot be read counts as never used. */
export function readState(folder: string, root: string): PlaceState {
  let value: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(readRegular(join(folder, STATE_FILE), LARGEST).toString('utf8'));
    if (typeof parsed === 'object' && parsed !== null) value = parsed as Record<string, unknown>;
  } catch {
    // A new place, or one whose file was damaged.
  }
  const number = (name: string): number => {
    const found = value[name];
    return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : 0;
  };
  return {
    root: typeof value['root'] === 'string' ? value['root'] : root,
    lastAttempt: number('lastAttempt'),
    failures: number('failures'),
    lastUse: number('lastUse'),
    lastUpkeep: number('lastUpkeep'),
    stored: number('stored'),
    added: number('added'),
  };
}

/** Replaces the file as a whole. Never throws: a disk that is full must not keep anyone from working. */
export function writeState(folder: string, state: PlaceState): void {
  const draft = join(folder, `${STATE_FILE}.${process.pid}.${randomHex(8)}`);
  try {
    writeFileSync(draft, `${JSON.stringify({ version: 1, ...state })}\n`, { mode: 0o600 });
    renameSync(draft, join(folder, STATE_FILE));
  } catch {
    rmSync(draft, { force: true });
  }
}
