/** Work in the place of one folder: opened, locked, its rules renewed, and mended when git can no longer read it. */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { whichSystem } from '../../process/which.js';
import { ToolFault } from '../../types/tool.js';
import { diskFault } from '../faults.js';
import { writeExclude } from './exclude-file.js';
import { ensurePlace, exclusionOf, folderFor, setAside, TREE_FILE } from './place.js';
import { git, type Shadow } from './shadow-git.js';
import { alone, sweepLeftovers } from './whole-lock.js';

export interface Places {
  readonly home: string;
  readonly state: string;
  /** Environment of git: its PATH finds the program. */
  readonly env: Readonly<Record<string, string>>;
}

/** The shadow of a folder. Throws ToolFault: `Blocked` for a folder that has none, `NotFound` without git. */
export function shadowOf(root: string, places: Places): Shadow {
  const why = exclusionOf(root, places);
  if (why !== undefined)
    throw new ToolFault(
      'Blocked',
      `no checkpoints are taken of ${root}: ${why}, and recording so much of the disk would take too long. Start in a project folder`,
    );
  const git = whichSystem('git', places.env);
  if (git === undefined)
    throw new ToolFault('NotFound', 'checkpoints need git, and it is not installed (no program git in PATH)');
  return { root, folder: folderFor(places.state, root), git, env: places.env };
}

/**
 * Runs `work` alone in the place, making it first. A damaged index is made anew; with `renew` also a place that git, asked for it,
 * finds damaged: it is put aside under the lock.
 */
export async function inPlace<T>(
  shadow: Shadow,
  options: { readonly state: string; readonly signal: AbortSignal; readonly renew?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const { folder } = shadow;
  const { signal } = options;
  for (let attempt = 0; ; attempt++) {
    prepare(folder);
    let aside = false;
    try {
      return await alone(folder, signal, async () => {
        writeExclude(folder, shadow.root, options.state);
        try {
          return await mending(folder, signal, work);
        } catch (error) {
          if (options.renew !== true || attempt > 0 || !isDamage(error) || (await isWhole(shadow, signal))) throw error;
          setAside(folder);
          aside = true;
          throw error;
        }
      });
    } catch (error) {
      if (!aside) throw diskFault(error, 'record', shadow.root);
    }
  }
}

/** Can git read everything that snapshots and recorded states need? Throws when it was stopped before it knew. */
async function isWhole(shadow: Shadow, signal: AbortSignal): Promise<boolean> {
  try {
    await git(shadow, ['fsck', '--connectivity-only', '--no-dangling', '--no-progress'], { signal, readsOnly: true });
    return true;
  } catch (error) {
    if (signal.aborted || !(error instanceof ToolFault) || error.code !== 'Failed') throw error;
    return false;
  }
}

function prepare(folder: string): void {
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    ensurePlace(folder);
  } catch (error) {
    throw diskFault(error, 'make the folder of the checkpoints', folder);
  }
}

async function mending<T>(folder: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      // A git that outlived its killed process by a moment may hold a lock of its own.
      const locked = error instanceof ToolFault && LOCKED.test(error.message);
      if (locked && !signal.aborted && attempt < MOST_TRIES) await sleep(LOCK_PAUSE * (attempt + 1));
      sweepLeftovers(folder);
      if (signal.aborted || attempt >= MOST_TRIES) throw error;
      if (locked) continue;
      if (!isDamage(error) || attempt > 0) throw error;
      rmSync(join(folder, 'index'), { force: true });
      rmSync(join(folder, TREE_FILE), { force: true });
    }
  }
}

const MOST_TRIES = 3;
const LOCK_PAUSE = 150;
const LOCKED = /\.lock'?: File exists/i;
const DAMAGE =
  /index file|bad signature|corrupt|bad object|(missing|invalid) object|unable to read (sha1|tree|[0-9a-f]{40})|is empty|not a valid object|bad tree|error building trees|not a git repository|unable to resolve HEAD|bad ref/i;

/** Does a fault of git speak of its own data? What it quotes are names, which may hold any words. */
function isDamage(error: unknown): boolean {
  return error instanceof ToolFault && error.code === 'Failed' && DAMAGE.test(withoutNames(error.message));
}

/** Names end at the last quote of their kind: they may hold quotes themselves. */
function withoutNames(message: string): string {
  return message.replace(/'.*'/gs, '').replace(/".*"/gs, '');
}
