/** What killed writers left and no journal tells of: temporary files beside files and in our own state. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../base/clock.js';
import { takeLock } from '../base/file-lock.js';
import { sweepOnce } from '../base/sweep-once.js';
import type { HeldDir } from './held-dir.js';
import { TEMP_NAME } from './temp-name.js';

/** A write takes seconds; after an hour (milliseconds) nobody works with its temporary files any more. */
const TEMP_AGE = 60 * 60 * 1000;
const STATE_AGE = 24 * TEMP_AGE;

const swept = new Set<string>();

/** Tidies a folder that is about to be written in, once. What stands in `needed` stays: a journal tells of it. */
export function sweepFolder(dir: HeldDir, now: number, needed: () => ReadonlySet<string>): void {
  if (swept.has(dir.real)) return;
  swept.add(dir.real);
  sweepOnce({ folder: dir.real, through: dir.child('.'), names: namesBut(needed()), before: now - TEMP_AGE });
}

/** Tidies our own folders of backups and locks. */
export function sweepState(state: string, now: number, needed: ReadonlySet<string>): void {
  const before = now - STATE_AGE;
  sweepOnce({ folder: join(state, 'backups'), names: namesBut(needed), before });
  sweepOnce({ folder: join(state, 'backups', 'index'), names: /^\.[0-9a-f]{16}\.tmp$/, before });
  sweepOnce({ folder: join(state, 'locks'), names: /^[0-9a-f]{64}\.\d+\.[0-9a-f]+(\.old)?$/, before });
  releaseDeadLocks(join(state, 'locks'), before);
}

/** A lock of a process that is gone is taken over by the next one at its file; where nobody comes it goes after a while. */
function releaseDeadLocks(folder: string, before: number): void {
  try {
    for (const name of readdirSync(folder).filter((entry) => /^[0-9a-f]{64}$/.test(entry))) {
      const file = join(folder, name);
      if ((lstatSync(file, { throwIfNoEntry: false })?.ctimeMs ?? before) >= before) continue;
      const lock = takeLock(file, randomHex(16));
      if (lock.held) lock.release();
    }
  } catch {
    // Looked at again at the next start.
  }
}

/** Our temporary names without these, which have no characters that mean something in a pattern but dots. */
function namesBut(needed: ReadonlySet<string>): RegExp {
  if (needed.size === 0) return TEMP_NAME;
  const kept = [...needed].filter((name) => TEMP_NAME.test(name)).map((name) => name.replaceAll('.', '\\.'));
  return new RegExp(`^(?!(?:${kept.join('|')})$)${TEMP_NAME.source.slice(1)}`);
}
