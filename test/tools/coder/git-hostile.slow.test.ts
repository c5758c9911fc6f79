/** Repositories that want to run something when they are read. Each trap is shown to work with plain git. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitBranchTool } from '../../../src/tools/coder/git-branch.js';
import { gitChangedTool } from '../../../src/tools/coder/git-changed.js';
import { gitDiffTool } from '../../../src/tools/coder/git-diff.js';
import { gitLogTool } from '../../../src/tools/coder/git-log.js';
import { gitStatusTool } from '../../../src/tools/coder/git-status.js';
import { type PlainContext, plainContext } from './plain-context.js';

const sh = (cwd: string, script: string): string =>
  execFileSync('bash', ['-e', '-c', script], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

function repository(env: Record<string, string> = {}): PlainContext & { readonly mark: string; readonly trap: string } {
  const plain = plainContext({ env });
  sh(
    plain.root,
    'git init -q -b main .; git config user.name Ann; git config user.email a@b.c; echo v1 > a.txt; git add a.txt; git commit -q -m base',
  );
  const mark = join(mkdtempSync(join(tmpdir(), 'mark-')), 'PWNED');
  const trap = join(mkdtempSync(join(tmpdir(), 'trap-')), 'trap.sh');
  writeFileSync(trap, `#!/bin/sh\ntouch '${mark}'\ncat\n`, { mode: 0o755 });
  return { ...plain, mark, trap };
}

/** Every tool in every form; faults are fine, running something is not. */
async function readAll(plain: PlainContext): Promise<string> {
  const calls = [
    gitStatusTool.run({}, plain.context),
    gitDiffTool.run({}, plain.context),
    gitDiffTool.run({ staged: true }, plain.context),
    gitDiffTool.run({ file: 'a.txt' }, plain.context),
    gitDiffTool.run({ stat: true }, plain.context),
    gitLogTool.run({ limit: 5 }, plain.context),
    gitLogTool.run({ oneline: true, path: 'a.txt' }, plain.context),
    gitChangedTool.run({}, plain.context),
    gitChangedTool.run({ staged: true }, plain.context),
    gitBranchTool.run({ all: true }, plain.context),
  ];
  const results = await Promise.allSettled(calls);
  return results.map((result) => (result.status === 'fulfilled' ? result.value.output : String(result.reason))).join('\n');
}

interface Trap {
  readonly name: string;
  /** Sets the trap; `$TRAP` is the program that leaves the mark. */
  readonly set: string;
  /** A plain git command that falls into it; absent where that takes a terminal. */
  readonly control?: string;
  /** What the tools must still show. */
  readonly shows?: string;
}

