/** Snapshots before edits and commands: seldom enough not to be noticed, and never in the way of the edit. */
import { existsSync } from 'node:fs';
import type { ToolFault } from '../../types/tool.js';
import { diskFault } from '../faults.js';
import { within } from '../zones.js';
import type { Checkpoints } from './checkpoints.js';
import { forgetGone } from './forget-gone.js';
import { exclusionOf, folderFor } from './place.js';
import { MOST_FAILURES, pauseAfter, THROTTLE } from './settings.js';
import { type PlaceState, readState, writeState } from './state-file.js';
import { BusyFault, isWanted } from './whole-lock.js';

export interface Automatic {
  /**
   * Takes a snapshot of the folders concerned, unless one was begun a short while ago. `paths`: real paths that will be written; none
   * means all folders. Waits for a snapshot under way. Never throws.
   */
  before(label: string, paths: readonly string[], signal: AbortSignal): Promise<void>;
  /** Waits for, or with `stop` ends, work in the background. */
  settled(options?: { readonly stop?: boolean }): Promise<void>;
}

interface AutomaticOptions {
  /** One line for people, at most one for each folder and cause. `code` is stable. */
  warn?(code: 'checkpoint-excluded' | 'checkpoint-off', text: string): void;
}

interface Folder {
  readonly root: string;
  /** Not before this time, milliseconds since 1970. */
  notBefore: number;
  failures: number;
  off: boolean;
  running: Promise<void> | undefined;
}

export function createAutomatic(checkpoints: Checkpoints, { warn }: AutomaticOptions = {}): Automatic {
  const { settings, options } = checkpoints;
  const now = options.now ?? Date.now;
  const folders: Folder[] = options.roots.map((root) => ({ root, notBefore: 0, failures: 0, off: false, running: undefined }));
  const background = createBackground(checkpoints);

  const attempt = async (folder: Folder, label: string, signal: AbortSignal): Promise<void> => {
    const { root } = folder;
    const why = exclusionOf(root, options);
    if (why !== undefined) {
      folder.off = true;
      warn?.('checkpoint-excluded', `No automatic checkpoints of ${root}: ${why}.`);
      return;
    }
    const place = folderFor(options.state, root);
    const known = readState(place, root);
    const start = now();
    const allowed = known.lastAttempt + pauseAfter(known.failures);
    if (known.lastAttempt <= start && start < allowed) {
      folder.notBefore = allowed;
      return;
    }
    // Anyone who looks from now on sees that one is under way.
    folder.notBefore = start + THROTTLE;
    note(place, root, { lastAttempt: start });
    try {
      await checkpoints.create(root, label, signal, settings.automaticMs);
      folder.failures = 0;
      note(place, root, { lastAttempt: start, failures: 0 });
      background.tidy(root, place);
    } catch (error) {
      failed(folder, place, { start, known, fault: diskFault(error, 'record', root) });
    }
  };

  const failed = (folder: Folder, place: string, what: { start: number; known: PlaceState; fault: ToolFault }): void => {
    const { start, known, fault } = what;
    if (fault.code === 'NotFound') {
      // No git: nothing to say before each edit, and nothing to try again.
      folder.off = true;
      return;
    }
    if (fault.code === 'Aborted') {
      folder.notBefore = 0;
      note(place, folder.root, { lastAttempt: known.lastAttempt });
      return;
    }
    if (fault instanceof BusyFault) return;
    const failures = known.failures + 1;
    folder.failures += 1;
    folder.notBefore = start + pauseAfter(failures);
    note(place, folder.root, { lastAttempt: start, failures });
    if (folder.failures < MOST_FAILURES) return;
    folder.off = true;
    warn?.(
      'checkpoint-off',
      `Automatic checkpoints of ${folder.root} are off for this session, after ${MOST_FAILURES} failures in a row: ${fault.message}`,
    );
  };

  return {
    async before(label, paths, signal) {
      if (!settings.automatic) return;
      const concerned = folders.filter((folder) => paths.length === 0 || paths.some((path) => within(path, folder.root)));
      for (const folder of concerned) {
        if (folder.off) continue;
        if (folder.running === undefined && now() < folder.notBefore) continue;
        folder.running ??= attempt(folder, label, signal)
          .catch(() => undefined)
          .finally(() => {
            folder.running = undefined;
          });
        await folder.running;
      }
    },
    settled: (how) => background.settled(how?.stop === true),
  };
}

/** Only where a place was made already: it comes with the first snapshot. */
function note(place: string, root: string, change: Partial<PlaceState>): void {
  if (existsSync(place)) writeState(place, { ...readState(place, root), root, ...change });
}

/** Upkeep after the call that made it due; it gives way to every snapshot. */
function createBackground(checkpoints: Checkpoints) {
  const { options } = checkpoints;
  const now = options.now ?? Date.now;
  let running: Promise<void> | undefined;
  let controller = new AbortController();
  const work = async (root: string, place: string): Promise<void> => {
    const watch = setInterval(() => {
      if (isWanted(place)) controller.abort();
    }, 100);
    watch.unref();
    try {
      await checkpoints.tidy(root, controller.signal);
      forgetGone(options.state, place, now());
    } catch {
      // Due again next time.
    } finally {
      clearInterval(watch);
      running = undefined;
      controller = new AbortController();
    }
  };
  return {
    tidy(root: string, place: string): void {
      running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => work(root, place));
    },
    async settled(stop: boolean): Promise<void> {
      if (stop) controller.abort();
      await running;
    },
  };
}
