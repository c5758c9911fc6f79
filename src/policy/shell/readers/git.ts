/** git: which subcommands only read, decided on all of their arguments. */
import type { Reason } from '../../../types/policy.js';
import { because } from '../../reasons.js';
import { code } from '../code.js';
import { isAmong, optionSet, type Scan, scanOptions } from '../options.js';
import { literal, only, type ShellWord, type Simple } from '../types.js';
import { namedByPathspec } from './pathspec.js';
import { no, perhapsFiles, type Reading, reads } from './reader.js';

export interface GitCall {
  readonly global: Scan;
  /** Name of the subcommand; undefined when there is none or it is not known. */
  readonly sub?: string;
  readonly args: readonly ShellWord[];
  /** `-C` folders in order. */
  readonly folders: readonly ShellWord[];
}

const GLOBAL_VALUED = optionSet('-C -c --git-dir --work-tree --namespace --config-env --exec-path --super-prefix --attr-source');
const GLOBAL_FINE = optionSet(
  '-C -P --no-pager --no-optional-locks --literal-pathspecs --glob-pathspecs --icase-pathspecs --noglob-pathspecs --no-replace-objects --no-lazy-fetch --no-advice -v --version --html-path --man-path --info-path',
);

/** Splits a git command into global options, subcommand and its arguments. */
export function splitGit(args: readonly ShellWord[]): GitCall {
  // --exec-path without a value only prints; getopt-like scanning would take the next word, git does not.
  const global = scanOptions(args, { valued: new Set([...GLOBAL_VALUED].filter((name) => name !== '--exec-path')), stop: true });
  const [sub, ...rest] = global.operands;
  const folders = global.options.filter((option) => option.name === '-C').flatMap((option) => option.value ?? []);
  return { global, sub: only(sub), args: rest, folders };
}

const RUNS = '--output --ext-diff --textconv --open-files-in-pager --exec --upload-pack --filters --help --web --edit --paginate';
/** Exact options that would otherwise pass as an abbreviation of a forbidden one. */
const EXACT = optionSet(
  '--text --exit-code --edit-description --output-indicator-new --output-indicator-old --output-indicator-context',
);
const READS = optionSet(
  'status diff log show shortlog blame annotate describe rev-parse rev-list ls-files ls-tree cat-file name-rev merge-base for-each-ref show-ref show-branch whatchanged cherry count-objects diff-tree diff-index diff-files grep range-diff check-ignore check-attr check-ref-format check-mailmap get-tar-commit-id patch-id version var',
);
const HISTORY = '-S -G -L --grep --author --committer --since --until --after --before --max-count --skip --date';
/** Options of one subcommand that always take the next word. */
const VALUED: Readonly<Record<string, string>> = {
  log: `-n ${HISTORY}`,
  show: `-n ${HISTORY}`,
  'rev-list': `-n ${HISTORY}`,
  whatchanged: `-n ${HISTORY}`,
  diff: '-S -G',
  blame: '-L --since',
  annotate: '-L --since',
  grep: '-e -f -m --max-count -A -B -C --max-depth --threads',
  branch: '--sort --format --contains --no-contains --merged --no-merged --points-at',
  tag: '--sort --format --contains --no-contains --merged --no-merged --points-at',
  config: '--type --default --get-color',
  'hash-object': '-t',
};

export function readGit(simple: Simple): Reading {
  const call = splitGit(simple.words.slice(1));
  const { global, sub } = call;
  if (global.unclear !== undefined) return no(because`an option of \`git\` may hide in ${global.unclear}`);
  for (const option of global.options) {
    if (option.name === '--exec-path' && option.value === undefined) continue;
    if (!GLOBAL_FINE.has(option.name)) return no(because`${code(`git ${option.name}`)} can change what \`git\` runs`);
  }
  if (global.operands.length === 0) return reads([], false);
  if (sub === undefined) return no(because`the subcommand of \`git\` is only known when it runs`);
  // A folder can be made to look like a repository whose settings run programs; only the workspace's own is known.
  if (call.folders.length > 0) return no(because`\`git -C\` works on a repository that may have settings of its own`);
  const inner = readSub(sub, call.args);
  return inner.ok ? reads(inner.reads, true, inner.perhaps) : inner;
}

