/** Says where a real path lies: inside, outside, or on one of the guarded lists. */
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import {
  foldPath,
  isGitName,
  isOwnProjectPath,
  isPersonalPath,
  isSystemPath,
  isWithin,
  PERSONAL_HOME_PATHS,
  personalPaths,
  SYSTEM_PATHS,
} from '../base/sensitive-paths.js';
import type { Zone } from '../types/workspace.js';
import { resolveReal } from './resolve-path.js';

export interface ZoneOptions {
  /** Real paths. */
  readonly roots: readonly string[];
  readonly home: string;
  readonly state: string;
  /** Folders that may be read without a question: scratch, packages of loaded skills. */
  readonly readable: readonly string[];
  /** More of them, which may become more while the workspace is open. Real paths. */
  also?(): readonly string[];
}

/**
 * `lexical` is the absolute path before links were followed: a guarded name counts on either side of a link. `look` says which
 * folders are repositories without a working tree; by default each is looked at on the disk.
 */
export type ZoneOf = (real: string, lexical?: string, look?: BareLook) => Zone;

/** Is a folder a repository without a working tree? */
export type BareLook = (folder: string) => boolean;

/** Looks at each folder once: for one pass over many files that only reads. */
export function lookOnce(): BareLook {
  const known = new Map<string, boolean>();
  return (folder) => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const now = isBare(folder);
    known.set(folder, now);
    return now;
  };
}

export function createZones(options: ZoneOptions): ZoneOf {
  const { roots } = options;
  const system = [...new Set(SYSTEM_PATHS.flatMap(realSpelling))];
  const personal = personalOf(options.home);
  const states = [...new Set([resolve(options.state), realOf(options.state)])];
  const readable = options.readable.map(realOf);
  const gitFolders = roots.flatMap(gitFolderOf).filter((folder) => !roots.some((root) => within(root, folder)));

  const rootOf = (path: string) => roots.find((root) => within(path, root));
  const isOwn = (path: string): boolean => {
    const root = rootOf(path);
    const state = states.find((folder) => within(path, folder));
    if (state !== undefined && !(root !== undefined && root !== state && within(root, state))) return true;
    return root !== undefined && isOwnProjectPath(relative(root, path).split(sep).join('/'));
  };
  const isGit = (path: string, look: BareLook): boolean => {
    const root = rootOf(path);
    if (root === undefined) return false;
    if (gitFolders.some((folder) => within(path, folder))) return true;
    const parts = relative(root, path).split(sep);
    return parts.some((part) => isGitName(part)) || inBareRepository(root, parts, look);
  };

  return (real, lexical, look = isBare) => {
    const paths = lexical === undefined || lexical === real ? [real] : [real, lexical];
    if (paths.some((path) => isSystemPath(path, system))) return 'system';
    if (paths.some((path) => isPersonalPath(path, personal))) return 'personal';
    if (readable.some((folder) => within(real, folder))) return 'scratch';
    if (options.also?.().some((folder) => within(real, folder))) return 'scratch';
    if (paths.some(isOwn)) return 'own';
    if (rootOf(real) === undefined) return 'outside';
    return paths.some((path) => isGit(path, look)) ? 'git' : 'inside';
  };
}

/** Is `path` the folder or below it, in the spelling of this platform? */
export function within(path: string, folder: string): boolean {
  if (process.platform === 'win32') return isWithin(foldPath(path), foldPath(folder));
  return isWithin(path, folder);
}

/** What git reads in a repository without a working tree. */
const BARE_NAMES = new Set(['head', 'config', 'hooks', 'objects', 'refs', 'packed-refs', 'info', 'modules', 'worktrees', 'logs']);

/** Below a folder that is a repository without a working tree? Of the workspace itself only what git reads counts. */
function inBareRepository(root: string, parts: readonly string[], look: BareLook): boolean {
  if (BARE_NAMES.has((parts[0] ?? '').toLowerCase()) && look(root)) return true;
  let folder = root;
  for (const part of parts.filter((name) => name !== '')) {
    folder = join(folder, part);
    if (look(folder)) return true;
  }
  return false;
}

function isBare(folder: string): boolean {
  try {
    const at = (name: string) => lstatSync(join(folder, name), { throwIfNoEntry: false });
    return at('HEAD')?.isFile() === true && at('objects')?.isDirectory() === true && at('refs')?.isDirectory() === true;
  } catch {
    return false;
  }
}

function realOf(path: string): string {
  return resolveReal(path).real;
}

/** The personal list of a home folder, with the spelling after symbolic links for what exists. */
function personalOf(home: string): string[] {
  const real = realOf(home);
  const list = new Set([...personalPaths(home), ...personalPaths(real)]);
  for (const entry of PERSONAL_HOME_PATHS) {
    try {
      const path = join(real, entry);
      if (lstatSync(path, { throwIfNoEntry: false })) list.add(foldPath(realOf(path)));
    } catch {
      // Not reachable, so nothing to guard behind it.
    }
  }
  return [...list];
}

/** The list entry after symbolic links, where that is another path. */
function realSpelling(entry: string): string[] {
  const folder = entry.endsWith('/');
  if (!isAbsolute(entry) || entry.startsWith('//')) return [];
  try {
    const real = foldPath(realpathSync.native(folder ? entry.slice(0, -1) : entry));
    const spelled = folder ? `${real}/` : real;
    return spelled === entry || real === '/' ? [] : [spelled];
  } catch {
    return [];
  }
}

/** Where the repository of a folder really keeps its data, when `.git` is a link or a pointer file. */
function gitFolderOf(root: string): string[] {
  const git = join(root, '.git');
  try {
    const stat = lstatSync(git);
    if (stat.isSymbolicLink()) return [realOf(git)];
    if (!stat.isFile() || stat.size > 4096) return [];
    const target = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(git, 'utf8'))?.[1];
    return target === undefined ? [] : [realOf(resolve(root, target))];
  } catch {
    return [];
  }
}
