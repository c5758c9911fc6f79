/** What `.gitignore`, `.ignore` and `.chatignore` files say about the entries of a folder, nested ones included. */
import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { compileGlob, type Glob } from '../base/path-glob.js';
import { within } from './zones.js';

/** The rules that hold in one folder. */
export interface FolderRules {
  readonly dir: string;
  /** Is this entry of the folder left out? */
  ignores(name: string, isFolder: boolean): boolean;
  /** The same, looking at `.chatignore` only. */
  hides(name: string, isFolder: boolean): boolean;
  /** The rules in a folder below. */
  child(name: string): FolderRules;
}

export interface StartRules extends FolderRules {
  /** The folder is itself left out: rules from above it do not hold. */
  readonly alone: boolean;
}

interface Pattern {
  readonly glob: Glob;
  readonly keeps: boolean;
  readonly folderOnly: boolean;
  /** Tried against the path from the file's folder instead of the bare name. */
  readonly anchored: boolean;
}

type Kind = 'chat' | 'ignore' | 'git';
const FILES: Readonly<Record<Kind, readonly string[]>> = {
  chat: ['.chatignore'],
  ignore: ['.ignore', '.rgignore'],
  git: ['.gitignore'],
};
const KINDS: readonly Kind[] = ['chat', 'ignore', 'git'];
const LARGEST = 1024 * 1024;

interface Node {
  readonly dir: string;
  readonly parent: Node | undefined;
  readonly sets: Readonly<Partial<Record<Kind, readonly Pattern[]>>>;
  /** Repositories end the reach of git patterns; true when the walk began in one, as for ripgrep. */
  readonly bounded: boolean;
  /** A repository begins here. */
  readonly repository: boolean;
  /** `.git/info/exclude` of the repository that begins here. */
  readonly exclude: readonly Pattern[];
}

/**
 * The rules that hold in `dir`, with those of all folders above it up to its repository, or else up to `root`.
 * A folder that is itself left out is looked at as if it stood alone: who names it wants to see it.
 */
export function rulesFor(dir: string, root: string): StartRules {
  const repository = repositoryOf(dir);
  const top = repository ?? (within(dir, root) ? root : dir);
  const names = relative(top, dir)
    .split(sep)
    .filter((name) => name !== '');
  const bounded = repository !== undefined;
  let node = nodeFor(top, undefined, bounded);
  for (const name of names) {
    if (left(node, name, true)) return { ...rulesOf(nodeFor(dir, undefined, bounded)), alone: true };
    node = nodeFor(join(node.dir, name), node, bounded);
  }
  return { ...rulesOf(node), alone: false };
}

/** Is there an ignore file in a folder above this one? */
export function ignoredFromAbove(dir: string): boolean {
  for (let at = dirname(dir); ; at = dirname(at)) {
    if (KINDS.some((kind) => FILES[kind].some((name) => exists(join(at, name))))) return true;
    if (dirname(at) === at) return false;
  }
}

/** The folder of the repository around `dir`, or undefined. */
export function repositoryOf(dir: string): string | undefined {
  for (let at = dir; ; at = dirname(at)) {
    if (exists(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function rulesOf(node: Node): FolderRules {
  return {
    dir: node.dir,
    ignores: (name, isFolder) => left(node, name, isFolder),
    hides: (name, isFolder) => verdict(node, 'chat', name, isFolder) === 'ignored',
    child: (name) => rulesOf(nodeFor(join(node.dir, name), node, node.bounded)),
  };
}

function nodeFor(dir: string, parent: Node | undefined, bounded: boolean): Node {
  const sets: Partial<Record<Kind, readonly Pattern[]>> = {};
  for (const kind of KINDS) {
    const patterns = FILES[kind].flatMap((name) => patternsIn(join(dir, name)));
    if (patterns.length > 0) sets[kind] = patterns;
  }
  const repository = exists(join(dir, '.git'));
  return { dir, parent, sets, bounded, repository, exclude: repository ? patternsIn(join(dir, '.git', 'info', 'exclude')) : [] };
}

/** `.chatignore` can only leave out more; of the others `.ignore` overrules `.gitignore`, and the inner file the outer. */
function left(node: Node, name: string, isFolder: boolean): boolean {
  if (verdict(node, 'chat', name, isFolder) === 'ignored') return true;
  const byIgnore = verdict(node, 'ignore', name, isFolder);
  if (byIgnore) return byIgnore === 'ignored';
  return verdict(node, 'git', name, isFolder) === 'ignored';
}

function verdict(node: Node, kind: Kind, name: string, isFolder: boolean): 'ignored' | 'kept' | undefined {
  let path = name;
  for (let at: Node | undefined = node; at; at = at.parent) {
    const found =
      lastMatch(at.sets[kind] ?? [], path, name, isFolder) ??
      (kind === 'git' && at.repository ? lastMatch(at.exclude, path, name, isFolder) : undefined);
    if (found) return found;
    if (kind === 'git' && at.repository && at.bounded) return undefined;
    path = `${at.dir.slice(dirname(at.dir).length).replace(/^[\\/]+/, '')}/${path}`;
  }
  return undefined;
}

function lastMatch(patterns: readonly Pattern[], path: string, name: string, isFolder: boolean): 'ignored' | 'kept' | undefined {
  for (let i = patterns.length - 1; i >= 0; i--) {
    const pattern = patterns[i];
    if (!pattern || (pattern.folderOnly && !isFolder)) continue;
    if (pattern.glob.test(pattern.anchored ? path : name)) return pattern.keeps ? 'kept' : 'ignored';
  }
  return undefined;
}

function patternsIn(file: string): Pattern[] {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > LARGEST) return [];
    return readFileSync(file, 'utf8')
      .replace(/^\ufeff/, '')
      .split('\n')
      .flatMap(patternOf);
  } catch {
    return [];
  }
}

/** One line of such a file; comments and blank lines give nothing. */
export function patternOf(text: string): Pattern[] {
  let line = withoutTrailingSpace(text.replace(/\r$/, ''));
  if (line === '' || line.startsWith('#')) return [];
  const keeps = line.startsWith('!');
  if (keeps) line = line.slice(1);
  const folderOnly = line.endsWith('/') && !line.endsWith('\\/');
  if (folderOnly) line = line.slice(0, -1);
  const anchored = line.includes('/');
  if (line.startsWith('/')) line = line.slice(1);
  return line === '' ? [] : [{ glob: compileGlob(line), keeps, folderOnly, anchored }];
}

/** Spaces at the end do not count unless a backslash stands before. */
function withoutTrailingSpace(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--;
  return line.slice(0, end);
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
