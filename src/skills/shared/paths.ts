/** Paths of a project as text; nothing here looks at a disk. */
import { posix } from 'node:path';
import { pathWord } from '../../base/shell-words.js';

/** `a/./b/` -> `a/b`; nothing -> `.`. */
export function tidyPath(path: string): string {
  const tidy = posix.normalize(path.replaceAll('\\', '/'));
  return tidy.length > 1 && tidy.endsWith('/') ? tidy.slice(0, -1) : tidy;
}

/** A name inside a folder. */
export const within = (dir: string, name: string): string => (dir === '.' ? tidyPath(name) : posix.join(dir, name));

/** The folders above one: up to the workspace for a relative path, up to the root for an absolute one. Nearest first. */
export function foldersAbove(dir: string): string[] {
  const above: string[] = [];
  for (let path = tidyPath(dir); path !== '.' && path !== '/' && !path.startsWith('..'); ) {
    path = posix.dirname(path);
    above.push(path);
  }
  return above;
}

/** How a program that runs in `dir` names a file of the workspace; never an option. */
export function fromFolder(dir: string, file: string): string {
  if (posix.isAbsolute(file) || posix.isAbsolute(dir)) {
    const inside = posix.isAbsolute(file) && posix.isAbsolute(dir) ? posix.relative(dir, file) : file;
    return pathWord(inside === '' ? '.' : inside);
  }
  return pathWord(posix.relative(dir, tidyPath(file)) || '.');
}

/** A path a program printed in its folder, as the workspace names it. */
export function shownFrom(dir: string, file: string): string {
  return posix.isAbsolute(file) ? file : within(dir, file);
}
