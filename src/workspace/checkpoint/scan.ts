/** Compares a folder with what was recorded last, and says what of it is to be recorded and what is left out. */
import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { isGitName } from '../../base/sensitive-paths.js';
import { isTempName } from '../temp-name.js';
import { isBareRepository } from './place.js';
import { LARGEST_FILE } from './settings.js';
import { git, type Shadow, stopFault } from './shadow-git.js';

export interface Found {
  /** Paths to record: regular files and symbolic links, with their sizes. */
  readonly add: readonly { readonly path: Buffer; readonly size: number }[];
  /** Recorded paths that are gone, or can no longer be kept. */
  readonly drop: readonly Buffer[];
  /** What is not recorded, and why. */
  readonly left: readonly Left[];
  /** What the ignore rules leave out, when it was asked for; a folder that is left out as a whole ends in `/`. */
  readonly ignored: readonly Buffer[];
  /** The recorded state is not the newest snapshot's. */
  readonly ahead: boolean;
}

export interface Left {
  readonly path: Buffer;
  readonly why: 'large' | 'unreadable' | 'repository';
}

/** Paths looked at before others get their turn. */
const STRIDE = 2000;

const STATUS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--untracked-files=all',
  '--ignore-submodules=all',
  '--no-renames',
  '--no-ahead-behind',
];

/** One run of git; on a folder nothing changed in, that is all. `ignored`: tells also what the rules leave out. */
export async function scan(shadow: Shadow, signal: AbortSignal, { ignored = false } = {}): Promise<Found> {
  const words = ignored ? [...STATUS, '--ignored=matching'] : STATUS;
  const { entries, ignored: leftOut } = parseStatus(await git(shadow, words, { signal }));
  const kinds = createKinds(shadow.root);
  const add: { path: Buffer; size: number }[] = [];
  const drop: Buffer[] = [];
  const left: Left[] = [];
  let seen = 0;
  let ahead = false;
  for (const entry of entries) {
    if (++seen % STRIDE === 0) await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) throw stopFault(signal);
    ahead ||= entry.staged;
    if (!entry.changed) continue;
    const kind = kinds.of(entry.path);
    if (kind.is === 'record') add.push({ path: entry.path, size: kind.size });
    else if (entry.tracked) drop.push(entry.path);
    if (kind.is === 'large' || kind.is === 'unreadable') left.push({ path: entry.path, why: kind.is });
    else if (kind.is === 'repository') left.push({ path: kind.top, why: 'repository' });
  }
  return { add, drop, left: withoutRepeats(left), ignored: leftOut, ahead };
}

function withoutRepeats(left: readonly Left[]): Left[] {
  return [...new Map(left.map((entry) => [`${entry.why}/${entry.path.toString('latin1')}`, entry])).values()];
}

interface StatusEntry {
  readonly path: Buffer;
  readonly tracked: boolean;
  /** On disk it is not as recorded. */
  readonly changed: boolean;
  /** Recorded, but not in the newest snapshot. */
  readonly staged: boolean;
}

/** Reads `git status --porcelain=v2 -z`. */
export function parseStatus(output: Buffer): { readonly entries: StatusEntry[]; readonly ignored: Buffer[] } {
  const entries: StatusEntry[] = [];
  const ignored: Buffer[] = [];
  for (let at = 0; at < output.length; ) {
    const stop = output.indexOf(0, at);
    const end = stop < 0 ? output.length : stop;
    const kind = output.toString('latin1', at, at + 1);
    if (kind === '?') entries.push({ path: output.subarray(at + 2, end), tracked: false, changed: true, staged: false });
    else if (kind === '!') ignored.push(Buffer.from(output.subarray(at + 2, end)));
    else if (kind === '1' || kind === 'u') {
      let name = at;
      for (let field = kind === '1' ? 8 : 10; field > 0; field--) name = output.indexOf(32, name) + 1;
      const staged = output.toString('latin1', at + 2, at + 3) !== '.';
      const changed = output.toString('latin1', at + 3, at + 4) !== '.';
      entries.push({ path: output.subarray(name, end), tracked: true, changed, staged });
    }
    at = end + 1;
  }
  return { entries, ignored };
}

export type Kind =
  | { readonly is: 'record'; readonly size: number; readonly stat: Stats }
  | { readonly is: 'absent' | 'folder' | 'special' | 'own' | 'large' | 'unreadable' }
  | { readonly is: 'repository'; readonly top: Buffer };

/** Looks at paths of a folder; what it learns of the folders on the way is kept. */
export function createKinds(root: string) {
  const repositories = new Map<string, boolean>();
  const isRepository = (folder: string): boolean => {
    const known = repositories.get(folder);
    if (known !== undefined) return known;
    const path = absolute(root, Buffer.from(folder, 'latin1'));
    const found = lstatOf(Buffer.concat([path, Buffer.from('/.git')])) !== undefined || isBareRepository(path.toString('utf8'));
    repositories.set(folder, found);
    return found;
  };
  /** The repository of its own that a path lies in or is, without the root's; undefined when there is none. */
  const repositoryAround = (path: Buffer): Buffer | undefined => {
    for (let slash = path.indexOf(47); slash >= 0; slash = path.indexOf(47, slash + 1)) {
      const folder = path.subarray(0, slash);
      if (isRepository(folder.toString('latin1'))) return folder;
    }
    return undefined;
  };
  const of = (given: Buffer): Kind => {
    const top = repositoryAround(given);
    if (top !== undefined) return { is: 'repository', top };
    if (given.at(-1) === 47) return { is: 'repository', top: given.subarray(0, -1) };
    const names = given.toString('latin1').split('/');
    if (names.some((name) => isGitName(name)) || isTempName(names.at(-1) ?? '')) return { is: 'own' };
    const path = absolute(root, given);
    const stat = lstatOf(path);
    if (stat === undefined) return { is: 'absent' };
    if (stat.isDirectory()) return { is: 'folder' };
    if (stat.isSymbolicLink()) return { is: 'record', size: stat.size, stat };
    if (!stat.isFile()) return { is: 'special' };
    if (stat.size > LARGEST_FILE) return { is: 'large' };
    return isReadable(path) ? { is: 'record', size: stat.size, stat } : { is: 'unreadable' };
  };
  return { of, repositoryAround };
}

export type Kinds = ReturnType<typeof createKinds>;

/** The path as the system takes it: names need not be UTF-8. */
export function absolute(root: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), path]);
}

/** Are all folders on the way to a path real ones, no links? */
export function onRealFolders(root: string, path: Buffer): boolean {
  for (let slash = path.indexOf(47); slash >= 0; slash = path.indexOf(47, slash + 1))
    if (!lstatOf(absolute(root, path.subarray(0, slash)))?.isDirectory()) return false;
  return true;
}

export function lstatOf(path: Buffer | string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isReadable(path: Buffer): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
