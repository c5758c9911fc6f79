/** Which arguments well-known commands write to, and what lies there. */
import { because } from '../reasons.js';
import { scanOptions } from './options.js';
import { judgeMention, type PathFinding, strictest } from './paths.js';
import { SYSTEM_FOLDERS } from './redirects.js';
import { literal, only, type ShellEnv, type ShellWord, type Simple } from './types.js';
import { namesOf } from './web.js';

const ALL = /^(tee|mv|rm|touch|mkdir|rmdir|truncate|chmod|chown|chgrp|patch|ed|ex|shred|unlink|sponge|unzip|tar)$/;
const LAST = /^(cp|ln|install|rsync|ditto)$/;

/** What is said about the places a command writes to, if it is one that is known to. */
export function judgeWritten(simple: Simple, env: ShellEnv): PathFinding {
  const words = namesOf(simple).flatMap((name) => written(name, simple.words.slice(1)));
  const found = judgeMention(words, simple.cwd, env, 'all');
  const paths = found.paths.map((path) => ({ ...path, write: true }));
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

function written(name: string, args: readonly ShellWord[]): readonly ShellWord[] {
  if (ALL.test(name)) return args;
  if (LAST.test(name)) {
    const scan = scanOptions(args, { valued: new Set(['-t', '--target-directory', '-m', '-o', '-g', '-S', '-e']) });
    const into = scan.options
      .filter((option) => /^(-t|--target-directory)$/.test(option.name))
      .flatMap((option) => option.value ?? []);
    return [...scan.operands.slice(-1), ...into];
  }
  if (name === 'dd')
    return args.flatMap((word) => word.values.filter((text) => text.startsWith('of=')).map((text) => literal(text.slice(3))));
  if (/^(g?sed|perl|ruby)$/.test(name) && args.some((word) => /^-\w*i|^--in-place/.test(only(word) ?? ''))) return args;
  return [];
}
