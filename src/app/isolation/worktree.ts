/** A private repository and work tree for one worker, made from the workspace as it is now; at the end it tells what differs. */
import { mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { checkOutcome, type GitOptions, openRepository, type Repository, runGit } from '../../process/git.js';
import { ToolFault } from '../../types/tool.js';
import { type Found, findChanges } from './compare.js';
import { privatePaths } from './private-paths.js';
import { fillIndex, writeRepository } from './private-repository.js';
import { type RepositoryFacts, repositoryFacts } from './repository-facts.js';
import { layOut, type Snapshot } from './snapshot.js';

export interface Worktree {
  /** The folder in it that stands for the workspace. */
  readonly root: string;
  /** The top of its work tree. */
  readonly top: string;
  /** The user's repository. */
  readonly facts: RepositoryFacts;
  readonly snapshot: Snapshot;
  /** `.` or the path of the workspace below the top of the repository. */
  readonly sub: string;
  /** What differs from how it began; backups of our own tools are removed. Throws errors of the disk and of git. */
  changes(isBackup?: (file: string) => Promise<boolean>): Promise<Found>;
  /** Text of a file as it was at the beginning (path from the top); undefined when it is too long or was none. */
  before(path: string): Promise<string | undefined>;
  /** Commits it has that the user's repository has not, one line each; undefined when its repository cannot be read. */
  commits(): Promise<readonly string[] | undefined>;
  /** Removes all of it. Never throws. */
  remove(): Promise<void>;
}

export interface WorktreeOptions {
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Where worktrees lie. */
  readonly folder: string;
  readonly name: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Where the work tree lies in the folder of one worker. */
export const TREE = 'tree';
const KEEP_BYTES = 8 * 1024 * 1024;
const MOST_COMMITS = 20;
const MOST_KNOWN = 500;
/** Milliseconds for looking into a repository that the worker could write. */
const LOOK_MS = 10_000;

/** Throws an Error (where it is ours, ReasonError) that says why there can be none: no git, no repository, no commit yet. */
export async function openWorktree(options: WorktreeOptions): Promise<Worktree> {
  const { workspace, home, env, signal } = options;
  const git: GitOptions = { cwd: workspace, env, signal, keepBytes: KEEP_BYTES, rawText: true };
  const facts = await repositoryFacts(git);
  const whole = join(options.folder, options.name);
  const top = join(whole, TREE);
  const copies = join(whole, 'copies');
  const control = join(whole, 'control');
  const remove = (): Promise<void> => removeFolder(whole);
  try {
    for (const folder of [top, copies]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const from = facts.repository.top;
    const isPrivate = privatePaths(from, home);
    const snapshot = await layOut(facts, { from, tree: top, copies }, isPrivate, signal);
    if (signal.aborted) throw new ToolFault('Aborted', 'the copy of the workspace was stopped');
    writeRepository(join(top, '.git'), facts, true);
    writeRepository(control, facts, false);
    const { filters } = facts.repository;
    const tree: Repository = { top, gitFolder: join(top, '.git'), ownFilters: [], filters };
    await fillIndex(tree, snapshot.leftOut, { ...git, cwd: top });
    const sub = relative(from, workspace).split(sep).join('/') || '.';
    const root = join(top, sub);
    mkdirSync(root, { recursive: true });
    const judge: Repository = { top, gitFolder: control, ownFilters: [], filters };
    // Ends are looked at after a stop too.
    const late = (): GitOptions => ({ ...git, cwd: top, signal: new AbortController().signal });
    return {
      root,
      top,
      facts,
      snapshot,
      sub,
      remove,
      changes: (isBackup = async () => false) =>
        findChanges({
          top,
          snapshot,
          length: facts.head.length,
          isPrivate: privatePaths(top, home),
          judge,
          git: late(),
          isBackup,
        }),
      before: (path) => before(path, snapshot, facts, { ...late(), cwd: from }),
      commits: () => commitsIn(top, facts, git),
    };
  } catch (error) {
    // After a stop nothing slow is done: whoever sweeps removes it.
    if (!signal.aborted) await remove();
    throw error;
  }
}

async function before(path: string, snapshot: Snapshot, facts: RepositoryFacts, git: GitOptions): Promise<string | undefined> {
  const laid = snapshot.files.get(path);
  if (laid?.kind !== 'file') return undefined;
  if (laid.copy !== undefined) {
    const bytes = readFileSync(laid.copy);
    return bytes.length >= KEEP_BYTES ? undefined : bytes.toString('utf8');
  }
  if (facts.committed.get(path)?.id !== laid.id) return undefined;
  const shown = await runGit(facts.repository, ['cat-file', 'blob', laid.id], git);
  checkOutcome(shown, 'git cat-file');
  return shown.totalBytes >= KEEP_BYTES ? undefined : shown.output;
}

/** The worker could write everything in there, so it is read like any foreign repository, and not for long. */
async function commitsIn(top: string, facts: RepositoryFacts, own: GitOptions): Promise<readonly string[] | undefined> {
  try {
    const git = { ...own, cwd: top, signal: AbortSignal.timeout(LOOK_MS) };
    const repository = await openRepository(git);
    const known = [...new Set([facts.head, ...facts.refs.map((row) => row.slice(0, row.indexOf(' ')))])].slice(0, MOST_KNOWN);
    const words = ['log', `--max-count=${MOST_COMMITS}`, '--format=%h %s', '--all', 'HEAD', '--not', ...known, '--'];
    const listed = await runGit(repository, words, git);
    checkOutcome(listed, 'git log');
    return listed.output.split('\n').filter(Boolean);
  } catch {
    return undefined;
  }
}

/** Removes the folder of one worker; what is held by someone stays. Never throws. */
export async function removeFolder(whole: string): Promise<void> {
  try {
    await rm(whole, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    // It is looked at again in a week.
  }
}
