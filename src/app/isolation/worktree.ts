/** A git worktree of its own for one worker: made from the workspace as it is now, compared at the end, removed or kept as a branch. */
import { cpSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { checkOutcome, type GitOptions, openRepository, type Repository, runGit } from '../../process/git.js';
import { because, ReasonError } from '../../types/reason.js';

export interface Worktree {
  /** The folder in it that stands for the workspace. */
  readonly root: string;
  /** What differs from how it began, and lies in the workspace. Paths relative to the workspace. */
  changes(): Promise<readonly TreeChange[]>;
  /** Text of a file as it was at the beginning; undefined when it is too long. */
  before(path: string): Promise<string | undefined>;
  /** The whole change as a unified diff. */
  diff(): Promise<string>;
  /** Keeps what it holds as a new branch; gives the branch's name. */
  keep(message: string): Promise<string>;
  /** Removes the worktree. What is not kept is gone. Never throws. */
  remove(): Promise<void>;
}

export interface TreeChange {
  /** Relative to the workspace; undefined: it lies outside of it. */
  readonly path: string | undefined;
  readonly status: 'added' | 'changed' | 'removed';
  /** No regular file on one of the sides. */
  readonly odd: boolean;
  /** Git's name of the old bytes. */
  readonly oldId: string;
  readonly mode?: number;
}

export interface WorktreeOptions {
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Where worktrees lie. */
  readonly folder: string;
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const KEEP_BYTES = 8 * 1024 * 1024;
const WHO = ['-c', 'user.name=chatcli', '-c', 'user.email=chatcli@localhost', '-c', 'commit.gpgSign=false'];

/** Throws an Error (where it is ours, ReasonError) that says why there can be none: no git, no repository, no commit yet. */
export async function openWorktree(options: WorktreeOptions): Promise<Worktree> {
  const { workspace, env, signal } = options;
  const git: GitOptions = { cwd: workspace, env, signal, keepBytes: KEEP_BYTES, rawText: true };
  const repository = await openRepository(git);
  const head = await runGit(repository, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], git);
  if (head.exitCode !== 0) throw new ReasonError(because`the repository has no commit yet`);
  const top = join(options.folder, options.name);
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  checkOutcome(await runGit(repository, ['worktree', 'add', '--quiet', '--detach', top, 'HEAD'], git), 'git worktree add');
  const drop = (): Promise<void> => removeWorktree({ repository: repository.top, top, env });
  try {
    await takeOver(repository, top, git);
    const own = { ...git, cwd: top };
    const tree = await openRepository(own);
    const base = await commit(tree, own, 'state before the agent');
    const root = join(top, relative(repository.top, workspace));
    mkdirSync(root, { recursive: true });
    return worktree({ tree, own, base, root, top, name: options.name, drop });
  } catch (error) {
    await drop();
    throw error;
  }
}

/**
 * Removes one worktree and what git knows of it. Never `git worktree prune`: that would forget the user's own worktrees on a
 * disk that is not there right now. Never throws.
 */
export async function removeWorktree(of: {
  readonly repository: string;
  readonly top: string;
  readonly env: Readonly<Record<string, string>>;
}): Promise<void> {
  const git: GitOptions = { cwd: of.repository, env: of.env, signal: new AbortController().signal };
  const forget = async (): Promise<boolean> => {
    try {
      const words = ['worktree', 'remove', '--force', '--force', of.top];
      return (await runGit(await openRepository(git), words, git)).exitCode === 0;
    } catch {
      return false;
    }
  };
  const forgotten = await forget();
  try {
    rmSync(of.top, { recursive: true, force: true });
  } catch {
    // Held by someone, or not ours: git keeps it in its list.
  }
  // Git removes none whose files were broken; one whose folder is gone it forgets.
  if (!forgotten) await forget();
}

/** What is changed, new or removed in the workspace and not committed: the worker sees it too. */
async function takeOver(repository: Repository, top: string, git: GitOptions): Promise<void> {
  const list = async (words: readonly string[]): Promise<string[]> => {
    const listed = await runGit(repository, ['ls-files', '-z', ...words], { ...git, cwd: repository.top });
    checkOutcome(listed, 'git ls-files');
    if (listed.totalBytes >= KEEP_BYTES) throw new ReasonError(because`too much in the workspace is not committed to copy it`);
    return listed.output.split('\0').filter(Boolean);
  };
  for (const path of new Set(await list(['--modified', '--deleted', '--others', '--exclude-standard']))) {
    const from = join(repository.top, path);
    const to = join(top, path);
    // A name of git's own never leads out of the worktree, but this is cheap to be sure of.
    if (!resolve(to).startsWith(`${top}${sep}`)) continue;
    const stat = lstatSync(from, { throwIfNoEntry: false });
    if (stat?.isDirectory()) continue;
    rmSync(to, { recursive: true, force: true });
    if (!stat || (!stat.isFile() && !stat.isSymbolicLink())) continue;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { verbatimSymlinks: true, preserveTimestamps: true });
  }
}

