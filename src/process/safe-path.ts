/** The list of folders programs are looked for in, so that a folder worked in does not decide what a command's name means. */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin } from '../base/sensitive-paths.js';

export interface SafePathOptions {
  /** Folders worked in. */
  readonly roots: readonly string[];
  readonly trusted: boolean;
  /** Says by `VIRTUAL_ENV` and `CONDA_PREFIX` which Python environment the user switched on. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * `path` without relative and empty entries. Entries inside `roots` are left out, or with `trusted` come last, so that they
 * add programs and replace none; the Python environment the user switched on keeps its place.
 */
export function safePath(path: string, { roots, trusted, env }: SafePathOptions): string {
  const own: string[] = [];
  const inside: string[] = [];
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    if (isInside(folder, roots) && !isSwitchedOn(folder, env)) inside.push(folder);
    else own.push(folder);
  }
  return [...own, ...(trusted ? inside : [])].join(delimiter);
}

/** A repository may bring a folder that looks like an environment; only the user's own variable makes it one. */
function isSwitchedOn(folder: string, env: SafePathOptions['env']): boolean {
  const named = [env['VIRTUAL_ENV'], env['CONDA_PREFIX']].filter((one) => one !== undefined && isAbsolute(one));
  return named.some((one) => one !== undefined && resolve(folder) === join(resolve(one), 'bin'));
}

/** `bin` of a virtual environment. */
export function isPythonFolder(folder: string): boolean {
  return existsSync(join(dirname(folder), 'pyvenv.cfg'));
}

/** Also where it was put into the list under another name. */
function isInside(folder: string, roots: readonly string[]): boolean {
  if (roots.some((root) => isWithin(folder, root))) return true;
  try {
    const real = realpathSync(folder);
    return roots.some((root) => isWithin(real, root));
  } catch {
    return false;
  }
}
