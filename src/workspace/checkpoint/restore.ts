/** Brings a folder back to a snapshot: what it holds is recorded first, and nothing is replaced that is not recorded. */
import { isGitName } from '../../base/sensitive-paths.js';
import { ToolFault } from '../../types/tool.js';
import type { FileState, Zone } from '../../types/workspace.js';
import { diskFault } from '../faults.js';
import { whileLocked } from '../path-lock.js';
import {
  everythingIn,
  openParent,
  presentAt,
  putEntry,
  removeEmptyAbove,
  removeEntry,
  removeHollow,
  setExecutable,
  syncAll,
} from './disk-entry.js';
import { record, recordPaths } from './record.js';
import { absolute, createKinds, type Kinds, type Left, lstatOf, onRealFolders } from './scan.js';
import { eachBlob, type Shadow, stopFault } from './shadow-git.js';
import { keepSnapshot, listSnapshots, type Snapshot } from './snapshots.js';
import { diffTrees, ignoredAmong } from './trees.js';
import type { TreeChange } from './types.js';

interface RestoreOptions {
  readonly exact: boolean;
  readonly signal: AbortSignal;
  readonly now: number;
  readonly quota: number;
  /** The state folder: locks of paths lie there. */
  readonly state: string;
  /** Where an absolute path lies; only `inside` is written. */
  readonly zoneOf: (real: string) => Zone;
}

export interface Restored {
  readonly snapshot: Snapshot;
  /** The state before; undefined when nothing had to be done. */
  readonly before: Snapshot | undefined;
  /** What was brought back. */
  readonly restored: readonly { readonly path: string; readonly real: string; readonly state: FileState | undefined }[];
  /** What was removed: later additions (`exact`), or what stood in the way. All of it is in `before`. */
  readonly removed: readonly { readonly path: string; readonly real: string }[];
  /** Later additions that stayed. */
  readonly stayed: readonly string[];
  readonly refused: readonly { readonly path: string; readonly why: string }[];
  /** What the snapshot before does not hold. */
  readonly left: readonly Left[];
  /** Set when it ended before its end: the deadline, or the user's wish. */
  readonly stopped: ToolFault | undefined;
}

/** Only under the lock. Throws ToolFault before anything was changed; faults after that are in the result. */
export async function restoreSnapshot(shadow: Shadow, snapshot: Snapshot, options: RestoreOptions): Promise<Restored> {
  const { signal } = options;
  const kinds = createKinds(shadow.root);
  const { changes, tree, fresh, left } = await changesTo(shadow, snapshot, kinds, options);
  const ignored = await ignoredAmong(
    shadow,
    changes.filter((change) => change.after === 'absent').map((change) => change.raw),
    signal,
  );
  const later = changes.filter((change) => change.after === 'absent' && !ignored.has(keyOf(change.raw)));
  const wanted = changes.filter((change) => change.after !== 'absent');
  const run = new RestoreRun(shadow.root, kinds, changes, options);
  let before: Snapshot | undefined;
  if (wanted.length > 0 || (options.exact && later.length > 0)) {
    const label = `restore ${snapshot.hash.slice(0, 10)}`;
    before = fresh
      ? await keepSnapshot(shadow, { tree, label, now: options.now, signal })
      : (await listSnapshots(shadow, signal))[0];
    if (before === undefined) throw new ToolFault('Failed', 'the present state could not be recorded; nothing was restored');
    await run.putAll(shadow, wanted);
    if (options.exact) await run.removeAll(shadow, later);
    await syncAll(run.written);
  }
  const removed = new Set(run.removed.map((entry) => entry.path));
  return {
    snapshot,
    before,
    restored: run.restored,
    removed: run.removed,
    stayed: later.map((change) => change.path).filter((path) => !removed.has(path)),
    refused: run.refused,
    left,
    stopped: run.stopped,
  };
}