/** A commit of everything in the worktree, on top of where it stands; no branch moves. */
async function commit(tree: Repository, git: GitOptions, message: string): Promise<string> {
  checkOutcome(await runGit(tree, ['add', '--all'], git), 'git add');
  const written = await runGit(tree, ['write-tree'], git);
  checkOutcome(written, 'git write-tree');
  const words = [...WHO, 'commit-tree', written.output.trim(), '-p', 'HEAD', '-m', message];
  const made = await runGit(tree, words, git);
  checkOutcome(made, 'git commit-tree');
  return made.output.trim();
}

interface Parts {
  readonly tree: Repository;
  readonly own: GitOptions;
  readonly base: string;
  readonly root: string;
  readonly top: string;
  readonly name: string;
  readonly drop: () => Promise<void>;
}

function worktree({ tree, own, base, root, top, name, drop }: Parts): Worktree {
  const sub = relative(top, root);
  // Ends are looked at after a stop too.
  const late = (): GitOptions => ({ ...own, signal: new AbortController().signal });
  const stage = async (): Promise<void> => checkOutcome(await runGit(tree, ['add', '--all'], late()), 'git add');
  return {
    root,
    async changes() {
      await stage();
      const words = ['diff-index', '--cached', '--raw', '-z', '--no-renames', '--full-index', base];
      const listed = await runGit(tree, words, late());
      checkOutcome(listed, 'git diff-index');
      if (listed.totalBytes >= KEEP_BYTES) throw new ReasonError(because`the change touches too many files`);
      return changesOf(listed.output, sub);
    },
    async before(path) {
      const shown = await runGit(tree, ['cat-file', 'blob', `${base}:${[sub, path].filter(Boolean).join('/')}`], late());
      checkOutcome(shown, 'git cat-file');
      return shown.totalBytes >= KEEP_BYTES ? undefined : shown.output;
    },
    async diff() {
      await stage();
      const words = ['diff', '--cached', '--no-ext-diff', '--no-textconv', '--no-renames', base];
      const shown = await runGit(tree, words, late());
      checkOutcome(shown, 'git diff');
      return shown.output;
    },
    async keep(message) {
      const made = await commit(tree, late(), message);
      const branch = `chatcli/${name}`;
      checkOutcome(await runGit(tree, ['branch', '--no-track', branch, made], late()), 'git branch');
      return branch;
    },
    remove: drop,
  };
}

const REGULAR = new Set(['000000', '100644', '100755']);

/** `:MODE MODE ID ID STATUS\0PATH\0`… as git writes it. */
function changesOf(raw: string, sub: string): TreeChange[] {
  const fields = raw.split('\0');
  const changes: TreeChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [oldMode = '', newMode = '', oldId = '', , status = ''] = (fields[index] ?? '').replace(/^:/, '').split(' ');
    const whole = fields[index + 1] ?? '';
    const path = sub === '' ? whole : whole.startsWith(`${sub}/`) ? whole.slice(sub.length + 1) : undefined;
    changes.push({
      path,
      status: status === 'A' ? 'added' : status === 'D' ? 'removed' : 'changed',
      odd: !REGULAR.has(oldMode) || !REGULAR.has(newMode),
      oldId,
      ...(newMode !== '000000' && newMode !== oldMode ? { mode: newMode === '100755' ? 0o755 : 0o644 } : {}),
    });
  }
  return changes;
}