const CHANGE = 'echo v2 > a.txt';
const TRAPS: readonly Trap[] = [
  { name: 'core.fsmonitor', set: `git config core.fsmonitor "$TRAP"; ${CHANGE}`, control: 'git status', shows: '+v2' },
  { name: 'diff.external', set: `git config diff.external "$TRAP"; ${CHANGE}`, control: 'git diff', shows: '+v2' },
  {
    name: 'a diff driver of an attribute',
    set: `echo '* diff=evil' > .gitattributes; git config diff.evil.command "$TRAP"; ${CHANGE}`,
    control: 'git diff',
    shows: '+v2',
  },
  {
    name: 'textconv',
    set: `echo '* diff=evil' > .git/info/attributes; git config diff.evil.textconv "$TRAP"; ${CHANGE}`,
    control: 'git diff',
    shows: '+v2',
  },
  {
    name: 'a clean filter',
    set: `echo '* filter=evil' > .gitattributes; git config filter.evil.clean "$TRAP"; ${CHANGE}`,
    control: 'git diff',
    shows: '+v2',
  },
  {
    name: 'a required filter process with a strange name',
    set: `printf '* filter=e=v.i"l\\n' > .gitattributes; git config 'filter.e=v.i"l.process' "$TRAP"; git config 'filter.e=v.i"l.required' true; ${CHANGE}`,
    control: 'git diff || true',
    shows: '+v2',
  },
  {
    name: 'a filter from an included file',
    set: `echo '* filter=evil' > .gitattributes; printf '[filter "evil"]\\n clean = %s\\n' "$TRAP" > .git/more; git config include.path more; ${CHANGE}`,
    control: 'git diff',
    shows: '+v2',
  },
  {
    name: 'a hook on index refresh',
    set: `cp "$TRAP" .git/hooks/post-index-change; ${CHANGE}; git stash -q; touch -d 2001-01-01 a.txt`,
    control: 'git status',
  },
  {
    name: 'a hooks folder',
    set: `mkdir h; cp "$TRAP" h/post-index-change; git config core.hooksPath h; touch -d 2001-01-01 a.txt`,
    control: 'git status',
  },
  {
    name: 'a signature program',
    set: `git config gpg.program "$TRAP"; git config log.showSignature true
      { git cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP SIGNATURE-----'; } > c; git update-ref refs/heads/main $(git hash-object -t commit -w c); rm c`,
    control: 'git log || true',
    shows: 'base',
  },
  {
    name: 'a format that asks for signatures',
    set: `git config gpg.program "$TRAP"; git config format.pretty '%G?'; git config pretty.oneline '%G?'; git config pretty.medium '%G?'
      { git cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP SIGNATURE-----'; } > c; git update-ref refs/heads/main $(git hash-object -t commit -w c); rm c`,
    control: 'git log || true',
    shows: 'base',
  },
  {
    name: 'a missing object fetched through a remote helper',
    set: `${CHANGE}; git add a.txt; git commit -q -m two; git config core.repositoryFormatVersion 1; git config extensions.partialClone evil
      git config remote.evil.url "ext::sh -c $TRAP%S" ; git config remote.evil.promisor true; git config protocol.ext.allow always; git config protocol.allow always
      git config remote.evil.url "ext::$TRAP"; o=$(git rev-parse HEAD:a.txt); rm -f .git/objects/\${o:0:2}/\${o:2}; echo v3 > a.txt`,
    control: 'timeout 3 git diff || true',
  },
  {
    name: 'a submodule with a monitor of its own',
    set: `git init -q -b main sub; git -C sub -c user.name=A -c user.email=a@b.c commit -q --allow-empty -m s; git add sub 2>/dev/null; git commit -q -m sub
      git -C sub config core.fsmonitor "$TRAP"; git config diff.submodule diff; git config status.submoduleSummary true; git config submodule.recurse true; echo x > sub/x`,
    control: 'git status',
  },
  {
    name: 'a filter from a file included on a condition',
    set: `echo '* filter=evil' > .gitattributes; printf '[filter "evil"]\n clean = %s\n' "$TRAP" > .git/more; git config 'includeIf.gitdir:**.path' more; ${CHANGE}`,
    control: 'git diff',
    shows: '+v2',
  },
  {
    name: 'a filter from a file included on a branch',
    set: `echo '* filter=evil' > .gitattributes; printf '[filter "evil"]\n process = %s\n required = true\n' "$TRAP" > .git/more; git config 'includeIf.onbranch:main.path' more; ${CHANGE}`,
    control: 'git diff || true',
    shows: '+v2',
  },
  {
    name: 'a monitor from a file included on a condition',
    set: `printf '[core]\n fsmonitor = %s\n hooksPath = h\n pager = %s\n' "$TRAP" "$TRAP" > .git/more; git config 'includeIf.gitdir:**.path' more; ${CHANGE}`,
    control: 'git status',
    shows: '+v2',
  },
  {
    name: 'a diff driver in the configuration of a linked work tree',
    set: `git config core.repositoryFormatVersion 1; git config extensions.worktreeConfig true; echo '* diff=evil' > .git/info/attributes
      git config --worktree diff.evil.command "$TRAP"; ${CHANGE}`,
    control: 'git diff',
    shows: '+v2',
  },
  {
    name: 'textconv kept in a cache, by an attributes file of the configuration',
    set: `echo '* diff=evil' > .git/attr; git config core.attributesFile .git/attr; git config diff.evil.textconv "$TRAP"; git config diff.evil.cachetextconv true; ${CHANGE}`,
    control: 'git diff',
    shows: '+v2',
  },
  {
    name: 'an S/MIME signature program',
    set: `git config gpg.x509.program "$TRAP"; git config gpg.format x509; git config log.showSignature true
      { git cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN SIGNED MESSAGE-----\\n \\n x\\n -----END SIGNED MESSAGE-----'; } > c; git update-ref refs/heads/main $(git hash-object -t commit -w c); rm c`,
    control: 'git log || true',
    shows: 'base',
  },
  {
    name: 'an SSH signature program',
    set: `git config gpg.ssh.program "$TRAP"; git config gpg.format ssh; git config gpg.ssh.allowedSignersFile a.txt; git config log.showSignature true
      { git cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN SSH SIGNATURE-----\\n x\\n -----END SSH SIGNATURE-----'; } > c; git update-ref refs/heads/main $(git hash-object -t commit -w c); rm c`,
    control: 'git log || true',
    shows: 'base',
  },
  {
    name: 'aliases, tools and helpers',
    set: `for n in status diff log branch config rev-parse; do git config alias.$n "!$TRAP"; done; git config diff.tool evil; git config difftool.evil.cmd "$TRAP"; git config core.editor "$TRAP"
      git config core.sshCommand "$TRAP"; git config core.askPass "$TRAP"; git config core.gitProxy "$TRAP"; git config credential.helper "!$TRAP"; git config interactive.diffFilter "$TRAP"; git config merge.evil.driver "$TRAP"; ${CHANGE}`,
    shows: '+v2',
  },
  {
    name: 'a pager',
    set: `git config core.pager "$TRAP"; git config pager.log "$TRAP"; git config pager.diff true; ${CHANGE}`,
    shows: '+v2',
  },
];

