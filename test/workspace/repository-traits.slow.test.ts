/** What a repository makes git run, read from real repositories on the disk. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPersonalPath } from '../../src/base/sensitive-paths.js';
import { createBelowLook } from '../../src/workspace/personal-below.js';
import { repositoryTraits } from '../../src/workspace/repository-traits.js';

let base = '';
let root = '';

function git(...args: string[]): string {
  return execFileSync(
    'git',
    ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...args],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
    },
  );
}

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'traits-')));
  root = join(base, 'ws');
  mkdirSync(root);
  git('init', '-q', '-b', 'main');
  put('a.txt', 'one\n');
  git('add', 'a.txt');
  git('commit', '-q', '-m', 'first');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const traits = (folder = root) => repositoryTraits(folder);

describe('what git runs', () => {
  it('is nothing in an ordinary repository, whatever is ordinary in its settings', () => {
    git('remote', 'add', 'origin', 'https://x/y.git');
    git('config', 'branch.main.remote', 'origin');
    git('config', 'core.fsmonitor', 'false');
    git('config', 'user.name', 'Ana # "the one"');
    git('config', 'pager.branch', 'false');
    put('.git/hooks/pre-commit', 'x');
    put('sub/b.txt', 'x');
    expect(traits()).toEqual({ gitRuns: undefined, npmrc: false });
    expect(traits(join(root, 'sub'))).toEqual({ gitRuns: undefined, npmrc: false });
  });

  it.each([
    ['core.fsmonitor', './evil'],
    ['diff.external', './evil'],
    ['diff.x.textconv', './evil'],
    ['diff.a.b.command', './evil'],
    ['filter.x.clean', './evil'],
    ['filter.x.smudge', './evil'],
    ['filter.x.process', './evil'],
    ['core.pager', './evil'],
    ['pager.log', './evil'],
    ['alias.st', '!./evil'],
    ['core.sshcommand', './evil'],
    ['gpg.program', './evil'],
    ['gpg.ssh.program', './evil'],
    ['include.path', '../evil'],
    ['includeif.gitdir:/.path', '../evil'],
    ['core.worktree', '/etc'],
    ['credential.helper', '!./evil'],
    ['interactive.difffilter', './evil'],
    ['merge.x.driver', './evil'],
    ['protocol.ext.allow', 'always'],
  ])('%s', (key, value) => {
    git('config', '-f', join(root, '.git/config'), key, value);
    expect(traits().gitRuns).toBe(key);
    expect(traits(root).gitRuns).toBe(key);
  });

  it('reads a configuration as git does', () => {
    for (const text of [
      '[core] fsmonitor = ./evil\n',
      '[CORE]\n\tFSMonitor=./evil\n',
      '[core]\n fsmonitor = \\\n ./evil\n',
      '[core]\n fsmonitor\n',
      '\ufeff[core]\r\n fsmonitor = "./evil"\r\n',
      '# x\n[a "b\\"]\\\\c"]\n x = "[core]"\n[core] ; y\n fsmonitor = ./e\n',
    ]) {
      put('.git/config', text);
      expect(traits().gitRuns, text).toBe('core.fsmonitor');
    }
    put('.git/config', '[a]\n x = "\\n# [core]\\\n fsmonitor = y"\n[core]\n bare = false # fsmonitor = x\n');
    expect(traits().gitRuns).toBeUndefined();
    for (const text of [
      '[core\n',
      'x = y\n',
      '[core]\n = y\n',
      '[core]\n x = "y\n',
      '[a]\n x = \\q\n',
      '[core]\n fs_monitor = x\n',
    ]) {
      put('.git/config', text);
      expect(traits().gitRuns, text).toContain('config');
    }
  });

  it('never waits for a pipe, follows no link and reads nothing large', () => {
    rmSync(join(root, '.git/config'));
    execFileSync('mkfifo', [join(root, '.git/config')]);
    expect(traits().gitRuns).toContain('config');
    rmSync(join(root, '.git/config'));
    symlinkSync('/etc/hostname', join(root, '.git/config'));
    expect(traits().gitRuns).toContain('config');
    rmSync(join(root, '.git/config'));
    put('.git/config', `# ${'x'.repeat(300_000)}\n`);
    expect(traits().gitRuns).toContain('config');
  });

  it('is a hook that reading sets off, wherever the hooks are', () => {
    put('.git/hooks/post-index-change', 'x');
    expect(traits().gitRuns).toBe('hooks/post-index-change');
    rmSync(join(root, '.git/hooks/post-index-change'));
    git('config', 'core.hooksPath', '.husky/_');
    put('.husky/_/pre-commit', 'x');
    expect(traits().gitRuns).toBeUndefined();
    put('.husky/_/reference-transaction', 'x');
    expect(traits().gitRuns).toBe('core.hookspath');
  });

  it('is seen from linked trees, and for each tree', () => {
    git('worktree', 'add', '-q', join(base, 'other'));
    expect(traits(join(base, 'other')).gitRuns).toBeUndefined();
    git('config', 'extensions.worktreeConfig', 'true');
    expect(traits().gitRuns).toBeUndefined();
    put('.git/config.worktree', '[core]\n fsmonitor = x\n');
    expect(traits().gitRuns).toBe('core.fsmonitor');
    git('config', 'diff.external', './evil');
    expect(traits(join(base, 'other')).gitRuns).toBe('diff.external');
  });

  it('is seen in submodules and in repositories that the index names', () => {
    execFileSync('git', ['clone', '-q', root, join(base, 'lib')]);
    git('submodule', 'add', '-q', join(base, 'lib'), 'lib');
    expect(traits().gitRuns).toBeUndefined();
    expect(traits(join(root, 'lib')).gitRuns).toBeUndefined();
    git('-C', 'lib', 'config', 'core.fsmonitor', './evil');
    expect(traits().gitRuns).toBe('core.fsmonitor of the submodule lib');
    git('update-index', '--index-version', '4');
    expect(traits().gitRuns).toBe('core.fsmonitor of the submodule lib');
  });

  it('is a folder that looks like a bare repository', () => {
    put('HEAD', 'ref: refs/heads/main\n');
    expect(traits().gitRuns).toBeUndefined();
    put('config', '[core]\n');
    expect(traits().gitRuns).toBe('HEAD and config');
    mkdirSync(join(root, 'objects'));
    mkdirSync(join(root, 'refs'));
    mkdirSync(join(root, 'deep'));
    expect(traits().gitRuns).toBe('HEAD, objects and refs');
    rmSync(join(root, '.git'), { recursive: true });
    expect(traits(join(root, 'deep')).gitRuns).toBe('HEAD, objects and refs');
  });

  it('is unknown for a pointer that leads nowhere, and nothing without a repository', () => {
    rmSync(join(root, '.git'), { recursive: true });
    expect(traits().gitRuns).toBeUndefined();
    put('.git', 'gitdir: ../gone\n');
    expect(traits().gitRuns).toContain('.git');
  });
});

describe('.npmrc', () => {
  it('counts in the folder and above it in the repository', () => {
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(base, '.npmrc'), 'x=1\n');
    expect(traits(join(root, 'sub')).npmrc).toBe(false);
    put('.npmrc', 'x=1\n');
    expect(traits(join(root, 'sub')).npmrc).toBe(true);
    expect(traits().npmrc).toBe(true);
  });
});

describe('personal files below', () => {
  const look = createBelowLook((path) => isPersonalPath(path, []));
  const below = (dir: string) => look.personal(dir);

  it('are found by name, in real folders only', () => {
    put('src/a.ts', 'x');
    put('pkg/deep/er/.env.local', 'x');
    put('node_modules/x/.env', 'x');
    put('.env.example', 'x');
    symlinkSync(join(root, 'pkg'), join(root, 'src', 'link'));
    expect(below(root)).toBe(true);
    expect(below(join(root, 'src'))).toBe(false);
    expect(below(join(root, 'gone'))).toBe(false);
    rmSync(join(root, 'pkg'), { recursive: true });
    expect(below(root)).toBe(false);
  });

  it('are seen when they come and go between two looks', async () => {
    put('a/b/x.ts', 'x');
    expect(below(root)).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(below(root)).toBe(false);
    put('a/b/.env', 'x');
    expect(below(root)).toBe(true);
    rmSync(join(root, 'a/b/.env'));
    expect(below(root)).toBe(false);
  });

  it('are looked for within bounds', () => {
    put('a/b/c/d/e/.env', 'x');
    expect(below(root)).toBe(true);
    rmSync(join(root, 'a'), { recursive: true });
    put('a/b/c/d/e/f/.env', 'x');
    expect(below(root)).toBe(false);
    for (let i = 0; i < 3001; i++) put(`m/${i}`, '');
    put('m/z/.env', 'x');
    expect(below(join(root, 'm'))).toBe(false);
  });
});
