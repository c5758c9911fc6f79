/** The snapshots of the folders of a workspace: made, listed, restored. */
import { join } from 'node:path';
import { randomHex } from '../../base/clock.js';
import { ToolFault } from '../../types/tool.js';
import { diskFault } from '../faults.js';
import { createZones } from '../zones.js';
import { deadlineOf } from './deadline.js';
import { inPlace, type Places, shadowOf } from './place-work.js';
import { record } from './record.js';
import { type Restored, restoreSnapshot } from './restore.js';
import { type Left, lstatOf } from './scan.js';
import { FOLDER_QUOTA, pauseAfter, readSettings, type Settings } from './settings.js';
import { eachBlob, type Shadow } from './shadow-git.js';
import { keepSnapshot, keepState, listSnapshots, matching, type Snapshot } from './snapshots.js';
import { readState, writeState } from './state-file.js';
import { diffTrees } from './trees.js';
import type { TreeStore } from './types.js';
import { createUnrecorded } from './unrecorded.js';
import { isFull, upkeep, upkeepDue } from './upkeep.js';
import { BusyFault } from './whole-lock.js';

export interface CheckpointOptions extends Places {
  /** Real paths of the folders of the workspace, its own first. */
  readonly roots: readonly string[];
  /** Bytes the snapshots of one folder may take. */
  readonly quota?: number;
  readonly now?: () => number;
}

export interface Created {
  readonly root: string;
  /** The newest snapshot of the folder; undefined when there is nothing to record. */
  readonly snapshot: Snapshot | undefined;
  /** False: nothing had changed since that snapshot. */
  readonly fresh: boolean;
  readonly left: readonly Left[];
}

export interface Listed extends Snapshot {
  readonly root: string;
}

/** All of it throws ToolFault: `Blocked` (no checkpoints of this folder), `NotFound`, `Timeout`, `Aborted`, `Conflict`, `ENOSPC`, `Failed`. */
export interface Checkpoints {
  readonly settings: Settings;
  readonly options: CheckpointOptions;
  /** Records one folder now. `ms`: the deadline, when not that of an explicit action. */
  create(root: string, label: string, signal: AbortSignal, ms?: number): Promise<Created>;
  /** Snapshots of all folders that have some, newest first. */
  list(signal: AbortSignal): Promise<Listed[]>;
  /** Brings the folder of a snapshot back to it. `hash` may be the beginning of a hash. */
  restore(
    hash: string,
    options: { readonly exact: boolean; readonly signal: AbortSignal },
  ): Promise<Restored & { readonly root: string }>;
  /** Thins what is stored when that is due. */
  tidy(root: string, signal: AbortSignal): Promise<void>;
  /** The recorded states of one folder, for undo. */
  states(root: string): TreeStore;
}

export function openCheckpoints(options: CheckpointOptions): Checkpoints {
  const settings = readSettings(options.env);
  const now = options.now ?? Date.now;
  const quota = options.quota ?? FOLDER_QUOTA;
  const { state } = options;

  async function within<T>(what: string, ms: number, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = deadlineOf(ms, what, outer);
    try {
      return await work(deadline.signal);
    } catch (error) {
      throw diskFault(error, 'work with', 'the checkpoints');
    } finally {
      deadline.release();
    }
  }

  async function list(signal: AbortSignal): Promise<Listed[]> {
    const lists = await Promise.all(
      options.roots.map(async (root) => {
        const shadow = options.roots.length > 1 ? shadowOrNone(root) : shadowOf(root, options);
        if (!shadow || !isMade(shadow)) return [];
        return (await listSnapshots(shadow, signal)).map((snapshot) => ({ ...snapshot, root }));
      }),
    );
    return lists.flat().sort((a, b) => (a.reference < b.reference ? 1 : -1));
  }

  function shadowOrNone(root: string): Shadow | undefined {
    try {
      return shadowOf(root, options);
    } catch {
      return undefined;
    }
  }

  async function find(hash: string, signal: AbortSignal): Promise<Listed> {
    const all = await list(signal);
    const [found, ...more] = matching(all, hash);
    if (!found)
      throw new ToolFault('NotFound', `no snapshot ${hash.trim()} of this workspace; list shows the snapshots there are`);
    if (more.length > 0)
      throw new ToolFault(
        'InvalidArgs',
        `invalid arguments: at /restore: ${hash.trim()} is the beginning of ${more.length + 1} snapshots; give more digits`,
      );
    return found;
  }

  return {
    settings,
    options,
    create: (root, label, outer, ms = settings.explicitMs) =>
      within('the checkpoint', ms, outer, async (signal) => {
        const shadow = shadowOf(root, options);
        return inPlace(shadow, { state, signal, renew: true }, async () => {
          await makeRoom(shadow, quota, now(), signal);
          const recorded = await record(shadow, { signal, quota });
          const { left, added, tree, same } = recorded;
          const snapshot = same
            ? (await listSnapshots(shadow, signal))[0]
            : await keepSnapshot(shadow, { tree, label, now: now(), signal });
          noteUse(shadow, now(), added);
          return { root, snapshot, fresh: !same, left };
        });
      }),
    list: (outer) => within('the list of checkpoints', settings.explicitMs, outer, list),
    restore: (hash, { exact, signal: outer }) =>
      within('the restore', settings.explicitMs, outer, async (signal) => {
        const found = await find(hash, signal);
        const shadow = shadowOf(found.root, options);
        const zoneOf = createZones({ roots: options.roots, home: options.home, state, readable: [] });
        const result = await inPlace(shadow, { state, signal }, () =>
          restoreSnapshot(shadow, found, { exact, signal, now: now(), quota, state, zoneOf }),
        );
        noteUse(shadow, now(), 0);
        return { ...result, root: found.root };
      }),
    tidy: (root, outer) =>
      within('the upkeep of checkpoints', settings.explicitMs, outer, async (signal) => {
        const shadow = shadowOf(root, options);
        if (!isMade(shadow) || !upkeepDue(shadow.folder, readState(shadow.folder, root), quota, now())) return;
        await inPlace(shadow, { state, signal }, () => upkeep(shadow, { now: now(), quota, signal }));
      }),
    states: (root) => statesOf(root, options, settings, quota, now),
  };
}

