/** What a command changed: the folder's recorded states before and after it, as changes of the undo store. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../../types/workspace.js';
import type { TreeChange, TreeStore, Unrecorded } from '../checkpoint/types.js';
import type { Before, FileStep } from './lines.js';
import type { Author, UndoStore } from './store.js';

/** More changed files than this are no work to take back file by file; a checkpoint does it. */
const MOST_FILES = 1000;
/** Milliseconds that fetching old bytes may take. */
const LONGEST = 5000;
/** Milliseconds the second look may take when the user has already stopped the run. */
const WHEN_STOPPED = 150;
/** Milliseconds by which times of files may lie behind the clock. */
const CLOCK_LAG = 20;
const LINK = 0o120000;
const EXECUTABLE = 0o100755;

interface ScanOptions {
  readonly store: UndoStore;
  readonly workspace: Pick<Workspace, 'locate' | 'readFile'>;
  /** One for each folder whose states can be recorded; none: nothing is covered. */
  readonly trees: readonly TreeStore[];
  readonly author: Author;
  /** The command, for people: told with an undo when its effects are not known. */
  readonly what: string;
  readonly signal: AbortSignal;
  /** Told each file that was found changed, with its hash; undefined: it is gone. Also of what cannot be taken back. */
  found?(real: string, sha256: string | undefined): void;
}

/** While the command ran, milliseconds since 1970, and the id under which it is noted. */
interface Ran {
  readonly note: string;
  readonly from: number;
  readonly to: number;
  /** Paths that were changed through the store meanwhile. */
  readonly others: ReadonlySet<string>;
}

/**
 * Runs `work` and records what changed in the folders while it ran: by it, or by someone else, which nobody can tell. What is not
 * known is noted. Throws only what `work` throws.
 */
export async function recordCommand<T>(options: ScanOptions, work: () => Promise<T>): Promise<T> {
  const { store, trees, signal } = options;
  // Noted first: a process that is killed meanwhile has changed no one knows what.
  const note = store.uncovered(options.what);
  const states = await Promise.all(trees.map((tree) => stateOf(tree, signal)));
  const covered = states.filter((state) => state !== undefined);
  const watch = store.watch();
  const from = Date.now();
  try {
    return await work();
  } finally {
    watch.end();
    const ran = { note: note.id, from, to: Date.now() + 1, others: watch.paths };
    let whole = covered.length === trees.length && trees.length > 0;
    for (const state of covered) {
      try {
        whole = (await recordTree(options, state, ran)) && whole;
      } catch {
        whole = false;
      }
    }
    if (whole) note.covered();
  }
}

/** A folder before the command. */
interface State {
  readonly tree: TreeStore;
  readonly id: string;
  /** What was there and the state does not hold; undefined: not known. */
  readonly unrecorded: Unrecorded | undefined;
}

async function stateOf(tree: TreeStore, signal: AbortSignal): Promise<State | undefined> {
  const id = await tree.tree(signal);
  return id === undefined ? undefined : { tree, id, unrecorded: tree.unrecorded(id) };
}

/** False when not all of the folder's changes could be recorded. */
async function recordTree(options: ScanOptions, state: State, ran: Ran): Promise<boolean> {
  const { tree, id: before } = state;
  const signal = options.signal.aborted ? AbortSignal.timeout(WHEN_STOPPED) : options.signal;
  const after = await tree.tree(signal);
  if (after === undefined) return false;
  // A repository or a file too large that was not there before: what is in it was not looked at.
  const leftOut = [...(tree.unrecorded(after)?.left ?? [])];
  const same = leftOut.every((path) => state.unrecorded?.left.has(path) === true);
  if (after === before) return same;
  const changes = await tree.changesBetween(before, after, signal);
  if (changes.length > MOST_FILES) {
    // Too many to be looked at one by one; which they are is known all the same.
    for (const change of changes.slice(0, MOST_FILES)) options.found?.(join(tree.root, change.path), undefined);
    return false;
  }
  const gone = new Set(changes.filter((change) => change.after === 'absent').map((change) => change.before));
  const found: Found[] = [];
  let whole = same;
  for (const change of changes) {
    const path = join(tree.root, change.path);
    if (ran.others.has(path) || ran.others.has(path.replace(/\.bak$/, ''))) continue;
    const one = await lookAt(options, change, path, ran).catch(() => undefined);
    if (one) options.found?.(path, one.now?.sha256);
    if (one && (one.now === null || change.before !== 'absent' || isNew(one.now, change, { state, ran, gone }))) found.push(one);
    else whole = false;
  }
  const files = await withBefore(options.store, tree, found);
  if (files.length > 0) options.store.begin(options.author, files, ran.note);
  return whole && files.length === found.length;
}

