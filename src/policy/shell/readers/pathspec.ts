/** Which private files a path pattern of git may name: git opens its own patterns, tracked or not, and `*` crosses folders there. */
import { compileGlob } from '../../../base/path-glob.js';
import { SECRET_NAMES } from '../paths.js';
import { literal, possible, type ShellWord } from '../types.js';

/** The words a pathspec stands for: its plain path, and each private name its pattern may match. */
export function namedByPathspec(word: ShellWord): ShellWord[] {
  return possible(word).flatMap((text) => {
    const path = plainPath(text);
    return path === undefined ? [] : namesIn(path);
  });
}

/** Without its magic; undefined when it only leaves something out, or is no pathspec of its own. */
function plainPath(text: string): string | undefined {
  const long = /^:\(([^)]*)\)([\s\S]*)$/.exec(text);
  if (long) return /(^|,)exclude(,|$)/.test(long[1] ?? '') ? undefined : (long[2] ?? '');
  const short = /^:([/!^]+):?([\s\S]*)$/.exec(text);
  if (short) return /[!^]/.test(short[1] ?? '') ? undefined : (short[2] ?? '');
  return /[*?[]/.test(text) ? text : undefined;
}

function namesIn(path: string): ShellWord[] {
  const at = path.search(/[*?[]/);
  if (at < 0) return path === '' ? [] : [literal(path), literal(path.toLowerCase())];
  const folder = path.slice(0, path.lastIndexOf('/', at) + 1);
  return [
    ...(folder === '' ? [] : [literal(folder)]),
    ...SECRET_NAMES.filter((name) => mayName(path, name)).map((name) => literal(name)),
  ];
}

/** May the pattern match a file of this name in some folder? Patterns that match every name choose none. */
function mayName(pattern: string, name: string): boolean {
  const last = pattern.slice(pattern.lastIndexOf('/') + 1).toLowerCase();
  if (last === '' || /^[*?]+$/.test(last)) return false;
  const tail = last.slice(Math.max(last.lastIndexOf('*'), last.lastIndexOf('?'), last.lastIndexOf(']')) + 1);
  if (tail === name) return true;
  if (tail !== '' && last.charAt(last.length - tail.length - 1) === '*' && name.endsWith(tail)) return true;
  return compileGlob(last, { ignoreCase: true }).test(name);
}
