/** What of a repository a sandboxed command may write: its data, but not what makes git run programs. */
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseGitConfig } from '../../base/git-config.js';
import { includedFiles, textOf } from './git-programs.js';
import { type GitSteps, stepsOf } from './git-steps.js';
import { isBelow, look, stablePath } from './stable-path.js';
import type { PlaceRule } from './types.js';

export interface GitPlaces {
  readonly rules: PlaceRule[];
  /** Files git would be redirected by, if they came into being: they never belong there. */
  readonly watched: string[];
  /** Files git would take settings from, if they came into being: what is in them decides. */
  readonly awaited: string[];
  /** Entries of which a part cannot be kept: what they run is compared afterwards. */
  readonly loose: string[];
  /** Lists of steps that the user may go on with. */
  readonly steps: GitSteps[];
  /** Data folders of the submodules that are kept. */
  readonly modules: string[];
  readonly notes: string[];
}

function noPlaces(): GitPlaces {
  return { rules: [], watched: [], awaited: [], loose: [], steps: [], modules: [], notes: [] };
}

export interface GitOptions {
  readonly roots: readonly string[];
  readonly home: string;
  writable(place: string): boolean;
  /** No writing at all: only what is writable by other rules has to be kept. */
  readonly readOnly: boolean;
}

type Surroundings = Pick<GitOptions, 'home' | 'writable'>;

const MOST_PARTS = 60;
const DEEPEST_INCLUDE = 3;

/** Rules for one entry named `.git` in a workspace. */
export function repositoryPlaces(entry: string, options: GitOptions): GitPlaces {
  const places = noPlaces();
  const stat = look(entry);
  if (stat?.isSymbolicLink()) {
    places.loose.push(entry);
    places.notes.push(`${entry} is a symbolic link: a command can put another repository in its place`);
    const target = stablePath(entry, () => false);
    if (target !== undefined && options.roots.some((root) => isBelow(target, root))) keepPrograms(target, places, options);
  } else if (stat?.isDirectory()) {
    if (!options.readOnly) places.rules.push({ kind: 'write', path: entry, pinned: true });
    keepPrograms(entry, places, options);
    if (hasLinks(entry)) places.loose.push(entry);
  } else if (stat?.isFile()) {
    places.rules.push({ kind: 'read', path: entry, pinned: true });
    if (!linkedPlaces(entry, options, places)) places.loose.push(entry);
  }
  return places;
}

/** The repository a workspace lies in, when it is not the top of it: its data may be written as well. A home folder's is not meant. */
export function enclosingPlaces(root: string, options: GitOptions): GitPlaces {
  const places = noPlaces();
  for (let folder = dirname(root); folder !== '/' && folder !== options.home; folder = dirname(folder)) {
    const entry = join(folder, '.git');
    const stat = look(entry);
    if (stat?.isDirectory() && isGitFolder(entry)) {
      if (!options.readOnly) places.rules.push({ kind: 'write', path: entry });
      keepPrograms(entry, places, options);
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
export function barePlaces(root: string, options: Surroundings): GitPlaces {
  const places = noPlaces();
  if (isGitFolder(root)) keepPrograms(root, places, options);
  return places;
}

/** Some of what has to be kept is a link: it can be led elsewhere. */
function hasLinks(folder: string): boolean {
  return ['config', 'config.worktree', 'hooks', 'commondir'].some((name) => look(join(folder, name))?.isSymbolicLink() === true);
}

function isGitFolder(folder: string): boolean {
  return (
    look(join(folder, 'HEAD'))?.isFile() === true &&
    look(join(folder, 'objects'))?.isDirectory() === true &&
    look(join(folder, 'refs'))?.isDirectory() === true
  );
}

/**
 * The folder a pointer file names, when that folder names the pointer file in turn; anybody can write a pointer to anywhere.
 * False: what is there is not kept.
 */
function linkedPlaces(entry: string, options: GitOptions, places: GitPlaces): boolean {
  const named = /^gitdir: (.+?)\s*$/m.exec(textOf(entry) ?? '')?.[1];
  const folder = named === undefined ? undefined : stablePath(resolve(dirname(entry), named), options.writable);
  if (folder === undefined) return false;
  // Inside the workspace it is part of a repository that is kept, or it is not and is compared.
  if (options.roots.some((root) => isBelow(folder, root))) return false;
  if (!pointsBack(folder, entry)) {
    places.notes.push(`${entry} leads to ${folder}, which belongs to another folder: it stays as it is`);
    return !options.writable(folder);
  }
  const parent = dirname(folder);
  const common = basename(parent) === 'worktrees' ? dirname(parent) : folder;
  if (!isGitFolder(common)) return false;
  if (!options.readOnly) places.rules.push({ kind: 'write', path: common });
  keepPrograms(common, places, options);
  if (common === folder) return true;
  // The main working tree's own state is not the linked one's to change.
  for (const name of ['HEAD', 'index']) keep(join(common, name), places);
  return true;
}

function pointsBack(folder: string, entry: string): boolean {
  const back = (textOf(join(folder, 'gitdir')) ?? '').trim();
  if (back !== '') return stablePath(resolve(folder, back), () => false) === entry;
  const entries = parseGitConfig(textOf(join(folder, 'config')) ?? '') ?? [];
  const tree = entries.findLast(({ key }) => key === 'core.worktree')?.value;
  return tree !== undefined && stablePath(resolve(folder, tree), () => false) === dirname(entry);
}

/** Hooks and settings of a repository, of its submodules and of its linked working trees stay as they are. */
function keepPrograms(folder: string, places: GitPlaces, options: Surroundings): void {
  keepHooks(folder, places);
  places.steps.push(stepsOf(folder));
  for (const name of ['config', 'config.worktree']) keepSettings(join(folder, name), places, options);
  const redirect = join(folder, 'commondir');
  if (look(redirect) === undefined) places.watched.push(redirect);
  else keep(redirect, places);
  for (const name of namesIn(join(folder, 'worktrees'))) {
    const tree = join(folder, 'worktrees', name);
    for (const part of ['commondir', 'gitdir']) keep(join(tree, part), places);
    places.steps.push(stepsOf(tree));
    keepSettings(join(tree, 'config.worktree'), places, options);
  }
  for (const module of modulesIn(folder)) {
    places.modules.push(module);
    keepPrograms(module, places, options);
  }
}

/** A file of settings and those it includes; what is not there is looked at when it came into being. */
function keepSettings(file: string, places: GitPlaces, options: Surroundings, depth = 0): void {
  // What is included may lie where only the user writes.
  if (depth > 0 && !options.writable(file)) return;
  if (look(file) === undefined) places.awaited.push(file);
  else keep(file, places);
  if (depth < DEEPEST_INCLUDE)
    for (const included of includedFiles(file, options.home).slice(0, MOST_PARTS))
      keepSettings(included, places, options, depth + 1);
}

/** Data folders of the submodules of one repository, not of theirs in turn. */
export function modulesIn(folder: string): string[] {
  const found: string[] = [];
  const visit = (place: string, depth: number): void => {
    if (depth > 4) return;
    for (const name of namesIn(place)) {
      const module = join(place, name);
      if (isGitFolder(module)) found.push(module);
      else visit(module, depth + 1);
    }
  };
  visit(join(folder, 'modules'), 0);
  return found;
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