function readSub(sub: string, args: readonly ShellWord[]): Reading {
  const special = SPECIAL[sub];
  if (!special && !READS.has(sub)) return no(because`${code(`git ${sub}`)} is not known to only read`);
  const valued = optionSet(Object.hasOwn(VALUED, sub) ? VALUED[sub] : '');
  const scan = scanOptions(args, { valued });
  if (scan.unclear !== undefined) return no(because`an option of ${code(`git ${sub}`)} may hide in ${scan.unclear}`);
  const bad = optionSet(sub === 'grep' ? `${RUNS} -O` : RUNS);
  // Read a second time without values, so that no option hides behind another.
  for (const option of [...scan.options, ...scanOptions(args, { attached: valued }).options]) {
    if (EXACT.has(option.name)) continue;
    if (isAmong(option.name, bad)) return no(because`${code(`git ${sub} ${option.name}`)} writes a file or runs a program`);
  }
  const fault = special?.(scan, args);
  if (fault !== undefined) return no(because`${code(`git ${sub} ${fault.words ?? ''}`)} ${fault.does}`);
  return reads(pathWords(sub, scan), false, perhapsFiles(args, [scan], textOptions(sub)));
}

/** Options whose value is a file, whatever the subcommand. */
const FILE_OPTIONS = optionSet(
  '--contents --ignore-revs-file --exclude-from --orderfile --mailmap-file --file --pathspec-from-file -X',
);
const FILE_OPTIONS_BLAME = new Set([...FILE_OPTIONS, '-S']);
const TEXT_OPTIONS = optionSet(
  '-G -x -e --grep --grep-reflog --author --committer --since --until --after --before --date --format --pretty --exclude --match --sort --contains --no-contains --merged --no-merged --points-at --color --word-diff-regex --src-prefix --dst-prefix --line-prefix --output-indicator-new --output-indicator-old --output-indicator-context --decorate-refs --decorate-refs-exclude --branches --tags --remotes --glob --abbrev --diff-filter --find-object',
);

/** `-S` is a text in a search of the history, and a file for blame. */
function textOptions(sub: string): ReadonlySet<string> {
  return sub === 'blame' || sub === 'annotate' ? TEXT_OPTIONS : new Set([...TEXT_OPTIONS, '-S']);
}

/** Operands may be revisions, paths, or `revision:path`; each reading is looked at. */
function pathWords(sub: string, scan: Scan): ShellWord[] {
  if (TEXT_ONLY.has(sub)) return [];
  const operands =
    sub === 'grep' && !scan.options.some((option) => option.name === '-e' || option.name === '-f')
      ? scan.operands.slice(1)
      : scan.operands;
  const words = operands
    .filter((word) => !word.unknown)
    .flatMap((word) => (/^:([!^]|\([^)]*exclude)/.test(word.prefix) ? [] : [afterColon(word), ...namedByPathspec(word)]));
  const texts = textOptions(sub);
  for (const option of scan.options) {
    const text = only(option.value);
    // `-L1,5:FILE`, `-L:name:FILE`.
    if (option.name === '-L' && text?.includes(':')) words.push(literal(text.slice(text.lastIndexOf(':') + 1)));
    if (option.value && text !== undefined && !isAmong(option.name, texts) && /^(\/|~|\.\.(\/|$))/.test(text))
      words.push(option.value);
    const file = sub === 'blame' || sub === 'annotate' ? FILE_OPTIONS_BLAME : FILE_OPTIONS;
    if (option.value && (isAmong(option.name, file) || (sub === 'grep' && option.name === '-f'))) words.push(option.value);
  }
  return words;
}

const TEXT_ONLY = optionSet('config branch tag remote stash reflog worktree rev-parse check-ref-format var version notes');

