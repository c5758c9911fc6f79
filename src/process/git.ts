/** Runs git for reading: by program and arguments, and so that an untrusted repository cannot run anything. */
import { ToolFault } from '../types/tool.js';
import type { CommandOutcome } from './command-types.js';
import { checkPlace } from './git-place.js';
import { gitEnv, safeWords } from './git-settings.js';
import { runCommand } from './run-command.js';
import { whichSystem } from './which.js';

/** A repository that was looked at and may be read. */
export interface Repository {
  /** Real path of the work tree. */
  readonly top: string;
  readonly gitFolder: string;
  /** Content filters its own configuration defines. They are never run. */
  readonly ownFilters: readonly string[];
  /** Content filters of any configuration; switched off as well. */
  readonly filters: readonly string[];
}

export interface GitOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly keepBytes?: number;
  /** For `-z` lists: NULs stay. */
  readonly rawText?: boolean;
  readonly logFile?: string;
  readonly logAbove?: number;
}

const TIMEOUT_MS = 120_000;
const LIST_BYTES = 4 * 1024 * 1024;

async function start(words: readonly string[], options: GitOptions, filters: readonly string[]): Promise<CommandOutcome> {
  const git = whichSystem('git', options.env);
  if (git === undefined) throw new ToolFault('NotFound', 'git is not installed (no program git in PATH)');
  return runCommand({
    file: git,
    args: [...safeWords(), ...words],
    cwd: options.cwd,
    env: gitEnv(options.env, filters),
    signal: options.signal,
    timeoutMs: TIMEOUT_MS,
    streams: 'split',
    contained: true,
    keepBytes: options.keepBytes,
    logFile: options.logFile,
    logAbove: options.logAbove,
    rawText: options.rawText,
  });
}

/** Throws unless git ended with 0 (or a code in `fine`). */
export function checkOutcome(outcome: CommandOutcome, what: string, fine: readonly number[] = [0]): void {
  if (outcome.aborted) throw new ToolFault('Aborted', `${what} was stopped`);
  if (outcome.timedOut) throw new ToolFault('Timeout', `${what} took longer than ${TIMEOUT_MS / 1000} s and was killed`);
  if (outcome.exitCode !== null && fine.includes(outcome.exitCode)) return;
  const said =
    outcome.errorOutput.trim() || outcome.output.trim().slice(-2000) || `ended by ${outcome.signal ?? 'an unknown cause'}`;
  throw new ToolFault(outcome.exitCode === null ? 'Failed' : `ExitCode:${outcome.exitCode}`, `${what} failed: ${said}`);
}

interface FilterNames {
  readonly all: string[];
  readonly own: string[];
}

/** Names of the content filters in force. A list that is too long to be read whole is a fault: nothing may be overlooked. */
async function filterNames(options: GitOptions): Promise<FilterNames> {
  const words = ['config', '--list', '-z', '--name-only', '--show-scope'];
  const outcome = await start(words, { ...options, keepBytes: LIST_BYTES, rawText: true }, []);
  checkOutcome(outcome, 'git config');
  if (outcome.totalBytes >= LIST_BYTES)
    throw new ToolFault('Failed', 'the git configuration here is larger than 4 MiB and is not read');
  const all = new Set<string>();
  const own = new Set<string>();
  const fields = outcome.output.split('\0');
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [scope, key] = [fields[index], fields[index + 1] as string];
    const name = /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1];
    if (name === undefined) continue;
    if (name.includes('\ufffd'))
      throw new ToolFault('Failed', 'a content filter here has a name that is not UTF-8 and cannot be switched off');
    all.add(name);
    if (scope === 'local' || scope === 'worktree') own.add(name);
  }
  return { all: [...all], own: [...own] };
}

/**
 * Finds and checks the repository `cwd` lies in. Throws ToolFault `NotFound` when there is none, `OutsideWorkspace`
 * when its `.git` is not what it seems.
 */
export async function openRepository(options: GitOptions): Promise<Repository> {
  const words = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--absolute-git-dir', '--git-common-dir'];
  const [found, filters] = await Promise.all([start(words, options, []), filterNames(options)]);
  if (
    found.exitCode === 128 &&
    /not a git repository|must be run in a work tree|cannot use bare repository/.test(found.errorOutput)
  )
    throw new ToolFault(
      'NotFound',
      `not a git repository: ${options.cwd} (nor any folder above it); exec "git init" would make one`,
    );
  checkOutcome(found, 'git rev-parse');
  const [top, gitFolder, common, ...more] = found.output.replace(/\n$/, '').split('\n');
  if (top === undefined || gitFolder === undefined || common === undefined || more.length > 0)
    throw new ToolFault('Failed', `git gave no usable paths for ${options.cwd}`);
  checkPlace({ folder: options.cwd, top, gitFolder, common });
  return { top, gitFolder, filters: filters.all, ownFilters: filters.own };
}

/** Runs a reading subcommand on a checked repository. Its work tree and folder are given, not looked for again. */
export function runGit(repository: Repository, words: readonly string[], options: GitOptions): Promise<CommandOutcome> {
  return start([`--git-dir=${repository.gitFolder}`, `--work-tree=${repository.top}`, ...words], options, repository.filters);
}
