/** Globs as models write them -> globs over paths relative to the workspace. */
import { expandBraces, splitGlobList } from '../../base/path-glob.js';
import { ToolFault } from '../../types/tool.js';

export interface GlobList {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * Comma lists and braces; `.go` means `*.go`, a trailing slash everything below, `!` leaves out. A glob with a slash
 * matches at any depth unless it begins with one. Throws ToolFault for a NUL.
 */
export function globList(given: readonly string[], root: string): GlobList {
  const include: string[] = [];
  const exclude: string[] = [];
  for (const entry of given.flatMap(splitGlobList)) {
    if (entry.includes('\0')) throw new ToolFault('InvalidArgs', 'a glob holds a NUL character, which no file name has');
    const negated = entry.startsWith('!');
    const list = negated ? exclude : include;
    for (const glob of expandBraces(negated ? entry.slice(1) : entry)) {
      const plain = plainGlob(glob, root);
      if (plain !== '') list.push(plain);
    }
  }
  return { include, exclude };
}

function plainGlob(given: string, root: string): string {
  let glob = process.platform === 'win32' ? given.replaceAll('\\', '/') : given;
  const base = process.platform === 'win32' ? root.replaceAll('\\', '/') : root;
  if (glob.startsWith(`${base}/`)) glob = glob.slice(base.length);
  glob = glob.replace(/^(\.\/)+/, '');
  if (/^\.\w+$/.test(glob)) return `*${glob}`;
  if (glob.endsWith('/')) glob = `${glob}**`;
  const inner = glob.slice(0, -1).includes('/');
  return inner && !glob.startsWith('/') && !glob.startsWith('**/') ? `**/${glob}` : glob;
}

/** Does a path relative to the workspace match such a glob? Without a slash the name alone is compared. */
export function subjectFor(glob: string): 'name' | 'path' {
  return glob.includes('/') ? 'path' : 'name';
}
