/** git commands that throw work away or overwrite what others have: they always ask. */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { isAmong, optionSet, scanOptions } from './options.js';
import { splitGit } from './readers/git.js';
import { only, possible, type ShellWord } from './types.js';

/** Why a git command always asks; undefined when it does not. */
export function gitImmune(args: readonly ShellWord[]): Reason | undefined {
  const { sub, args: rest, global } = splitGit(args);
  // The subcommand may be hidden behind a word that is only known when it runs.
  const names = sub !== undefined ? [sub] : global.operands.slice(0, 1).flatMap((word) => possible(word));
  for (const name of names) {
    const found = bySub(name, rest);
    if (found) return because`${code(`git ${name} ${found.words ?? ''}`)} ${found.does}`;
  }
  return undefined;
}

/** `words` belong to the command; `does` is what is said of it. */
interface Found {
  readonly words?: string;
  readonly does: Reason;
}

function bySub(sub: string, args: readonly ShellWord[]): Found | undefined {
  const scan = scanOptions(args);
  const has = (names: string) => scan.options.some((option) => isAmong(option.name, optionSet(names)));
  const texts = scan.operands.flatMap((word) => possible(word));
  const verb = only(scan.operands[0]);
  switch (sub) {
    case 'push':
      if (has('-f --force --force-with-lease --mirror --prune')) return { does: because`with force overwrites what others have` };
      if (has('-d --delete')) return { does: because`deletes a branch or tag for others` };
      if (texts.some((text) => text.startsWith('+') || /^:[^/]/.test(text)))
        return { does: because`with + or : in front of a name overwrites or deletes it for others` };
      return undefined;
    case 'reset':
      return has('--hard') ? { words: '--hard', does: because`throws away changes` } : undefined;
    case 'clean':
      return has('-f --force') ? { words: '-f', does: because`deletes files git does not know` } : undefined;
    case 'checkout':
    case 'switch':
      return has('-f --force --discard-changes') ? { does: because`with force throws away changes` } : undefined;
    case 'stash':
      return verb === 'drop' || verb === 'clear' ? { words: verb, does: because`throws away stashed changes` } : undefined;
    case 'reflog':
      return verb === 'expire' || verb === 'delete'
        ? { words: verb, does: because`removes the last trace of lost commits` }
        : undefined;
    case 'gc':
      return has('--prune') ? { words: '--prune', does: because`removes the last trace of lost commits` } : undefined;
    case 'filter-branch':
    case 'filter-repo':
      return { does: because`rewrites the whole history` };
    default:
      return undefined;
  }
}
