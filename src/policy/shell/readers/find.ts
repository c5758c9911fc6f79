/** find and fd: reading unless an action runs or writes something. */
import type { Reason } from '../../../types/policy.js';
import { because } from '../../reasons.js';
import { code } from '../code.js';
import { scanOptions } from '../options.js';
import { only, type ShellWord, type Simple } from '../types.js';
import { no, type Reading, reads } from './reader.js';

const WRITES = new Set(['-delete', '-fprint', '-fprint0', '-fprintf', '-fls']);
export const FIND_RUNS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const FILE_TESTS = new Set(['-newer', '-anewer', '-cnewer', '-samefile']);
/** Tests and settings known to only look; anything else asks. */
const KNOWN = new Set(
  (
    '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -empty -mtime -mmin -atime -amin -ctime -cmin ' +
    '-newer -anewer -cnewer -newermt -newerat -newerct -newermm -samefile -inum -links -perm -user -group -uid -gid -nouser -nogroup -readable -writable -executable ' +
    '-maxdepth -mindepth -depth -d -xdev -mount -follow -daystart -noleaf -ignore_readdir_race -warn -nowarn -prune -quit -print -print0 -printf -ls ' +
    '-not -a -and -o -or -true -false -fstype -lname -ilname -used -context -E -X -x -s -H -L -P -O0 -O1 -O2 -O3 -f'
  ).split(' '),
);
const TEXT_AFTER = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newermt -newerat -newerct -inum -links -perm -user -group -uid -gid -maxdepth -mindepth -printf -fstype -lname -ilname -used -context'.split(
    ' ',
  ),
);

export interface FindLook {
  readonly roots: readonly ShellWord[];
  readonly names: readonly string[];
  /** Has alternatives or negations, so that `names` says nothing sure. */
  readonly branched: boolean;
  readonly fault?: Reason;
  readonly reads: readonly ShellWord[];
}

/** Reads the arguments of find, actions that run something left out (they are judged as commands of their own). */
export function lookFind(args: readonly ShellWord[]): FindLook {
  const roots: ShellWord[] = [];
  const names: string[] = [];
  const files: ShellWord[] = [];
  let fault: Reason | undefined;
  let inExpression = false;
  let branched = false;
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as ShellWord;
    const text = only(word);
    const opens = text !== undefined && (/^-./.test(text) || text === '(' || text === '!' || text === ')' || text === ',');
    if (!opens && !inExpression) {
      if (
        word.listed !== true &&
        (word.splits || word.unknown) &&
        (word.prefix === '' || word.splits) &&
        !/^[./\w]/.test(word.prefix)
      )
        fault ??= because`a test or action of \`find\` may hide in ${word.source}`;
      roots.push(word);
      continue;
    }
    branched ||= text !== undefined && /^(!|\(|,|-not|-o|-or|-prune)$/.test(text);
    inExpression = inExpression || !/^-([HLPD]|O\d)$/.test(text ?? '');
    if (text === undefined) fault ??= because`a test or action of \`find\` may hide in ${word.source}`;
    else if (FIND_RUNS.has(text)) {
      while (i < args.length && !endsAction(args, i)) i++;
    } else if (WRITES.has(text)) fault ??= because`${code(`find ${text}`)} writes or deletes`;
    else if (text.startsWith('-') && !KNOWN.has(text)) fault ??= because`${code(`find ${text}`)} is not known to only read`;
    else if (FILE_TESTS.has(text)) files.push(...args.slice(++i, i + 1));
    else if (TEXT_AFTER.has(text)) {
      const value = only(args[++i]);
      if (/^-i?name$/.test(text) && value !== undefined) names.push(value);
    } else if (!opens) fault ??= because`\`find\` could not be read at ${word.source}`;
  }
  return { roots, names, branched, fault, reads: [...roots, ...files] };
}

/** `;` ends an action, `+` only after `{}`. */
export function endsAction(args: readonly ShellWord[], at: number): boolean {
  const text = only(args[at]);
  return text === ';' || (text === '+' && only(args[at - 1]) === '{}');
}

export function readFind(simple: Simple): Reading {
  const look = lookFind(simple.words.slice(1));
  if (look.fault !== undefined) return no(look.fault);
  return reads(look.reads, look.roots.length === 0);
}

const FD_VALUED = new Set(
  '-e --extension -t --type -d --max-depth --min-depth --exact-depth -E --exclude -g --glob -S --size --changed-within --changed-before -o --owner -c --color -j --threads --max-results --base-directory --search-path --ignore-file --path-separator'.split(
    ' ',
  ),
);
const FD_FINE = new Set(
  '-H --hidden -I --no-ignore -u --unrestricted -s --case-sensitive -i --ignore-case -F --fixed-strings -a --absolute-path -l --list-details -L --follow -p --full-path -0 --print0 -1 -q --quiet'.split(
    ' ',
  ),
);

/** fd PATTERN PATHS. */
export function readFd(simple: Simple): Reading {
  const scan = scanOptions(simple.words.slice(1), { valued: FD_VALUED });
  if (scan.unclear !== undefined) return no(because`an option of \`fd\` may hide in ${scan.unclear}`);
  for (const option of scan.options)
    if (!FD_VALUED.has(option.name) && !FD_FINE.has(option.name))
      return no(because`${code(`fd ${option.name}`)} is not known to only read`);
  const named = scan.options
    .filter((option) => option.name === '--base-directory' || option.name === '--search-path')
    .flatMap((option) => option.value ?? []);
  return reads([...scan.operands.slice(1), ...named], true);
}
