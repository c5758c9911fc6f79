/** What of a repository a sandboxed command may write: its data, but not what makes git run programs. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isBelow, look, stablePath } from './stable-path.js';
import type { PlaceRule } from './types.js';

export interface GitPlaces {
  readonly rules: PlaceRule[];
  readonly watched: string[];
  readonly notes: string[];
}

export interface GitOptions {
  readonly roots: readonly string[];
  readonly home: string;
  writable(place: string): boolean;
  /** No writing at all: only what is writable by other rules has to be kept. */
  readonly readOnly: boolean;
}

const LONGEST_TEXT = 64 * 1024;
const MOST_PARTS = 60;

/** Rules for one entry named `.git` in a workspace. */
export function repositoryPlaces(entry: string, options: GitOptions): GitPlaces {
  const places: GitPlaces = { rules: [], watched: [], notes: [] };
  const stat = look(entry);
  if (stat?.isSymbolicLink()) {
    places.notes.push(`${entry} is a symbolic link: a command can put another repository in its place`);
    const target = stablePath(entry, () => false);
    if (target !== undefined && options.roots.some((root) => isBelow(target, root))) keepPrograms(target, places);
  } else if (stat?.isDirectory()) {
    if (!options.readOnly) places.rules.push({ kind: 'write', path: entry, pinned: true });
    keepPrograms(entry, places);
  } else if (stat?.isFile()) {
    places.rules.push({ kind: 'read', path: entry, pinned: true });
    linkedPlaces(entry, options, places);
  }
  return places;
}

/** The repository a workspace lies in, when it is not the top of it: its data may be written as well. A home folder's is not meant. */
export function enclosingPlaces(root: string, options: GitOptions): GitPlaces {
  const places: GitPlaces = { rules: [], watched: [], notes: [] };
  for (let folder = dirname(root); folder !== '/' && folder !== options.home; folder = dirname(folder)) {
    const entry = join(folder, '.git');
    const stat = look(entry);
    if (stat?.isDirectory() && isGitFolder(entry)) {
      if (!options.readOnly) places.rules.push({ kind: 'write', path: entry });
      keepPrograms(entry, places);
      return places;
    }
    if (stat?.isFile()) {
      linkedPlaces(entry, options, places);
      return places;
    }
  }
  return places;
}

/** A workspace that is a repository without a working tree: what git runs is in its top folder. */
export function barePlaces(root: string): GitPlaces {
  const places: GitPlaces = { rules: [], watched: [], notes: [] };
  if (isGitFolder(root)) keepPrograms(root, places);
  return places;
}

function isGitFolder(folder: string): boolean {
  return (
    look(join(folder, 'HEAD'))?.isFile() === true &&
    look(join(folder, 'objects'))?.isDirectory() === true &&
    look(join(folder, 'refs'))?.isDirectory() === true
  );
}

function textOf(path: string): string {
  try {
    const stat = look(path);
    return stat?.isFile() && stat.size <= LONGEST_TEXT ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}

/** The folder a pointer file names, when that folder names the pointer file in turn; anybody can write a pointer to anywhere. */
function linkedPlaces(entry: string, options: GitOptions, places: GitPlaces): void {
  const named = /^gitdir: (.+?)\s*$/m.exec(textOf(entry))?.[1];
  const folder = named === undefined ? undefined : stablePath(resolve(dirname(entry), named), options.writable);
  if (folder === undefined || options.roots.some((root) => isBelow(folder, root))) return;
  if (!pointsBack(folder, entry)) {
    places.notes.push(`${entry} leads to ${folder}, which belongs to another folder: it stays read-only`);
    return;
  }
  const parent = dirname(folder);
  const common = basename(parent) === 'worktrees' ? dirname(parent) : folder;
  if (!isGitFolder(common)) return;
  if (!options.readOnly) places.rules.push({ kind: 'write', path: common });
  keepPrograms(common, places);
  if (common === folder) return;
  // The main working tree's own state is not the linked one's to change.
  for (const name of ['HEAD', 'index']) keep(join(common, name), places);
}

function pointsBack(folder: string, entry: string): boolean {
  const back = textOf(join(folder, 'gitdir')).trim();
  if (back !== '') return stablePath(resolve(folder, back), () => false) === entry;
  const tree = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(textOf(join(folder, 'config')))?.[1];
  return tree !== undefined && stablePath(resolve(folder, tree), () => false) === dirname(entry);
}

/** Hooks and settings of a repository, of its submodules and of its linked working trees stay as they are. */
function keepPrograms(folder: string, places: GitPlaces): void {
  keepHooks(folder, places);
  for (const name of ['config', 'config.worktree']) keep(join(folder, name), places);
  const redirect = join(folder, 'commondir');
  if (look(redirect) === undefined) places.watched.push(redirect);
  else keep(redirect, places);
  for (const name of namesIn(join(folder, 'worktrees')))
    for (const part of ['commondir', 'gitdir', 'config.worktree']) keep(join(folder, 'worktrees', name, part), places);
  keepModules(join(folder, 'modules'), places, 0);
}

function keepModules(folder: string, places: GitPlaces, depth: number): void {
  if (depth > 4) return;
  for (const name of namesIn(folder)) {
    const module = join(folder, name);
    if (isGitFolder(module)) keepPrograms(module, places);
    else keepModules(module, places, depth + 1);
  }
}

function namesIn(folder: string): string[] {
  try {
    if (look(folder)?.isDirectory() !== true) return [];
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .slice(0, MOST_PARTS)
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

function keepHooks(folder: string, places: GitPlaces): void {
  const hooks = join(folder, 'hooks');
  if (look(hooks) === undefined && isGitFolder(folder)) {
    try {
      // As `git init` does from its own template: what does not exist cannot be kept from being made.
      mkdirSync(hooks, { mode: 0o755 });
    } catch {
      places.notes.push(`${hooks} does not exist and cannot be made: a command can make it`);
    }
  }
  keep(hooks, places);
}

function keep(path: string, places: GitPlaces): void {
  const stat = look(path);
  if (stat?.isSymbolicLink()) {
    places.notes.push(`${path} is a symbolic link: a command can replace it`);
    const target = stablePath(path, () => false);
    if (target !== undefined && look(target)?.isDirectory()) places.rules.push({ kind: 'read', path: target, pinned: true });
  } else if (stat?.isDirectory() || stat?.isFile()) places.rules.push({ kind: 'read', path, pinned: true });
}
