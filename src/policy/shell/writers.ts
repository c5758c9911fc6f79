/** Which arguments well-known commands write to, and what lies there. */
import { because } from '../reasons.js';
import { scanOptions } from './options.js';
import { judgeMention, type PathFinding, strictest } from './paths.js';
import { lookFind } from './readers/find.js';
import { splitGit } from './readers/git.js';
import { SYSTEM_FOLDERS } from './redirects.js';
import { literal, only, type ShellEnv, type ShellWord, type Simple } from './types.js';
import { namesOf } from './web.js';

const ALL = /^(tee|mv|rm|touch|mkdir|rmdir|truncate|chmod|chown|chgrp|patch|ed|ex|shred|unlink|sponge|unzip|tar)$/;
const LAST = /^(cp|ln|install|rsync|ditto)$/;

/** What is said about the places a command writes to, if it is one that is known to. */
export function judgeWritten(simple: Simple, env: ShellEnv): PathFinding {
  const words = namesOf(simple).flatMap((name) => written(name, simple.words.slice(1)));
  const found = judgeMention(words, simple.cwd, env, 'all');
  const whole: { readonly reach?: 'all' } = takesWhole(simple) ? { reach: 'all' } : {};
  const paths = found.paths.flatMap((path) => {
    const here = {
      ...path,
      write: true,
      ...(typeof path.reach === 'object' ? { reach: { ...path.reach, deep: whole.reach === 'all' } } : whole),
    };
    // What is moved away can be read there.
    return namesOf(simple).includes('mv') ? [here, { ...here, write: false }] : [here];
  });
  const system = paths.find((path) => path.located.zone === 'outside' && SYSTEM_FOLDERS.test(path.located.real));
  if (!system) return { ...found, paths };
  const fault: PathFinding = {
    verdict: 'immune',
    reason: because`it changes ${system.located.shown}, in a system folder`,
    outside: true,
    paths: [],
  };
  return strictest([{ ...found, paths }, fault]);
}

/** Does it delete, move or change all below the places it names? */
function takesWhole(simple: Simple): boolean {
  const recursive = simple.words.some((word) => /^-\w*[rR]|^--recursive$/.test(only(word) ?? ''));
  return namesOf(simple).some(
    (name) => /^(mv|rsync|find|git)$/.test(name) || (/^(rm|chmod|chown|chgrp)$/.test(name) && recursive),
  );
}

/** `git checkout -- a`, `git restore a`, `git rm`, `git mv`, `git clean`: what they change in the working tree. */
function writtenByGit(args: readonly ShellWord[]): readonly ShellWord[] {
  const { sub, args: rest } = splitGit(args);
  const { operands } = scanOptions(rest, { valued: new Set(['-s', '--source', '-e', '--exclude']) });
  if (sub === 'clean') return operands.length > 0 ? operands : [literal('.')];
  return /^(checkout|restore|rm|mv)$/.test(sub ?? '') ? operands : [];
}

function written(name: string, args: readonly ShellWord[]): readonly ShellWord[] {
  if (ALL.test(name)) return args;
  if (LAST.test(name)) {
    const scan = scanOptions(args, { valued: new Set(['-t', '--target-directory', '-m', '-o', '-g', '-S', '-e']) });
    const into = scan.options
      .filter((option) => /^(-t|--target-directory)$/.test(option.name))
      .flatMap((option) => option.value ?? []);
    return [...scan.operands.slice(-1), ...into];
  }
  if (name === 'git') return writtenByGit(args);
  if (name === 'find' && args.some((word) => only(word) === '-delete')) {
    const { roots } = lookFind(args);
    return roots.length > 0 ? roots : [literal('.')];
  }
  if (name === 'curl' || name === 'wget')
    return scanOptions(args, {
      valued: new Set(['-o', '-O', '-P', '--output', '--output-dir', '--output-document', '--directory-prefix']),
    })
      .options.filter((option) => /^(-[oOP]|--output(-dir|-document)?|--directory-prefix)$/.test(option.name))
      .flatMap((option) => option.value ?? []);
  if (name === 'dd')
    return args.flatMap((word) => word.values.filter((text) => text.startsWith('of=')).map((text) => literal(text.slice(3))));
  if (/^(g?sed|perl|ruby)$/.test(name) && args.some((word) => /^-\w*i|^--in-place/.test(only(word) ?? ''))) return args;
  return [];
}
