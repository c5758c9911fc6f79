/** Commands that only read but do what the repository around them has set up. */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { only, type ShellEnv, type Simple } from './types.js';
import { namesOf } from './web.js';

/** A folder of the workspace that was looked at. */
function isWithoutNpmrc(folder: string, env: ShellEnv): boolean {
  return env.roots.some((root) => folder.startsWith(`${root}/`)) && env.traits?.(folder).npmrc === false;
}

/** Why a command does more here than elsewhere; undefined when it does not. */
export function setByRepository(simple: Simple, env: ShellEnv): Reason | undefined {
  const names = namesOf(simple);
  if (names.includes('git')) {
    if (simple.words.length === 2 && /^(--version|-v|version)$/.test(only(simple.words[1]) ?? '')) return undefined;
    const key = env.traits?.().gitRuns;
    return key === undefined ? undefined : because`\`git\` may run a program here because of the repository's ${key}`;
  }
  if (names.includes('gh')) {
    const key = env.traits?.().gitRuns;
    return key === undefined ? undefined : because`\`git\` may run a program here because of the repository's ${key}`;
  }
  const npm = names.find((name) => name === 'npm' || name === 'npx');
  if (npm === undefined) return undefined;
  // Whatever the subcommand: the file also says where npm writes its logs and which of them it deletes.
  const what = code([npm, only(simple.words[1]) ?? ''].join(' ').trim());
  if (env.traits?.().npmrc === true)
    return because`${what} follows the repository's .npmrc, which may send or show values of the environment`;
  return simple.cwd?.every((folder) => env.roots.includes(folder) || isWithoutNpmrc(folder, env))
    ? undefined
    : because`${what} in another folder may follow a .npmrc there`;
}