/** Records the present, also what the rules leave out but the snapshot would replace, and compares. */
async function changesTo(shadow: Shadow, snapshot: Snapshot, kinds: Kinds, options: RestoreOptions) {
  const recorded = await record(shadow, options);
  const changes = await diffTrees(shadow, recorded.tree, snapshot.hash, options.signal);
  const hidden = changes.flatMap((change) => {
    const reachable = change.before === 'absent' && onRealFolders(shadow.root, change.raw);
    const kind = reachable ? kinds.of(change.raw) : undefined;
    return kind?.is === 'record' ? [{ path: change.raw, size: kind.size }] : [];
  });
  if (hidden.length === 0) return { changes, tree: recorded.tree, fresh: !recorded.same, left: recorded.left };
  const tree = await recordPaths(shadow, hidden, options);
  return { changes: await diffTrees(shadow, tree, snapshot.hash, options.signal), tree, fresh: true, left: recorded.left };
}

const keyOf = (path: Buffer): string => path.toString('latin1');

/** Why a path is left as it is; said in the result. */
class Refusal extends Error {}

/** Files handled before others get their turn. */
const STRIDE = 32;

class RestoreRun {
  readonly restored: { path: string; real: string; state: FileState | undefined }[] = [];
  readonly removed: { path: string; real: string }[] = [];
  readonly refused: { path: string; why: string }[] = [];
  readonly written: Buffer[] = [];
  stopped: ToolFault | undefined;
  /** What is on disk and recorded, and not in the snapshot. */
  readonly #extra: ReadonlyMap<string, TreeChange>;

  constructor(
    readonly root: string,
    readonly kinds: Kinds,
    changes: readonly TreeChange[],
    readonly options: RestoreOptions,
  ) {
    this.#extra = new Map(changes.filter((change) => change.after === 'absent').map((change) => [keyOf(change.raw), change]));
  }

  #count = 0;

  async #rest(): Promise<void> {
    if (++this.#count % STRIDE === 0) await new Promise((resolve) => setImmediate(resolve));
    if (this.options.signal.aborted) throw stopFault(this.options.signal);
  }

