/** What a command changed: the folder's recorded states before and after it, as changes of the undo store. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../../types/workspace.js';
import type { TreeChange, TreeStore } from '../checkpoint/types.js';
import type { Before, FileStep } from './lines.js';
import type { Author, UndoStore } from './store.js';

/** More changed files than this are no work to take back file by file; a checkpoint does it. */
const MOST_FILES = 1000;
/** Milliseconds that fetching old bytes may take. */
const LONGEST = 5000;
/** Milliseconds the second look may take when the user has already stopped the run. */
const WHEN_STOPPED = 150;
const LINK = 0o120000;
const EXECUTABLE = 0o100755;

export interface ScanOptions {
  readonly store: UndoStore;
  readonly workspace: Pick<Workspace, 'locate' | 'readFile'>;
  /** One for each folder whose states can be recorded; none: nothing is covered. */
  readonly trees: readonly TreeStore[];
  readonly author: Author;
  /** The command, for people: told with an undo when its effects are not known. */
  readonly what: string;
  readonly signal: AbortSignal;
}

/** Runs `work` and records what it changed in the folders; what is not known is noted. Throws only what `work` throws. */
export async function recordCommand<T>(options: ScanOptions, work: () => Promise<T>): Promise<T> {
  const { store, trees, signal } = options;
  // Noted first: a process that is killed meanwhile has changed no one knows what.
  const note = store.uncovered(options.what);
  const states = await Promise.all(trees.map(async (tree) => ({ tree, before: await tree.tree(signal) })));
  const covered = states.filter((state) => state.before !== undefined);
  const watch = store.watch();
  try {
    return await work();
  } finally {
    watch.end();
    let whole = covered.length === trees.length && trees.length > 0;
    for (const { tree, before } of covered) {
      try {
        whole = (await recordTree(options, tree, before ?? '', watch.paths)) && whole;
      } catch {
        whole = false;
      }
    }
    if (whole) note.covered();
  }
}

/** False when not all of the folder's changes could be recorded. */
async function recordTree(options: ScanOptions, tree: TreeStore, before: string, others: ReadonlySet<string>): Promise<boolean> {
  const signal = options.signal.aborted ? AbortSignal.timeout(WHEN_STOPPED) : options.signal;
  const after = await tree.tree(signal);
  if (after === undefined) return false;
  if (after === before) return true;
  const changes = await tree.changesBetween(before, after, signal);
  if (changes.length > MOST_FILES) return false;
  const files: FileStep[] = [];
  let whole = true;
  const end = performance.now() + LONGEST;
  for (const change of changes) {
    if (performance.now() > end) {
      whole = false;
      break;
    }
    const path = join(tree.root, change.path);
    if (others.has(path) || others.has(path.replace(/\.bak$/, ''))) continue;
    const step = await stepOf(options, tree, change, path).catch(() => undefined);
    if (step) files.push(step);
    else whole = false;
  }
  if (files.length > 0) options.store.begin(options.author, files);
  return whole;
}

/** Undefined for what cannot be taken back file by file: links, names that are no text, what is no ordinary file now. */
async function stepOf(
  { store, workspace }: ScanOptions,
  tree: TreeStore,
  change: TreeChange,
  path: string,
): Promise<FileStep | undefined> {
  if (change.beforeMode === LINK || change.afterMode === LINK || !Buffer.from(change.path).equals(change.raw)) return undefined;
  const now = change.after === 'absent' ? null : await versionNow(workspace, path, store.largest);
  if (now === undefined) return undefined;
  const mode = modeBefore(change, now?.mode);
  const bytes = change.before === 'absent' ? undefined : await tree.bytesOf(change.before);
  const kept: Before | null = bytes ? await store.keep(bytes, { mode }) : null;
  const modeChanged = now !== null && change.beforeMode !== 0 && change.beforeMode !== change.afterMode;
  const after = now && { sha256: now.sha256, size: now.size, ...(modeChanged ? { mode: now.mode } : {}) };
  return { path, before: kept, after };
}

async function versionNow(workspace: ScanOptions['workspace'], path: string, largest: number) {
  const { real, zone } = workspace.locate(path);
  if (real !== path || zone === 'outside' || zone === 'system' || zone === 'git') return undefined;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  if (stat.size > largest) return { sha256: '', size: stat.size, mode: stat.mode & 0o7777 };
  const { state, mode } = await workspace.readFile(path, { maxBytes: largest });
  return { sha256: state.sha256, size: state.size, mode: mode & 0o7777 };
}

/** A tree knows only whether a file can be run; the other bits are those of now, or what the umask gives. */
function modeBefore({ beforeMode }: TreeChange, now: number | undefined): number {
  const base = now ?? 0o666 & ~process.umask();
  return beforeMode === EXECUTABLE ? base | ((base >> 2) & 0o111) : base & ~0o111;
}
