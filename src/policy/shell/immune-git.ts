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

/** `git checkout -- a`, `git checkout .`, `git checkout main a`: paths, not a branch. */
function takesFiles(args: readonly ShellWord[], texts: readonly string[], branches: boolean): boolean {
  const dashes = args.findIndex((word) => only(word) === '--');
  if (dashes >= 0) return dashes < args.length - 1;
  if (branches) return false;
  return texts.length > 1 || texts.some((text) => /^[.:*]|\/$|\.([a-z]{2,5}|[chm])$/i.test(text));
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
      if (has('-f --force --discard-changes')) return { does: because`with force throws away changes` };
      return sub === 'checkout' && takesFiles(args, texts, has('-b -B -t --track --orphan --detach'))
        ? { does: because`with files throws away their changes` }
        : undefined;
    case 'restore':
      return has('-S --staged') && !has('-W --worktree') ? undefined : { does: because`throws away changes` };
    case 'checkout-index':
      return has('-f --force') ? { does: because`with force throws away changes` } : undefined;
    case 'read-tree':
      return has('--reset -u') ? { does: because`throws away changes` } : undefined;
    case 'rm':
      return has('-f --force') && !has('--cached') ? { words: '-f', does: because`throws away changes` } : undefined;
    case 'branch':
      return has('-D') || (has('-d --delete') && has('-f --force'))
        ? { words: '-D', does: because`deletes a branch although its commits may be nowhere else` }
        : undefined;
    case 'update-ref':
      return has('-d --stdin')
        ? { words: '-d', does: because`deletes a branch although its commits may be nowhere else` }
        : undefined;
    case 'worktree':
      return verb === 'remove' && has('-f --force')
        ? { words: 'remove --force', does: because`deletes a working tree with its changes` }
        : undefined;
    case 'submodule':
      return verb === 'deinit' && has('-f --force') ? { words: 'deinit -f', does: because`throws away changes` } : undefined;
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