describe('hostile repositories run nothing', () => {
  it.each(TRAPS)('$name', async ({ set, control, shows }) => {
    const plain = repository();
    sh(plain.root, `TRAP='${plain.trap}'; ${set}`);
    rmSync(plain.mark, { force: true });
    const ran = () => existsSync(plain.mark);
    const index = readFileSync(join(plain.root, '.git/index'));
    const text = await readAll(plain);
    expect(ran(), text).toBe(false);
    expect(readFileSync(join(plain.root, '.git/index')).equals(index), 'the index is not written').toBe(true);
    if (shows !== undefined) expect(text).toContain(shows);
    if (control === undefined) return;
    // The control comes last: it changes what a second reading would see.
    spawnSync('bash', ['-c', control], { cwd: plain.root, timeout: 20_000 });
    expect(ran(), 'plain git falls into the trap').toBe(true);
  });

  it('a filter whose name cannot be written is refused', async () => {
    const plain = repository();
    sh(
      plain.root,
      `printf '* filter=e\\377\\n' > .gitattributes; printf '[filter "e\\377"]\\n clean = %s\\n' '${plain.trap}' >> .git/config; echo v2 > a.txt`,
    );
    expect(await readAll(plain)).toContain('not UTF-8');
    expect(existsSync(plain.mark)).toBe(false);
    spawnSync('git', ['diff'], { cwd: plain.root });
    expect(existsSync(plain.mark), 'plain git falls into the trap').toBe(true);
  });

  it('variables of the caller are not obeyed', async () => {
    const foreign = repository();
    const secret = join(foreign.root, '.git');
    const { trap, mark } = foreign;
    const plain = repository({
      GIT_DIR: secret,
      GIT_WORK_TREE: foreign.root,
      GIT_EXTERNAL_DIFF: trap,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${trap}'`,
      GIT_INDEX_FILE: '/x',
    });
    sh(foreign.root, 'git commit -q --allow-empty -m foreign');
    writeFileSync(join(plain.root, 'a.txt'), 'v2\n');
    const text = await readAll(plain);
    expect(text).not.toContain('foreign');
    expect(text).toContain('+v2');
    expect(existsSync(mark)).toBe(false);
  });
});

describe('repositories that are not what they seem', () => {
  const secret = repository();
  sh(secret.root, 'echo TOPSECRET > s.txt; git add s.txt; git commit -q -m SECRETLOG');

  const expectRefused = async (plain: PlainContext, why: RegExp) => {
    const text = await readAll(plain);
    expect(text).not.toMatch(/TOPSECRET|SECRETLOG/);
    expect(text).toMatch(why);
  };

  it('a bare repository among the files', async () => {
    const plain = plainContext();
    const { trap, mark } = secret;
    sh(
      plain.root,
      `git init -q --bare inner; mv inner/* .; rmdir inner; git config -f config core.fsmonitor '${trap}'; git config -f config core.bare false; git config -f config core.worktree .; echo x > x`,
    );
    await expectRefused(plain, /not a git repository/);
    expect(existsSync(mark)).toBe(false);
    spawnSync('git', ['status'], { cwd: plain.root });
    expect(existsSync(mark), 'plain git falls into the trap').toBe(true);
    rmSync(mark);
  });
  it('a work tree elsewhere', async () => {
    const plain = repository();
    sh(plain.root, `git config core.worktree '${secret.root}'`);
    await expectRefused(plain, /refused: its work tree does not hold/);
    sh(plain.root, 'git config core.worktree /');
    await expectRefused(plain, /refused: its \.git does not lead to/);
  });
  it('a .git file or link that leads to another repository', async () => {
    const plain = plainContext();
    writeFileSync(join(plain.root, '.git'), `gitdir: ${secret.root}/.git\n`);
    await expectRefused(plain, /refused: its \.git leads to .* which belongs to another folder/);
    rmSync(join(plain.root, '.git'));
    sh(plain.root, `ln -s '${secret.root}/.git' .git`);
    await expectRefused(plain, /refused: its \.git leads to/);
  });
  it('history taken from another repository', async () => {
    const plain = repository();
    writeFileSync(join(plain.root, '.git', 'commondir'), `${secret.root}/.git\n`);
    await expectRefused(plain, /refused: it takes its history from/);
  });
  it('a repository of nothing but garbage', async () => {
    const plain = plainContext();
    mkdirSync(join(plain.root, '.git'));
    writeFileSync(join(plain.root, '.git', 'config'), '\0\u001b[31m[[[');
    const text = await readAll(plain);
    expect(text).toMatch(/not a git repository|git (rev-parse|config) failed/);
  });
});
