/** What killed writers left and no journal tells of: temporary files beside files and in our own state. */
import { join } from 'node:path';
import { sweepOnce } from '../base/sweep-once.js';
import type { HeldDir } from './held-dir.js';
import { TEMP_NAME } from './write-journal.js';

/** A write takes seconds; after an hour (milliseconds) nobody works with its temporary files any more. */
const TEMP_AGE = 60 * 60 * 1000;
const STATE_AGE = 24 * TEMP_AGE;

/** Tidies a folder that is about to be written in. */
export function sweepFolder(dir: HeldDir, now: number): void {
  sweepOnce({ folder: dir.real, through: dir.child('.'), names: TEMP_NAME, before: now - TEMP_AGE });
}

/** Tidies our own folders of backups and locks. */
export function sweepState(state: string, now: number): void {
  const before = now - STATE_AGE;
  sweepOnce({ folder: join(state, 'backups'), names: TEMP_NAME, before });
  sweepOnce({ folder: join(state, 'backups', 'index'), names: /^\.[0-9a-f]{16}\.tmp$/, before });
  sweepOnce({ folder: join(state, 'locks'), names: /^[0-9a-f]{64}\.\d+\.[0-9a-f]+(\.old)?$/, before });
}