interface Found {
  readonly change: TreeChange;
  readonly path: string;
  readonly now: Version | null;
}

/**
 * Was nothing there before the command? What the state before does not hold may have been left out of it, and a file that is older
 * than the command came from where nothing is watched, unless one with its content was moved away (`gone`).
 */
function isNew(
  now: Version,
  { raw, after }: TreeChange,
  { state, ran, gone }: { readonly state: State; readonly ran: Ran; readonly gone: ReadonlySet<string> },
): boolean {
  if (state.unrecorded?.has(raw) !== false) return false;
  return now.born <= 0 || now.born >= ran.from - CLOCK_LAG || gone.has(after);
}

/** Undefined for what is not the command's alone, or cannot be taken back file by file: links, names that are no text. */
async function lookAt({ store, workspace }: ScanOptions, change: TreeChange, path: string, ran: Ran): Promise<Found | undefined> {
  if (change.beforeMode === LINK || change.afterMode === LINK || !Buffer.from(change.path).equals(change.raw)) return undefined;
  // What is still there was only left out of the second look: by new rules, as a repository of its own, for its size.
  if (change.after === 'absent') return isGone(path) ? { change, path, now: null } : undefined;
  const now = await versionNow(workspace, path, store.largest);
  // Changed by someone else, just before the command began or after it had ended. (What is moved with its folder keeps its time.)
  if (!now || now.changed > ran.to || (change.before !== 'absent' && now.changed < ran.from - CLOCK_LAG)) return undefined;
  return { change, path, now };
}

/** The steps, with the bytes of before, fetched all at once; as many as come in time. */
async function withBefore(store: UndoStore, tree: TreeStore, found: readonly Found[]): Promise<FileStep[]> {
  const files = found.filter(({ change }) => change.before === 'absent').map((one) => stepOf(one, null));
  const old = found.filter(({ change }) => change.before !== 'absent');
  const ids = old.map(({ change }) => change.before);
  try {
    await tree.contents(
      ids,
      async (bytes, index) => {
        const one = old[index];
        if (one) files.push(stepOf(one, await store.keep(bytes, { mode: modeBefore(one.change, one.now?.mode) })));
      },
      AbortSignal.timeout(LONGEST),
    );
  } catch {
    // Fewer than were found.
  }
  return files;
}

function stepOf({ change, path, now }: Found, before: Before | null): FileStep {
  const modeChanged = now !== null && change.beforeMode !== 0 && change.beforeMode !== change.afterMode;
  return { path, before, after: now && { sha256: now.sha256, size: now.size, ...(modeChanged ? { mode: now.mode } : {}) } };
}

interface Version {
  readonly sha256: string;
  readonly size: number;
  readonly mode: number;
  /** When it, its bits or its name were last changed, milliseconds since 1970; no program can set that. */
  readonly changed: number;
  /** When it was made, milliseconds since 1970; 0 where the system does not know. */
  readonly born: number;
}

/** Is no file there? A folder in its place is none. */
function isGone(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'ENOTDIR';
  }
}

async function versionNow(workspace: ScanOptions['workspace'], path: string, largest: number): Promise<Version | undefined> {
  const { real, zone } = workspace.locate(path);
  if (real !== path || zone === 'outside' || zone === 'system' || zone === 'git') return undefined;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  const born = stat.birthtimeMs;
  if (stat.size > largest) return { sha256: '', size: stat.size, mode: stat.mode & 0o7777, changed: stat.ctimeMs, born };
  const { state, mode } = await workspace.readFile(path, { maxBytes: largest });
  return { sha256: state.sha256, size: state.size, mode: mode & 0o7777, changed: lstatSync(path).ctimeMs, born };
}

/** A tree knows only whether a file can be run; the other bits are those of now, or what the umask gives. */
function modeBefore({ beforeMode }: TreeChange, now: number | undefined): number {
  const base = now ?? 0o666 & ~process.umask();
  return beforeMode === EXECUTABLE ? base | ((base >> 2) & 0o111) : base & ~0o111;
}
