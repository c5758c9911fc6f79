/** Git in a real bubblewrap: work goes on as usual, and nothing can be planted that git would run. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { traceOf } from '../../../src/process/sandbox/newcomers.js';
import { type Confinement, makeConfinement, type RunOptions, runIn, whyNot } from './confined.js';

const reason = await whyNot();

/** Skips where there is nothing to try. */
const real = (name: string, run: () => Promise<void>) =>
  it(name, async (context) => {
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    await run();
  });

function git(place: Confinement, ...words: string[]): string {
  return execFileSync('git', words, {
    cwd: place.workspace,
    env: place.env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('git', () => {
  const place = makeConfinement();
  const box = place.sandbox();
  const run = (command: string, options?: RunOptions) => runIn(place, box, command, options);
  beforeAll(() => {
    git(place, 'init', '-q', '-b', 'main', '.');
    git(place, 'commit', '-q', '--allow-empty', '-m', 'first');
  });
  afterAll(() => place.remove());

  real('commits, branches, merges, rebases and stashes as usual', async () => {
    const script = `set -e
echo 1 > a; git add -A; git commit -qm one
git checkout -q -b side; echo 2 > b; git add b; git commit -qm two
git checkout -q main; echo 3 > c; git add c; git commit -qm three
git merge -q --no-edit side; git checkout -q -b other HEAD~1; echo 4 > d; git add d; git commit -qm four; git rebase -q main
echo 5 >> a; git stash -q; git stash pop -q; git commit -qam five; git tag v1; git gc -q; git worktree list; git log --oneline | wc -l`;
    const ran = await run(script);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.output.trim().split('\n').at(-1)).toBe('7');
    expect(git(place, 'status', '--porcelain')).toBe('');
  });

  real('hooks and settings cannot be changed, whatever way is taken', async () => {
    const before = readFileSync(join(place.workspace, '.git/config'), 'utf8');
    const hooks = readdirSync(join(place.workspace, '.git/hooks'));
    const ways = [
      'echo "#!/bin/sh" > .git/hooks/post-commit',
      'cp a .git/hooks/pre-commit',
      'mv .git/hooks .git/old',
      'rm -rf .git/hooks',
      'chmod 755 .git/hooks',
      'git config core.hooksPath /tmp/evil',
      'git config core.fsmonitor "touch /tmp/evil"',
      'echo "[alias]" >> .git/config',
      'mv a .git/config',
      'ln -sf /tmp/evil .git/config',
      'mv .git .moved',
      'git remote add x https://example.invalid/x',
    ];
    for (const way of ways) {
      const ran = await run(way);
      expect(ran.code, way).not.toBe(0);
      expect(ran.refusal?.text, `${way}: ${ran.output}`).toContain('Sandbox: ');
    }
    expect((await run('touch .git/hooks/x')).refusal).toEqual({
      kind: 'git',
      text: 'Sandbox: .git/hooks/x is read-only here: hooks and settings of a repository can make git run programs.',
    });
    expect(readFileSync(join(place.workspace, '.git/config'), 'utf8')).toBe(before);
    expect(readdirSync(join(place.workspace, '.git/hooks'))).toEqual(hooks);
  });

  real('hooks that are there run', async () => {
    const hook = join(place.workspace, '.git/hooks/post-commit');
    place.write(hook, '#!/bin/sh\necho hooked > hook-ran\n');
    chmodSync(hook, 0o755);
    expect((await run('git commit -q --allow-empty -m hook && cat hook-ran && rm hook-ran')).output).toContain('hooked');
    rmSync(hook);
  });

  real('a repository without a hooks folder gets an empty one that cannot be filled', async () => {
    const hooks = join(place.workspace, '.git/hooks');
    rmSync(hooks, { recursive: true });
    expect((await run('mkdir -p .git/hooks && touch .git/hooks/pre-commit')).refusal?.kind).toBe('git');
    expect(readdirSync(hooks)).toEqual([]);
  });

  real('a redirect of the settings does not outlive the command', async () => {
    const ran = await run('echo ../evil > .git/commondir; mkdir -p evil');
    expect(ran.plan && box.settle([traceOf(ran.plan)])).toEqual([expect.stringContaining('.git/commondir was removed')]);
    expect(existsSync(join(place.workspace, '.git/commondir'))).toBe(false);
    expect(git(place, 'log', '-1', '--format=%s')).toBe('hook\n');
  });

  real('never records an emptied .env', async () => {
    place.write('.gitignore', '.env\n');
    place.write('.env', 'IGNORED=1\n');
    place.write('.env.plain', 'PLAIN=1\n');
    place.write('.env.shared', 'SHARED=1\n');
    place.write('.env.changed', 'OLD=1\n');
    git(place, 'add', '.gitignore', '.env.shared', '.env.changed');
    git(place, 'commit', '-qm', 'env');
    place.write('.env.changed', 'NEW=1\n');
    // Ignored: empty. As recorded: open. Everything git might record: it cannot be opened.
    expect((await run('cat .env')).output).toBe('');
    expect((await run('cat .env.shared')).output).toBe('SHARED=1\n');
    for (const name of ['.env.plain', '.env.changed']) {
      const ran = await run(`cat ${name}`);
      expect(ran.output, name).not.toContain('=1');
      expect(ran.code).toBe(1);
    }
    await run('git add -A; git commit -qam all; git stash -u');
    for (const name of git(place, 'ls-tree', '-r', '--name-only', 'HEAD')
      .split('\n')
      .filter((file) => file.startsWith('.env')))
      expect(git(place, 'show', `HEAD:${name}`), name).not.toBe('');
    expect(readFileSync(join(place.workspace, '.env.changed'), 'utf8')).toBe('NEW=1\n');
    expect(readFileSync(join(place.workspace, '.env.plain'), 'utf8')).toBe('PLAIN=1\n');
  });

  real('leaves a mere copy of the example open', async () => {
    place.write('app/.env.example', 'KEY=put yours here\n');
    expect(await run('cp app/.env.example app/.env')).toMatchObject({ code: 0 });
    expect((await run('cat app/.env')).output).toBe('KEY=put yours here\n');
    place.write('app/.env', 'KEY=REAL\n');
    expect((await run('cat app/.env')).output).not.toContain('REAL');
  });

  real('commits in a linked working tree and in a submodule, without their programs being changed', async () => {
    const tree = join(place.root, 'linked tree');
    git(place, 'worktree', 'add', '-q', '-b', 'linked', tree);
    const own = place.sandbox({ roots: [tree] });
    const cwd = tree;
    expect(
      await runIn(place, own, 'echo x > x && git add x && git commit -qm linked && git log -1 --format=%s', { cwd }),
    ).toMatchObject({
      code: 0,
      output: 'linked\n',
    });
    for (const way of [
      'touch "$(git rev-parse --git-common-dir)/hooks/post-commit"',
      'git config user.name evil',
      'rm .git && git init -q .',
      'echo ref: refs/heads/x > "$(git rev-parse --git-common-dir)/HEAD"',
      `touch '${place.workspace}/planted'`,
    ])
      expect((await runIn(place, own, way, { cwd })).code, way).not.toBe(0);
    git(place, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '-f', tree, 'sub');
    expect(await run('echo y > sub/y && git -C sub add y && git -C sub commit -qm sub')).toMatchObject({ code: 0 });
    expect((await run('git -C sub config a.b c')).code).not.toBe(0);
    expect((await run('touch .git/modules/sub/hooks/post-commit')).code).not.toBe(0);
  });

  real('a forged pointer opens nothing', async () => {
    const victim = join(place.root, 'victim');
    execFileSync('git', ['init', '-q', victim], { env: place.env });
    const forged = join(place.root, 'forged');
    mkdirSync(forged);
    place.write(join(forged, '.git'), `gitdir: ${victim}/.git\n`);
    const own = place.sandbox({ roots: [forged] });
    expect((await runIn(place, own, `touch '${victim}/.git/x'`, { cwd: forged })).refusal?.kind).toBe('read-only');
  });

  real('a workspace below the top of its repository can commit', async () => {
    const below = join(place.workspace, 'packages/one');
    mkdirSync(below, { recursive: true });
    const own = place.sandbox({ roots: [below] });
    expect(await runIn(place, own, 'echo z > z && git add z && git commit -qm below', { cwd: below })).toMatchObject({ code: 0 });
    expect((await runIn(place, own, 'touch ../../outside', { cwd: below })).refusal?.kind).toBe('read-only');
    expect((await runIn(place, own, 'touch ../../.git/hooks/x', { cwd: below })).code).not.toBe(0);
  });
});
