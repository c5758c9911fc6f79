/** Brings the recorded state of a folder up to what is on disk now, and gives it as a tree. */
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../../base/read-regular.js';
import { ToolFault } from '../../types/tool.js';
import { TREE_FILE } from './place.js';
import { type Found, type Left, scan } from './scan.js';
import { FOLDER_QUOTA } from './settings.js';
import { git, type Shadow, stopFault } from './shadow-git.js';

export interface Recorded {
  /** Id of the state. */
  readonly tree: string;
  /** The newest snapshot is certainly of this state: nothing to keep. */
  readonly same: boolean;
  readonly left: readonly Left[];
  /** What the ignore rules leave out, when it was asked for. */
  readonly ignored: readonly Buffer[];
  /** Bytes handed in, before compression. */
  readonly added: number;
}

interface RecordOptions {
  readonly signal: AbortSignal;
  readonly quota?: number;
  /** Tell what the ignore rules leave out. */
  readonly ignored?: boolean;
}

/** One piece of work for git: what is done when the deadline comes stays done. */
const PIECE_FILES = 4000;
const PIECE_BYTES = 16 * 1024 * 1024;
/** From so many files on they go into one pack instead of one file each. */
const PACK_FROM = 100;
/** What git says of a file that vanished, changed its kind or cannot be read. */
const UNREAD = /Unable to process path|unable to index file|short read|beyond a symbolic link/i;
/** What stays free on the disk, besides what is to be recorded. */
const FREE_FLOOR = 4 * 1024 * 1024;

/** Only under the lock. Throws ToolFault; what was recorded up to then is used by the next call. */
export async function record(shadow: Shadow, options: RecordOptions): Promise<Recorded> {
  const found = await scan(shadow, options.signal, { ignored: options.ignored === true });
  const done = await update(shadow, found, options);
  const tree = await treeOf(shadow, options.signal);
  const left = [...found.left, ...(done?.unread ?? []).map((path) => ({ path, why: 'unreadable' as const }))];
  return { tree, same: !found.ahead && done === undefined, left, ignored: found.ignored, added: done?.bytes ?? 0 };
}

interface Done {
  readonly bytes: number;
  /** What git could not read although it seemed readable. */
  readonly unread: readonly Buffer[];
}

/** Applies what was found; undefined when there was nothing to do. */
async function update(shadow: Shadow, found: Pick<Found, 'add' | 'drop'>, options: RecordOptions): Promise<Done | undefined> {
  if (found.add.length === 0 && found.drop.length === 0) return undefined;
  const bytes = found.add.reduce((sum, file) => sum + file.size, 0);
  assertRoom(shadow, bytes, options.quota ?? FOLDER_QUOTA);
  rmSync(join(shadow.folder, TREE_FILE), { force: true });
  if (found.drop.length > 0) await updateIndex(shadow, ['--force-remove'], found.drop, options.signal);
  const unread: Buffer[] = [];
  for (const piece of pieces(found.add)) unread.push(...(await addPaths(shadow, piece, options.signal)));
  if (unread.length > 0) await updateIndex(shadow, ['--force-remove'], unread, options.signal);
  return { bytes, unread };
}

/** Records further paths although rules leave them out. Only under the lock. */
export async function recordPaths(shadow: Shadow, add: Found['add'], options: RecordOptions): Promise<string> {
  await update(shadow, { add, drop: [] }, options);
  return treeOf(shadow, options.signal);
}

/** Gives the paths that could not be read; the others are recorded. */
async function addPaths(shadow: Shadow, paths: readonly Buffer[], signal: AbortSignal): Promise<readonly Buffer[]> {
  const settings = paths.length >= PACK_FROM ? ['core.bigFileThreshold=1'] : [];
  try {
    await updateIndex(shadow, ['--add', '--remove', '--replace'], paths, signal, settings);
    return [];
  } catch (error) {
    if (!(error instanceof ToolFault) || error.code !== 'Failed' || !UNREAD.test(error.message)) throw error;
    if (paths.length === 1) return paths;
  }
  const middle = paths.length >> 1;
  const first = await addPaths(shadow, paths.slice(0, middle), signal);
  return [...first, ...(await addPaths(shadow, paths.slice(middle), signal))];
}

async function updateIndex(
  shadow: Shadow,
  flags: readonly string[],
  paths: readonly Buffer[],
  signal: AbortSignal,
  settings: readonly string[] = [],
): Promise<void> {
  const input = Buffer.concat(paths.flatMap((path) => [path, Buffer.of(0)]));
  await git(shadow, ['update-index', '-z', ...flags, '--stdin'], { signal, input, settings });
}

function* pieces(files: Found['add']): Generator<Buffer[]> {
  let piece: Buffer[] = [];
  let bytes = 0;
  for (const { path, size } of files) {
    piece.push(path);
    bytes += size;
    if (piece.length < PIECE_FILES && bytes < PIECE_BYTES) continue;
    yield piece;
    piece = [];
    bytes = 0;
  }
  if (piece.length > 0) yield piece;
}

/** The tree of the recorded state; known without git when nothing changed since it was last made. */
async function treeOf(shadow: Shadow, signal: AbortSignal): Promise<string> {
  if (signal.aborted) throw stopFault(signal);
  const file = join(shadow.folder, TREE_FILE);
  try {
    const known = readRegular(file, 100).toString('latin1');
    if (/^[0-9a-f]{40}$/.test(known)) return known;
  } catch {
    // Made below.
  }
  const tree = (await git(shadow, ['write-tree'], { signal })).toString('latin1').trim();
  try {
    writeFileSync(file, tree, { mode: 0o600 });
  } catch {
    rmSync(file, { force: true });
  }
  return tree;
}

function assertRoom(shadow: Shadow, bytes: number, quota: number): void {
  const size = (count: number) => `${Math.ceil(count / 1024 / 1024)} MiB`;
  if (bytes > quota)
    throw new ToolFault(
      'EFBIG',
      `${size(bytes)} in ${shadow.root} are new or changed, more than the ${size(quota)} that checkpoints may take; name what need not be kept in .gitignore`,
    );
  const free = freeBytes(shadow.folder);
  if (free !== undefined && free < bytes + FREE_FLOOR)
    throw new ToolFault('ENOSPC', `the disk of ${shadow.folder} has ${size(free)} left, too little to record ${size(bytes)}`);
}

function freeBytes(folder: string): number | undefined {
  try {
    const stat = statfsSync(folder);
    return stat.bavail * stat.bsize;
  } catch {
    return undefined;
  }
}