/** `HEAD:.env` reads .env; a pathspec such as `:(exclude)x` stays what it is. */
function afterColon(word: ShellWord): ShellWord {
  const text = only(word);
  const stage = text === undefined ? undefined : /^:[0-3]:/.exec(text)?.[0];
  const colon = stage === undefined ? (text?.indexOf(':') ?? -1) : stage.length - 1;
  if (text === undefined || colon < 0 || text.startsWith(':(') || text.startsWith(':/')) return word;
  const path = text.slice(colon + 1);
  return { ...word, values: [path], prefix: path };
}

/** `words` belong to the command; `does` is what is said of it. */
interface Fault {
  readonly words?: string;
  readonly does: Reason;
}

type Check = (scan: Scan, args: readonly ShellWord[]) => Fault | undefined;

const hasAny = (scan: Scan, names: string) => scan.options.some((option) => optionSet(names).has(option.name));
const onlyThese = (scan: Scan, names: string): Fault | undefined => {
  const fine = optionSet(names);
  const other = scan.options.find((option) => !fine.has(option.name) && !/^-\d$/.test(option.name));
  return other ? { words: other.name, does: because`is not known to only read` } : undefined;
};
const first = (scan: Scan) => only(scan.operands[0]);
const listing =
  (most: number, filters: string, names: string): Check =>
  (scan) =>
    onlyThese(scan, names) ??
    (scan.operands.length > most && !hasAny(scan, filters) ? { does: because`with a name creates or changes it` } : undefined);

const SPECIAL: Readonly<Record<string, Check>> = {
  branch: listing(
    0,
    '-l --list --contains --no-contains --merged --no-merged --points-at',
    '-a --all -r --remotes -v -vv --verbose -l --list --show-current --contains --no-contains --merged --no-merged --points-at --sort --format --column --no-column --color --no-color -i --ignore-case --abbrev --no-abbrev -q',
  ),
  tag: listing(
    0,
    '-l --list -n --contains --no-contains --merged --no-merged --points-at',
    '-l --list -n --contains --no-contains --merged --no-merged --points-at --sort --format --column --no-column --color -i --ignore-case',
  ),
  remote: (scan) =>
    onlyThese(scan, '-v --verbose --push --all') ??
    (scan.operands.length === 0 || first(scan) === 'get-url'
      ? undefined
      : { does: because`with an argument changes or contacts a remote` }),
  stash: (scan) =>
    first(scan) === 'list' || first(scan) === 'show' ? undefined : { does: because`without list or show changes files` },
  reflog: (scan) => (/^(expire|delete|drop|write)$/.test(first(scan) ?? 'show') ? { does: because`changes the log` } : undefined),
  worktree: (scan) => (first(scan) === 'list' ? undefined : { does: because`other than list changes folders` }),
  notes: (scan) =>
    first(scan) === 'list' || first(scan) === 'show' ? undefined : { does: because`other than list and show changes notes` },
  bisect: (scan) => (first(scan) === 'log' ? undefined : { does: because`other than log changes files` }),
  'symbolic-ref': (scan) =>
    onlyThese(scan, '-q --quiet --short --no-recurse') ??
    (scan.operands.length === 1 ? undefined : { does: because`with a second name changes the reference` }),
  'hash-object': (scan) => onlyThese(scan, '-t --stdin --no-filters'),
  config: configReads,
  'cat-file': (scan) =>
    scan.options.some((option) => /^--batch(-command)?$/.test(option.name))
      ? { does: because`takes commands from its input` }
      : undefined,
  blame: () => undefined,
};

function configReads(scan: Scan): Fault | undefined {
  const fine =
    '--get --get-all --get-regexp --get-urlmatch --get-color --list -l --show-origin --show-scope --name-only -z --null --type --bool --int --local --worktree --includes --default --all --regexp --value --no-type';
  const other = onlyThese(scan, fine);
  if (other) return other;
  const verb = first(scan);
  if (verb === 'get' || verb === 'list') return undefined;
  if (hasAny(scan, '--get --get-all --get-regexp --get-urlmatch --get-color --list -l')) return undefined;
  const plain = verb !== undefined && /^[a-z][a-z0-9-]*\..+/i.test(verb) && scan.operands.length === 1;
  return plain ? undefined : { does: because`changes the configuration` };
}