  async #untilStopped(work: () => Promise<void>): Promise<void> {
    if (this.stopped) return;
    try {
      await work();
    } catch (error) {
      this.stopped = error instanceof ToolFault ? error : new ToolFault('Failed', String(error));
    }
  }

  putAll(shadow: Shadow, wanted: readonly TreeChange[]): Promise<void> {
    return this.#untilStopped(() => {
      const ids = wanted.map((change) => change.after);
      return eachBlob(shadow, ids, this.options.signal, async (bytes, index) => {
        await this.#rest();
        const change = wanted[index];
        if (change) await this.#attempt(change, () => this.#put(change, bytes));
      });
    });
  }

  /** After the rules of the snapshot were brought back: what they leave out was there before, unrecorded. */
  removeAll(shadow: Shadow, later: readonly TreeChange[]): Promise<void> {
    return this.#untilStopped(async () => {
      const paths = later.map((change) => change.raw);
      const ignored = await ignoredAmong(shadow, paths, this.options.signal);
      for (const change of later) {
        if (ignored.has(keyOf(change.raw))) continue;
        await this.#rest();
        await this.#attempt(change, () => this.#remove(change));
      }
    });
  }

  /** While no other writer is at the file, or at what stands in its way. */
  async #attempt(change: TreeChange, work: () => void): Promise<void> {
    try {
      this.#assertOurs(change.raw);
      const paths = [change.raw, ...this.#inTheWay(change.raw)];
      const targets = paths.map((path) => ({ real: this.#real(path), shown: path.toString('utf8') }));
      await whileLocked(this.options.state, targets, async () => work());
    } catch (error) {
      const why = error instanceof Refusal ? error.message : diskFault(error, 'restore', change.path).message;
      this.refused.push({ path: change.path, why });
    }
  }

  /** Recorded files where folders above it must be, and those below it where it is a folder now. */
  #inTheWay(path: Buffer): Buffer[] {
    const key = keyOf(path);
    const found: Buffer[] = [];
    for (let at = key.indexOf('/'); at >= 0; at = key.indexOf('/', at + 1)) {
      const above = this.#extra.get(key.slice(0, at));
      if (above) found.push(above.raw);
    }
    if (lstatOf(absolute(this.root, path))?.isDirectory() !== true) return found;
    return [...found, ...[...this.#extra.values()].map(({ raw }) => raw).filter((raw) => keyOf(raw).startsWith(`${key}/`))];
  }

  #real(path: Buffer): string {
    return `${this.root}/${path.toString('utf8')}`;
  }

  #assertOurs(path: Buffer): void {
    const text = path.toString('utf8');
    if (text.split('/').some((name) => isGitName(name) || name === '..' || name === '.'))
      throw new Refusal('it belongs to a repository');
    const repository = this.kinds.repositoryAround(path);
    if (repository) throw new Refusal(`${repository.toString('utf8')} is a repository of its own`);
    const zone = this.options.zoneOf(this.#real(path));
    if (zone === 'inside') return;
    const why: Partial<Record<Zone, string>> = {
      personal: 'it may hold credentials, which no tool restores',
      own: 'it belongs to the settings of this program',
      git: 'it belongs to a repository',
    };
    throw new Refusal(why[zone] ?? 'it does not lie in the workspace');
  }

  /** Throws unless what is on disk is what was recorded a moment ago. */
  #assertRecorded(path: Buffer, change: TreeChange | undefined): void {
    const present = presentAt(path);
    if (present === 'absent') return;
    if (present === 'folder') throw new Refusal('a folder stands in its place');
    if (present === 'odd' || change === undefined || change.before === 'absent')
      throw new Refusal('what stands in its place now could not be recorded (too large, not readable, or no ordinary file)');
    if (present.id !== change.before || present.mode !== change.beforeMode)
      throw new Refusal('it was changed while the snapshot was restored');
  }

  #remove(change: TreeChange): void {
    const path = absolute(this.root, change.raw);
    if (presentAt(path) === 'absent') return;
    this.#assertRealFolders(change.raw);
    this.#assertRecorded(path, change);
    removeEntry(path);
    removeEmptyAbove(this.root, change.raw);
    this.removed.push({ path: change.path, real: this.#real(change.raw) });
  }

  /** No link on the way to it. */
  #assertRealFolders(path: Buffer): void {
    const parent = openParent(this.root, path, () => {
      throw new Refusal('a folder on the way to it is a link or a file');
    });
    parent.close();
  }

  #put(change: TreeChange, bytes: Buffer): void {
    const parent = openParent(this.root, change.raw, (obstacle) => this.#clear(obstacle));
    try {
      if (presentAt(parent.entry) === 'folder') this.#clearFolder(change.raw);
      this.#assertRecorded(parent.entry, change);
      const real = this.#real(change.raw);
      if (change.before === change.after && change.afterMode !== 0o120000 && change.beforeMode !== 0o120000) {
        setExecutable(parent.entry, change.afterMode);
        this.restored.push({ path: change.path, real, state: undefined });
        return;
      }
      this.restored.push({ path: change.path, real, state: putEntry(parent, bytes, change.afterMode) });
      this.written.push(absolute(this.root, change.raw));
    } finally {
      parent.close();
    }
  }

  /** Removes a file or link that stands where a folder must be, when it is recorded. */
  #clear(obstacle: Buffer): void {
    const change = this.#extra.get(keyOf(obstacle));
    if (change === undefined)
      throw new Refusal(`${obstacle.toString('utf8')} is a link or file that is not recorded, and stands in the way`);
    this.#assertOurs(obstacle);
    this.#remove(change);
  }

  /** Removes a folder that stands where a file must be, when all it holds is recorded. */
  #clearFolder(folder: Buffer): void {
    if (this.kinds.repositoryAround(Buffer.concat([folder, Buffer.from('/x')])) !== undefined)
      throw new Refusal('a repository of its own stands in its place');
    const found = everythingIn(this.root, folder).map((path) => ({ path, change: this.#extra.get(keyOf(path)) }));
    const kept = found.find((entry) => entry.change === undefined);
    if (kept)
      throw new Refusal(`it is a folder now, and ${kept.path.toString('utf8')} in it is not recorded (ignored, or too large)`);
    for (const { path, change } of found) {
      this.#assertOurs(path);
      this.#assertRecorded(absolute(this.root, path), change);
    }
    for (const { path, change } of found) {
      removeEntry(absolute(this.root, path));
      if (change) this.removed.push({ path: change.path, real: this.#real(path) });
    }
    removeHollow(this.root, folder);
  }
}
