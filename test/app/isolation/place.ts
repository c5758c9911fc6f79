/** A real repository, and the folder an isolated agent gets of it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { keepAsBranch } from '../../../src/app/isolation/branch.js';
import { type Bringable, type BringPlan, bytesOf, planBringing } from '../../../src/app/isolation/bring-back.js';
import { openWorktree, type Worktree } from '../../../src/app/isolation/worktree.js';
import type { Reason } from '../../../src/types/reason.js';
import { openWorkspace } from '../../../src/workspace/open-workspace.js';

export interface Bench {
  readonly root: string;
  readonly home: string;
  /** The user's repository. */
  readonly repo: string;
  git(...words: string[]): string;
  write(files: Readonly<Record<string, string>>): void;
  open(workspace?: string): Promise<Opened>;
}

export interface Opened extends Worktree {
  /** A command line in the worker's work tree. */
  sh(line: string): string;
  put(files: Readonly<Record<string, string>>): void;
  read(path: string): string;
  has(path: string): boolean;
  /** The changes that may come back. */
  bringable(): Promise<Bringable[]>;
  plan(): Promise<BringPlan | Reason>;
  branch(): Promise<boolean>;
}

const ENV: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1' };

/** `init`: further words for `git init`. */
export function bench(files: Readonly<Record<string, string>>, init: readonly string[] = []): Bench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-isolation-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const repo = join(root, 'ws');
  const home = join(root, 'home');
  for (const folder of [repo, home]) mkdirSync(folder);
  const env = { ...ENV, HOME: home };
  const run = (cwd: string, file: string, words: readonly string[]): string =>
    execFileSync(file, words, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const git = (...words: string[]): string => run(repo, 'git', words);
  git('init', '-q', '-b', 'master', ...init);
  git('config', 'user.name', 'u');
  git('config', 'user.email', 'u@u');
  const writeIn = (top: string, all: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), text);
    }
  };
  writeIn(repo, files);
  git('add', '-A');
  git('commit', '-q', '-m', 'as found');
  const open = async (workspace = repo): Promise<Opened> => {
    const signal = new AbortController().signal;
    const folder = join(root, 'worktrees');
    const tree = await openWorktree({ workspace, folder, name: 'one', home, env, signal });
    const port = await openWorkspace({ root: workspace, home, state: join(root, 'state'), scratch: join(root, 'scratch'), env });
    const bringable = async (): Promise<Bringable[]> => {
      const { changes } = await tree.changes();
      const read = bytesOf(
        tree,
        changes.filter(({ odd }) => !odd).map((change) => ({ change, shown: change.path })),
      );
      if ('text' in read) throw new Error(read.text);
      return read;
    };
    return {
      ...tree,
      sh: (line) => run(tree.root, 'sh', ['-c', line]),
      put: (all) => writeIn(tree.top, all),
      read: (path) => readFileSync(join(tree.top, path), 'utf8'),
      has: (path) => existsSync(join(tree.top, path)),
      bringable,
      plan: async () => planBringing(tree, await bringable(), port),
      branch: async () =>
        keepAsBranch(tree, await bringable(), {
          branch: 'chatcli/one',
          message: 'tester: task',
          folder: join(folder, 'one/desk'),
          git: { cwd: workspace, env, signal },
        }),
    };
  };
  return { root, home, repo, git, write: (all) => writeIn(repo, all), open };
}

/** The text a plan would write, or why it would not. */
export function planned(plan: BringPlan | Reason, path: string): string | undefined {
  if ('text' in plan) return `refused: ${plan.text.replace(/\{(\d)\}/g, (_, at: string) => String(plan.values[Number(at)]))}`;
  const bytes = plan.targets.find((target) => target.path === path)?.bytes;
  return bytes ? Buffer.from(bytes).toString('utf8') : bytes === null ? '(removed)' : undefined;
}
