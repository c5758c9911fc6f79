/** What a worker changed in its work tree: compared with the beginning by bytes and mode, whatever git was told in there. */
import { type Dirent, lstatSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isGitName } from '../../base/sensitive-paths.js';
import { checkOutcome, type GitOptions, type Repository, runGit } from '../../process/git.js';
import { because, ReasonError } from '../../types/reason.js';
import { blobIdOf, realFolders, type Snapshot, stampOf } from './snapshot.js';

export interface TreeChange {
  /** From the top of the repository. */
  readonly path: string;
  readonly status: 'added' | 'changed' | 'removed';
  /** What keeps it from being brought back. */
  readonly odd?: 'link' | 'private' | 'special';
  readonly executable: boolean;
  /** The executable bit is another one than at the beginning. */
  readonly modeChanged: boolean;
  /** The bytes are the same as at the beginning. */
  readonly sameBytes: boolean;
}

/** New files that git ignores. `path` ends with a slash for a whole folder. */
export interface Ignored {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

export interface Found {
  readonly changes: readonly TreeChange[];
  readonly ignored: readonly Ignored[];
  /** Folders that hold a repository of their own, made in there. */
  readonly repositories: readonly string[];
}

export interface Comparison {
  readonly top: string;
  readonly snapshot: Snapshot;
  /** Length of git's names. */
  readonly length: number;
  readonly isPrivate: (path: string) => boolean;
  /** Says what is ignored; out of the worker's reach. */
  readonly judge: Repository;
  readonly git: GitOptions;
  /** A file that our own tools made beside another and that is no part of the change. */
  readonly isBackup: (file: string) => Promise<boolean>;
}

const LIST_BYTES = 64 * 1024 * 1024;
const MOST_REPOSITORIES = 20;
const MOST_NEW = 200_000;

/** Throws ReasonError and errors of the disk and of git. */
export async function findChanges(of: Comparison): Promise<Found> {
  const changes: TreeChange[] = [];
  const isFolder = realFolders(of.top);
  let looked = 0;
  for (const [path] of of.snapshot.files) {
    if (++looked % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    const change = await changeOf(of, path, isFolder);
    if (change) changes.push(change);
  }
  const walk: Walk = { of, changes, ignored: new Map(), repositories: [], hidden: new Set(), seen: 0 };
  await listIgnored(walk, '');
  await walkFolder(walk, '', undefined);
  changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { changes, ignored: [...walk.ignored.values()].filter(({ files }) => files > 0), repositories: walk.repositories };
}

async function changeOf(of: Comparison, path: string, isFolder: (folder: string) => boolean): Promise<TreeChange | undefined> {
  const laid = of.snapshot.files.get(path);
  if (!laid) return undefined;
  const file = join(of.top, path);
  const stat = isFolder(dirname(path)) ? lstatSync(file, { throwIfNoEntry: false, bigint: true }) : undefined;
  const gone = { path, executable: laid.executable, modeChanged: false, sameBytes: false };
  const guarded = of.isPrivate(path) ? { odd: 'private' as const } : {};
  // What became a folder is looked at with the new files.
  if (!stat || stat.isDirectory()) return { ...gone, status: 'removed', ...(laid.kind === 'link' ? { odd: 'link' } : guarded) };
  if (stampOf(stat) === laid.stamp) return undefined;
  if (laid.kind === 'link' && stat.isSymbolicLink()) return { ...gone, status: 'changed', odd: 'link' };
  if (!stat.isFile() || laid.kind === 'link')
    return { ...gone, status: 'changed', odd: stat.isSymbolicLink() || laid.kind === 'link' ? 'link' : 'special' };
  const executable = (Number(stat.mode) & 0o100) !== 0;
  const sameBytes = (await blobIdOf(file, of.length)) === laid.id;
  const modeChanged = executable !== laid.executable;
  if (sameBytes && !modeChanged) return undefined;
  return { path, status: 'changed', executable, modeChanged, sameBytes, ...guarded };
}

interface Walk {
  readonly of: Comparison;
  readonly changes: TreeChange[];
  readonly ignored: Map<string, Ignored>;
  readonly repositories: string[];
  /** Files and folders (with a slash) that are ignored. */
  readonly hidden: Set<string>;
  seen: number;
}

/** What is ignored below a folder that is the top of a repository. `folder` is empty or ends with a slash. */
async function listIgnored({ of, hidden }: Walk, folder: string): Promise<void> {
  const judge = { ...of.judge, top: join(of.top, folder) };
  const git = { ...of.git, cwd: judge.top, keepBytes: LIST_BYTES };
  const words = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const listed = await runGit(judge, words, git);
  checkOutcome(listed, 'git ls-files');
  if (listed.totalBytes >= LIST_BYTES) throw new ReasonError(because`the change touches too many files`);
  for (const path of listed.output.split('\0')) if (path !== '' && path !== './') hidden.add(`${folder}${path}`);
  if (listed.output.split('\0').includes('./')) hidden.add(folder);
}

/** `under`: the ignored thing all of this belongs to. `folder` is empty or ends with a slash. */
async function walkFolder(walk: Walk, folder: string, under: string | undefined): Promise<void> {
  const { of } = walk;
  const entries = readdirSync(join(of.top, folder), { withFileTypes: true });
  if (folder !== '' && entries.some(({ name }) => isGitName(name))) {
    if (walk.repositories.length < MOST_REPOSITORIES && under === undefined) await listIgnored(walk, folder);
    walk.repositories.push(folder.slice(0, -1));
  }
  for (const entry of entries) {
    const path = `${folder}${entry.name}`;
    if (isGitName(entry.name)) continue;
    if (++walk.seen > MOST_NEW) throw new ReasonError(because`the change touches too many files`);
    if (walk.seen % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (entry.isDirectory()) await walkFolder(walk, `${path}/`, under ?? (walk.hidden.has(`${path}/`) ? `${path}/` : undefined));
    else if (of.snapshot.files.has(path)) continue;
    else if (entry.name.endsWith('.bak') && (await of.isBackup(join(of.top, path)))) rmSync(join(of.top, path), { force: true });
    else noteNew(walk, entry, path, under ?? (walk.hidden.has(path) ? path : undefined));
  }
}

function noteNew({ of, changes, ignored }: Walk, entry: Dirent, path: string, under: string | undefined): void {
  const stat = lstatSync(join(of.top, path), { throwIfNoEntry: false });
  if (!stat) return;
  if (under !== undefined) {
    const before = ignored.get(under) ?? { path: under, files: 0, bytes: 0 };
    ignored.set(under, { path: under, files: before.files + 1, bytes: before.bytes + stat.size });
    return;
  }
  const odd = entry.isSymbolicLink() ? 'link' : !entry.isFile() ? 'special' : of.isPrivate(path) ? 'private' : undefined;
  const executable = (stat.mode & 0o100) !== 0;
  changes.push({ path, status: 'added', executable, modeChanged: executable, sameBytes: false, ...(odd ? { odd } : {}) });
}
