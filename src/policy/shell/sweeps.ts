/** Commands that read whole folders, hidden files too: they read the personal files in them without naming one. */

import { compileGlob } from '../../base/path-glob.js';
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { optionSet, type Scan, scanOptions } from './options.js';
import { place, SECRET_NAMES } from './paths.js';
import { splitGit } from './readers/git.js';
import { literal, only, possible, type ShellEnv, type ShellWord, type Simple } from './types.js';

const VALUED = optionSet(
  '-e --regexp -f --file -m --max-count -A -B -C --after-context --before-context --context --include --exclude --exclude-dir --label -g --glob --iglob -t -T --type --type-not -r --replace -M --max-columns -j --threads --sort --sortr --max-depth -E --encoding -d -D --directories',
);
const GIT_GREP = optionSet('-e -f -m -A -B -C --max-depth --threads');
const ENVIRONMENTS = [...SECRET_NAMES, '.env.development', '.env.dev', '.env.prod', '.env.stage', '.env.staging', '.env.test'];

/** Why a command reads personal files by reading all there is; undefined when it does not. */
export function sweeps(simple: Simple, env: ShellEnv): Reason | undefined {
  return throughLinks(simple, env) ?? wholeFolders(simple, env);
}

/** Files found by a pattern, a list or a walk that follows links may be links to somewhere else. */
function throughLinks(simple: Simple, env: ShellEnv): Reason | undefined {
  const finds = simple.words.some(
    (word) => word.patterns.length > 0 || word.listed || /^(-[A-Za-z]*[RLHS]|--follow|--dereference.*)$/.test(only(word) ?? ''),
  );
  const link = finds ? env.personalLink?.(env.root) : undefined;
  return link === undefined ? undefined : because`it may read through ${link}, a link to a personal or system file`;
}

function wholeFolders(simple: Simple, env: ShellEnv): Reason | undefined {
  if (!env.holdsPersonal) return undefined;
  const name = only(simple.words[0])?.replace(/^.*\//, '') ?? '';
  for (const word of foldersOf(name, simple.words.slice(1)) ?? []) {
    if (word.listed) continue;
    for (const text of possible(word)) {
      for (const located of place(text || '.', simple.cwd, env) ?? []) {
        if (env.holdsPersonal(located.real))
          return because`${code(name)} reads all of ${located.shown}, which holds files with personal credentials (.env and the like)`;
      }
    }
  }
  return undefined;
}

/** Folders whose files a command reads without naming each: for rules that forbid reading some of them. */
export function readWhole(simple: Simple): readonly ShellWord[] {
  const name = only(simple.words[0])?.replace(/^.*\//, '') ?? '';
  const args = simple.words.slice(1);
  if (name === 'rg' || name === 'ag') {
    const scan = scanOptions(args, { valued: VALUED });
    return scan.options.some((option) => /^--(files|type-list)$/.test(option.name)) ? [] : places(scan);
  }
  if (name === 'git') {
    const call = splitGit(args);
    return call.sub === 'grep' ? places(scanOptions(call.args, { valued: GIT_GREP })) : (gitFolders(args) ?? []);
  }
  if (name === 'cp' && args.some((word) => /^-\w*[rRa]|^--(recursive|archive)$/.test(only(word) ?? '')))
    return scanOptions(args).operands.slice(0, -1);
  if (/^(tar|zip|rsync|scp)$/.test(name)) return scanOptions(args).operands;
  return foldersOf(name, args) ?? [];
}

/** The folders it reads whole; undefined when it does not read so. */
function foldersOf(name: string, args: readonly ShellWord[]): readonly ShellWord[] | undefined {
  if (/^([efz]|r)?grep$/.test(name)) return grepFolders(name, args);
  if (name === 'rg' || name === 'ag') return searchFolders(name, args);
  if (name === 'git') return gitFolders(args);
  if (name === 'diff' && args.some((word) => /^(-\w*r|--rec)/.test(only(word) ?? '')))
    return scanOptions(args, { valued: optionSet('-U -C -x -I -W') }).operands;
  return undefined;
}

function grepFolders(name: string, args: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const rules = { valued: new Set([...VALUED].filter((option) => !/^-[rgtTMjE]$/.test(option))) };
  const scan = scanOptions(args, rules);
  const recursive = scan.options.some(
    (option) =>
      /^(-r|-R|--r|--re|--rec.*|--de.*)$/.test(option.name) ||
      (/^(-d|--di.*)$/.test(option.name) && only(option.value) !== 'skip' && only(option.value) !== 'read'),
  );
  if (!recursive && name !== 'rgrep') return undefined;
  const included = scan.options.filter((option) => option.name === '--include').map((option) => only(option.value));
  if (included.length > 0 && included.every((glob) => glob !== undefined && missesSecrets(glob))) return undefined;
  return places(scan);
}

function missesSecrets(pattern: string): boolean {
  const glob = compileGlob(pattern, { ignoreCase: true });
  return !ENVIRONMENTS.some((name) => glob.test(name));
}

function searchFolders(name: string, args: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const scan = scanOptions(args, { valued: VALUED });
  const unbound = scan.options.some(
    (option) =>
      /^(-u|-\.|--hid.*|--unr.*|--no-ig.*)$/.test(option.name) ||
      (name === 'ag' && /^(-a|-U|--all.*|--skip.*)$/.test(option.name)) ||
      (/^(-g|--glob|--iglob)$/.test(option.name) && /^[*?/]+$/.test(only(option.value) ?? '*')),
  );
  if (!unbound || scan.options.some((option) => /^--(files|type-list)$/.test(option.name))) return undefined;
  return places(scan);
}

function gitFolders(args: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const call = splitGit(args);
  const scan = scanOptions(call.args, { valued: GIT_GREP });
  if (call.sub === 'grep')
    return scan.options.some((option) => /^(--no-in.*|--unt.*|--no-ex.*)$/.test(option.name)) ? places(scan) : undefined;
  const apart = call.sub === 'diff' && scan.options.some((option) => /^--no-in/.test(option.name));
  return apart ? scan.operands : undefined;
}

/** Operands behind the pattern, or where it runs. */
function places(scan: Scan): readonly ShellWord[] {
  const given = scan.options.some((option) => /^(-e|-f|--reg.*|--file)$/.test(option.name));
  const operands = given ? scan.operands : scan.operands.slice(1);
  return operands.length > 0 ? operands : [literal('.')];
}
