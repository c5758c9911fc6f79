/** An isolated agent's repository shares nothing that can be written, and a kept branch holds its own change alone. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bench } from './place.js';

const W = '-c user.name=w -c user.email=w@w';

describe('the repository of an isolated agent', () => {
  it('keeps refs, stash, index and settings of the user as they are; commits made there are named', async () => {
    const place = bench({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    place.git('branch', 'precious');
    place.write({ 'b.txt': 'stashed\n' });
    place.git('stash', '-q');
    place.write({ 'a.txt': 'not committed\n', 'b.txt': 'staged\n' });
    place.git('add', 'b.txt');
    const state = () =>
      [
        ['for-each-ref'],
        ['status', '--porcelain'],
        ['diff', '--cached'],
        ['config', '--local', '-l'],
        ['worktree', 'list'],
        ['reflog'],
      ].map((words) => place.git(...words));
    const before = state();
    const tree = await place.open();
    expect(tree.sh('git log --oneline master precious').split('\n')).toHaveLength(2);
    tree.sh(`echo w > w.txt && git add w.txt && git ${W} commit -qm "my commit" && git update-ref refs/heads/precious HEAD`);
    tree.sh(`git tag v9 && git ${W} stash -q && git switch -qc feature && git config user.name evil && git reflog expire --all`);
    tree.sh('git remote add evil http://127.0.0.1:9/x; git worktree prune; git gc -q --prune=now');
    expect(state()).toEqual(before);
    expect(place.git('stash', 'list').split('\n')).toHaveLength(2);
    const commits = await tree.commits();
    expect(commits?.some((row) => row.endsWith(' my commit'))).toBe(true);
    // A plain commit takes what was staged there, never what the user has not committed.
    expect(tree.sh('git show --stat --format= precious')).not.toContain('a.txt');
    place.git('fsck', '--strict');
  });

  it('names no commits where none were made, whatever branches the user has', async () => {
    const place = bench({ 'a.txt': 'a\n' });
    place.git('switch', '-qc', 'other');
    place.git('commit', '-q', '--allow-empty', '-m', 'of the user');
    place.git('switch', '-q', 'master');
    const tree = await place.open();
    expect(await tree.commits()).toEqual([]);
    tree.sh('git switch -q other');
    expect(await tree.commits()).toEqual([]);
  });

  it('gets no private files, and the branch gets nothing of the user that is not committed', async () => {
    const body = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('');
    const place = bench({ 'a.txt': body, 'b.txt': 'b\n', '.env.production': 'TRACKED=1\n' });
    place.write({ '.env': 'KEY=supersecret\n', 'draft.txt': 'mine alone\n', 'a.txt': body.replace('line 25\n', 'mine alone\n') });
    const tree = await place.open();
    expect([tree.has('.env'), tree.has('.env.production'), tree.read('draft.txt')]).toEqual([false, false, 'mine alone\n']);
    expect(tree.sh('git status --short')).not.toContain('.env');
    tree.put({ 'a.txt': tree.read('a.txt').replace('line 2\n', 'worker\n'), 'new.txt': 'n\n' });
    tree.sh('rm b.txt; chmod +x new.txt');
    expect(await tree.branch()).toBe(true);
    expect(place.git('log', '--format=%s', 'chatcli/one').trim().split('\n')).toEqual(['tester: task', 'as found']);
    expect(place.git('diff', '--raw', '--abbrev=4', '--no-renames', 'master', 'chatcli/one')).toMatch(
      /^:100644 100644 \w+ \w+ M\ta\.txt\n:100644 000000 \w+ 0000 D\tb\.txt\n:000000 100755 0000 \w+ A\tnew\.txt\n$/,
    );
    expect(place.git('show', 'chatcli/one:a.txt')).toBe(body.replace('line 2\n', 'worker\n'));
    expect(existsSync(join(place.root, 'worktrees/one/desk'))).toBe(false);
    expect(place.git('status', '--porcelain').split('\n').sort()).toEqual(['', ' M a.txt', '?? .env', '?? draft.txt']);
    // Nothing of it lies among the objects either.
    const objects = place
      .git('cat-file', '--batch-check', '--batch-all-objects')
      .split('\n')
      .filter((row) => row.includes(' blob '));
    const texts = objects.map((row) => place.git('cat-file', 'blob', row.split(' ')[0] ?? ''));
    expect(texts.filter((text) => /supersecret|mine alone/.test(text))).toEqual([]);
  });

  it('makes no branch where its change cannot be told apart from what is not committed', async () => {
    const place = bench({ 'a.txt': 'one\ntwo\n' });
    place.write({ 'a.txt': 'one\nof the user\n', 'draft.txt': 'd\n' });
    const tree = await place.open();
    tree.put({ 'a.txt': 'one\nof the worker\n' });
    expect(await tree.branch()).toBe(false);
    tree.put({ 'a.txt': 'one\nof the user\n', 'draft.txt': 'longer\n' });
    expect(await tree.branch()).toBe(false);
    expect(place.git('branch', '--list', 'chatcli/*')).toBe('');
  });

  it('runs nothing the repository or the agent brings, and reads nothing from elsewhere', async () => {
    const place = bench({ 'a.txt': 'a\n', '.gitattributes': '*.txt filter=evil diff=evil\n' });
    const mark = join(place.root, 'ran');
    const script = `touch ${mark}; cat`;
    for (const name of ['clean', 'smudge', 'process']) place.git('config', `filter.evil.${name}`, script);
    place.git('config', 'core.fsmonitor', `touch ${mark}`);
    for (const name of ['post-checkout', 'post-index-change', 'reference-transaction'])
      writeFileSync(join(place.repo, '.git/hooks', name), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const tree = await place.open();
    tree.put({ 'a.txt': 'b\n' });
    const config = `[core]\nfsmonitor = touch ${mark}\nsshCommand = touch ${mark}\n[filter "evil"]\nclean = ${script}\n[log]\nshowSignature = true\n`;
    writeFileSync(join(tree.top, '.git/config'), config);
    expect((await tree.changes()).changes.map(({ path }) => path)).toEqual(['a.txt']);
    await tree.commits();
    expect(await tree.branch()).toBe(true);
    expect(existsSync(mark)).toBe(false);
    tree.sh(`rm -rf .git && echo "gitdir: ${join(place.repo, '.git')}" > .git`);
    expect(await tree.commits()).toBeUndefined();
    expect((await tree.changes()).changes.map(({ path }) => path)).toEqual(['a.txt']);
    await tree.remove();
    expect(existsSync(join(place.root, 'worktrees/one'))).toBe(false);
    expect(place.git('rev-parse', 'HEAD')).not.toBe('');
  });

  it.each([
    'a folder in it',
    'a linked work tree',
    'no branch checked out',
    'sparse',
    'shallow',
    'SHA-256',
    'with a submodule',
    'with odd names',
  ])('can be made of a repository: %s', async (kind) => {
    const place = bench(
      { 'a.txt': 'a\n', 'sub/b.txt': 'b\n', 'far/c.txt': 'c\n' },
      kind === 'SHA-256' ? ['--object-format=sha256'] : [],
    );
    let workspace = place.repo;
    if (kind === 'a folder in it') workspace = join(place.repo, 'sub');
    if (kind === 'a linked work tree') {
      workspace = join(place.root, 'linked');
      place.git('worktree', 'add', '-q', workspace);
    }
    if (kind === 'no branch checked out') place.git('checkout', '-q', '--detach');
    if (kind === 'sparse') place.git('sparse-checkout', 'set', 'sub');
    if (kind === 'shallow') {
      place.git('commit', '-q', '--allow-empty', '-m', 'more');
      workspace = join(place.root, 'clone');
      execFileSync('git', ['clone', '-q', '--depth=1', `file://${place.repo}`, workspace]);
    }
    if (kind === 'with a submodule') {
      place.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', place.repo, 'module');
      place.git('commit', '-qm', 'module');
    }
    if (kind === 'with odd names') {
      place.write({ 'new\nline "q" #.txt': '1', 'é ü.txt': '2', '-rf': '3', ':(top)x': '4' });
      mkdirSync(join(place.repo, 'real'));
      symlinkSync('real', join(place.repo, 'to'));
    }
    const tree = await place.open(workspace);
    const status = tree.sh('git status --porcelain');
    expect(status).toBe(execFileSync('git', ['status', '--porcelain'], { cwd: workspace, encoding: 'utf8' }));
    expect(await tree.changes()).toEqual({ changes: [], ignored: [], repositories: [] });
    expect(await tree.commits()).toEqual([]);
    const name = 'sub/b.txt';
    tree.put({ [name]: 'mine\n' });
    expect((await tree.changes()).changes.map(({ path }) => path)).toEqual([name]);
    expect(await tree.branch()).toBe(true);
    const kept = execFileSync('git', ['show', `chatcli/one:${name}`], { cwd: workspace, encoding: 'utf8' });
    expect(kept).toBe('mine\n');
    expect(readdirSync(join(place.root, 'worktrees')).sort()).toEqual(['one']);
  });
});
