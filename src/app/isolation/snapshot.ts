/** The files of a private work tree as they were laid out: copied from the workspace, remembered by bytes and mode. */
import { createHash, type Hash } from 'node:crypto';
import { type BigIntStats, createReadStream, lstatSync, mkdirSync } from 'node:fs';
import { copyFile, lstat, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { because, ReasonError } from '../../types/reason.js';
import { ToolFault } from '../../types/tool.js';
import type { RepositoryFacts } from './repository-facts.js';

/** One file at the beginning. */
export interface Laid {
  readonly kind: 'file' | 'link';
  /** Git's name of the bytes (or of where a link leads). */
  readonly id: string;
  readonly executable: boolean;
  /** Time, size and number on the disk: while they are the same, so are the bytes. */
  readonly stamp: string;
  /** A copy of the bytes, where the commit does not hold them; absent for large files too. */
  readonly copy?: string;
}

export interface Snapshot {
  readonly files: ReadonlyMap<string, Laid>;
  /** Tracked files that were left out on purpose. */
  readonly leftOut: readonly string[];
}

const AT_ONCE = 16;
/** Larger files are copied without being held in memory, and no copy for joining is kept. */
const IN_MEMORY = 16 * 1024 * 1024;
const MOST_NEW_BYTES = 1024 * 1024 * 1024;

interface Places {
  /** Where the files come from and go to; where copies of their bytes are kept. */
  readonly from: string;
  readonly tree: string;
  readonly copies: string;
}

/** Lays the work tree out. Private files are not taken. Throws ReasonError, ToolFault `Aborted`, or errors of the disk. */
export async function layOut(
  facts: RepositoryFacts,
  places: Places,
  isPrivate: (path: string) => boolean,
  signal: AbortSignal,
): Promise<Snapshot> {
  const files = new Map<string, Laid>();
  const leftOut: string[] = [];
  const wanted: string[] = [];
  for (const { path, mode, sparse } of facts.tracked) {
    if (mode === '160000') mkdirSync(join(places.tree, path), { recursive: true });
    else if (isPrivate(path) || (sparse && !lstatSync(join(places.from, path), { throwIfNoEntry: false }))) leftOut.push(path);
    else wanted.push(path);
  }
  const fresh = facts.others.filter((path) => !isPrivate(path));
  const isFolder = realFolders(places.from);
  let next = 0;
  let newBytes = 0;
  const all = [...wanted, ...fresh];
  const work = async (): Promise<void> => {
    for (;;) {
      const number = next++;
      const path = all[number];
      if (path === undefined) return;
      if (signal.aborted) throw new ToolFault('Aborted', 'the copy of the workspace was stopped');
      if (!isFolder(dirname(path))) continue;
      const from = join(places.from, path);
      const stat = lstatSync(from, { throwIfNoEntry: false });
      if (!stat || (!stat.isFile() && !stat.isSymbolicLink())) continue;
      if (number >= wanted.length) newBytes += stat.size;
      if (newBytes > MOST_NEW_BYTES) throw new ReasonError(because`too much in the workspace is not committed to copy it`);
      const to = join(places.tree, path);
      mkdirSync(dirname(to), { recursive: true });
      const copy = join(places.copies, String(number));
      files.set(path, await layOne({ from, to, copy, size: stat.size, link: stat.isSymbolicLink() }, facts, path));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { files, leftOut };
}

async function layOne(
  at: { readonly from: string; readonly to: string; readonly copy: string; readonly size: number; readonly link: boolean },
  facts: RepositoryFacts,
  path: string,
): Promise<Laid> {
  const length = facts.head.length;
  const known = facts.committed.get(path)?.id;
  if (at.link) {
    const target = await readlink(at.from, { encoding: 'buffer' });
    await symlink(target, at.to);
    const stat = await lstat(at.to, { bigint: true });
    return { kind: 'link', id: blobId(target, length), executable: false, stamp: stampOf(stat) };
  }
  const { mode } = await lstat(at.from);
  const executable = (mode & 0o100) !== 0;
  const permissions = executable ? 0o755 : 0o644;
  let id: string;
  let kept = false;
  if (at.size > IN_MEMORY) {
    await copyFile(at.from, at.to);
    id = await blobIdOf(at.to, length);
  } else {
    const bytes = await readFile(at.from);
    await writeFile(at.to, bytes, { mode: permissions, flag: 'wx' });
    id = blobId(bytes, length);
    if (id !== known) {
      await writeFile(at.copy, bytes, { mode: 0o600, flag: 'wx' });
      kept = true;
    }
  }
  const stat = await lstat(at.to, { bigint: true });
  return { kind: 'file', id, executable, stamp: stampOf(stat), ...(kept ? { copy: at.copy } : {}) };
}

/** Answers whether a folder below `top` is one all the way, not reached through a link. */
export function realFolders(top: string): (folder: string) => boolean {
  const known = new Map<string, boolean>([['.', true]]);
  const isReal = (folder: string): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const real = isReal(dirname(folder)) && lstatSync(join(top, folder), { throwIfNoEntry: false })?.isDirectory() === true;
    known.set(folder, real);
    return real;
  };
  return isReal;
}

/** Changes with every write, also one that sets the time back. */
export function stampOf(stat: BigIntStats): string {
  return `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino} ${stat.mode}`;
}

/** Git's name of these bytes; `length` 64 for repositories with SHA-256. */
export function blobId(bytes: Uint8Array, length: number): string {
  return begun(bytes.length, length).update(bytes).digest('hex');
}

/** The same for a file that is not read at once. Throws errors of the disk. */
export async function blobIdOf(file: string, length: number): Promise<string> {
  const hash = begun((await lstat(file)).size, length);
  for await (const part of createReadStream(file)) hash.update(part as Buffer);
  return hash.digest('hex');
}

function begun(size: number, length: number): Hash {
  return createHash(length === 64 ? 'sha256' : 'sha1').update(`blob ${size}\0`);
}