/** Has this folder a place already? */
function isMade(shadow: Shadow): boolean {
  return lstatOf(join(shadow.folder, 'HEAD')) !== undefined;
}

function noteUse(shadow: Shadow, now: number, added: number): void {
  const state = readState(shadow.folder, shadow.root);
  writeState(shadow.folder, { ...state, root: shadow.root, lastUse: now, added: state.added + added });
}

/** Far over the quota nothing is added before old content is gone. */
async function makeRoom(shadow: Shadow, quota: number, now: number, signal: AbortSignal): Promise<void> {
  if (!isFull(readState(shadow.folder, shadow.root), quota)) return;
  await upkeep(shadow, { now, quota, signal });
  if (!isFull(readState(shadow.folder, shadow.root), quota)) return;
  throw new ToolFault(
    'EFBIG',
    `one state of ${shadow.root} takes more than the disk space checkpoints may use; name what need not be kept in .gitignore`,
  );
}

function statesOf(root: string, options: CheckpointOptions, settings: Settings, quota: number, now: () => number): TreeStore {
  const session = randomHex(16);
  const { state } = options;
  async function withShadow<T>(
    outer: AbortSignal | undefined,
    work: (shadow: Shadow, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const deadline = deadlineOf(settings.automaticMs, 'reading the recorded states', outer);
    try {
      return await work(shadowOf(root, options), deadline.signal);
    } finally {
      deadline.release();
    }
  }
  let failures = 0;
  let notBefore = 0;
  const unrecorded = createUnrecorded();
  return {
    root,
    async tree(outer) {
      const start = now();
      if (!settings.automatic || start < notBefore) return undefined;
      try {
        const found = await withShadow(outer, (shadow, signal) =>
          inPlace(shadow, { state, signal, renew: true }, async () => {
            await makeRoom(shadow, quota, now(), signal);
            const recorded = await record(shadow, { signal, quota, ignored: true });
            const { tree, added } = recorded;
            unrecorded.note(recorded);
            keepState(shadow.folder, session, tree, now());
            if (added > 0) noteUse(shadow, now(), added);
            return tree;
          }),
        );
        failures = 0;
        return found;
      } catch (error) {
        if (outer?.aborted !== true && !(error instanceof BusyFault)) notBefore = start + pauseAfter(++failures);
        return undefined;
      }
    },
    unrecorded: unrecorded.of,
    changesBetween: (before, after, outer) =>
      withShadow(outer, (shadow, signal) => diffTrees(shadow, idOf(before), idOf(after), signal)),
    contents: (ids, work, outer) => withShadow(outer, (shadow, signal) => eachBlob(shadow, ids.map(idOf), signal, work)),
  };
}

function idOf(text: string): string {
  if (!/^[0-9a-f]{40}$/.test(text))
    throw new ToolFault('InvalidArgs', `${JSON.stringify(text.slice(0, 80))} is no id of a recorded state`);
  return text;
}
