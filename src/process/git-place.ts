/** Makes sure that a repository is what it seems: its `.git` belongs to its folder, and nothing points elsewhere. */
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ToolFault } from '../types/tool.js';

const LONGEST_POINTER = 64 * 1024;

function realOrGiven(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function readSmall(path: string): string {
  try {
    return lstatSync(path).size > LONGEST_POINTER ? '' : readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** True when `inner` is `outer` or lies below it. */
export function isWithin(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return path === '' || (!isAbsolute(path) && path !== '..' && !path.startsWith('../'));
}

/** Where the `.git` entry of a work tree leads: the folder itself, or what the file in its place names. */
function leadsTo(top: string): string {
  const entry = join(top, '.git');
  const pointer = /^gitdir: (.+)$/m.exec(isFile(entry) ? readSmall(entry) : '');
  return realOrGiven(pointer?.[1] === undefined ? entry : resolve(top, pointer[1].trim()));
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** A repository folder elsewhere names its work tree: `gitdir` of a linked work tree, `core.worktree` of a submodule. */
function pointsBack(gitFolder: string, top: string): boolean {
  const linked = readSmall(join(gitFolder, 'gitdir')).trim();
  if (linked !== '' && realOrGiven(dirname(resolve(gitFolder, linked))) === top) return true;
  const configured = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(readSmall(join(gitFolder, 'config')))?.[1];
  return configured !== undefined && realOrGiven(resolve(gitFolder, configured)) === top;
}

/**
 * Throws ToolFault `OutsideWorkspace` unless `folder` lies in the work tree `top`, `.git` there leads to `gitFolder`, a
 * `gitFolder` elsewhere points back, and `common` is its own or that of the repository it is a linked work tree of.
 * Otherwise a crafted `.git` would let a read-only command show files or history of other places.
 */
export function checkPlace(place: {
  readonly folder: string;
  readonly top: string;
  readonly gitFolder: string;
  readonly common: string;
}): void {
  const refuse = (why: string) => {
    throw new ToolFault('OutsideWorkspace', `the repository at ${place.top} is refused: ${why}`);
  };
  const top = realOrGiven(place.top);
  const gitFolder = realOrGiven(place.gitFolder);
  const common = realOrGiven(place.common);
  if (!isWithin(top, realOrGiven(place.folder))) refuse(`its work tree does not hold ${place.folder}`);
  if (leadsTo(top) !== gitFolder) refuse(`its .git does not lead to ${place.gitFolder}`);
  if (!isWithin(top, gitFolder) && !pointsBack(gitFolder, top))
    refuse(`its .git leads to ${place.gitFolder}, which belongs to another folder`);
  const isLinked = basename(dirname(gitFolder)) === 'worktrees' && dirname(dirname(gitFolder)) === common;
  if (common !== gitFolder && !isLinked) refuse(`it takes its history from ${place.common}`);
}
