/** The git-* tools on ordinary repositories: flags, formats, strange names, folders below and above. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitBranchTool } from '../../../src/tools/coder/git-branch.js';
import { gitChangedTool } from '../../../src/tools/coder/git-changed.js';
import { gitDiffTool } from '../../../src/tools/coder/git-diff.js';
import { gitLogTool } from '../../../src/tools/coder/git-log.js';
import { gitStatusTool } from '../../../src/tools/coder/git-status.js';
import type { JsonObject } from '../../../src/types/json.js';
import type { Tool } from '../../../src/types/tool.js';
import { type PlainContext, plainContext } from './plain-context.js';

const sh = (cwd: string, script: string): string =>
  execFileSync('bash', ['-e', '-c', script], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** A repository with one commit of `a.txt` (ten lines) on main. */
function repository(): PlainContext {
  const plain = plainContext();
  sh(
    plain.root,
    `git init -q -b main . && git config user.name Ann && git config user.email ann@example.org
     seq 1 10 > a.txt && git add a.txt && git commit -q -m 'base: one'`,
  );
  return plain;
}

const call = async (plain: PlainContext, tool: Tool, args: JsonObject = {}): Promise<string> => {
  const result = await tool.run(args, plain.context);
  expect(result.isError).toBe(false);
  return result.output;
};

describe('git-status', () => {
  it('shows the branch and every kind of change', async () => {
    const plain = repository();
    expect(await call(plain, gitStatusTool)).toBe('## main\nnothing to commit, working tree clean');
    sh(plain.root, 'echo x >> a.txt; echo s > s.txt; git add s.txt; echo n > "new é.txt"');
    expect(await call(plain, gitStatusTool)).toBe('## main\n M a.txt\nA  s.txt\n?? "new é.txt"');
  });
  it('tells that there is no repository', async () => {
    await expect(gitStatusTool.run({}, plainContext().context)).rejects.toMatchObject({
      code: 'NotFound',
      message: expect.stringContaining('not a git repository'),
    });
  });
  it('tells that there is no git', async () => {
    await expect(gitStatusTool.run({}, plainContext({ env: { PATH: '/nowhere' } }).context)).rejects.toThrow(
      'git is not installed',
    );
  });
});

describe('git-diff', () => {
  it('shows the work tree, one file, the index', async () => {
    const plain = repository();
    expect(await call(plain, gitDiffTool)).toMatch(/^no differences \(untracked/);
    sh(plain.root, 'sed -i s/^5$/five/ a.txt; echo b > b.txt; git add b.txt; echo b2 >> b.txt');
    const all = await call(plain, gitDiffTool);
    expect(all).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/);
    expect(all).toContain('\n-5\n+five\n');
    expect(all).toContain('+b2');
    const one = await call(plain, gitDiffTool, { file: 'b.txt' });
    expect(one).toContain('+b2');
    expect(one).not.toContain('five');
    const staged = await call(plain, gitDiffTool, { staged: true });
    expect(staged).toContain('new file mode');
    expect(staged).not.toContain('five');
    expect(await call(plain, gitDiffTool, { file: 'gone.txt' })).toBe(
      'no differences in gone.txt (no such file in the work tree)',
    );
  });
  it('takes context, name-only and stat', async () => {
    const plain = repository();
    sh(plain.root, 'sed -i s/^5$/five/ a.txt');
    expect((await call(plain, gitDiffTool, { context: 0 })).split('\n').slice(4)).toEqual(['@@ -5 +5 @@', '-5', '+five']);
    expect(await call(plain, gitDiffTool, { 'name-only': true })).toBe('a.txt');
    expect(await call(plain, gitDiffTool, { stat: true })).toMatch(/a\.txt \| 2 \+-/);
  });
  it('takes names that look like options, globs or magic', async () => {
    const plain = repository();
    const names = ['--output=x', '*.txt', ':(top)y', '-z'];
    for (const name of names) writeFileSync(join(plain.root, name), 'one\n');
    sh(plain.root, 'git add -A .; git commit -q -m names');
    for (const name of names) writeFileSync(join(plain.root, name), `two ${name}\n`);
    for (const name of names) {
      const diff = await call(plain, gitDiffTool, { file: name });
      expect(diff).toContain(`+two ${name}`);
      expect(diff.match(/^diff --git/gm)).toHaveLength(1);
    }
  });
  it('leaves personal files out unless named, whichever way they changed', async () => {
    const plain = repository();
    sh(
      plain.root,
      'mkdir sub; echo OLD=1 > sub/.env; echo k > k.txt; git add -A; git commit -q -m env; echo SECRET=2 > sub/.env; echo x >> a.txt',
    );
    const all = await call(plain, gitDiffTool);
    expect(all).not.toContain('SECRET');
    expect(all).toContain('+x');
    expect(all).toContain('note: left out sub/.env');
    expect(await call(plain, gitDiffTool, { file: 'sub/.env' })).toContain('SECRET');
    sh(plain.root, 'git checkout -q sub/.env; git mv sub/.env plain.txt');
    expect(await call(plain, gitDiffTool, { staged: true })).not.toContain('-OLD');
    expect(gitDiffTool.facts({ file: 'sub/.env' }).reads).toContain('sub/.env');
  });
  it('shows a link as a link and refuses what lies outside', async () => {
    const plain = repository();
    symlinkSync('/etc', join(plain.root, 'link'));
    sh(plain.root, 'git add link; git commit -q -m link; rm link; ln -s /usr link');
    expect(await call(plain, gitDiffTool)).toContain('+/usr');
    expect(await call(plain, gitDiffTool, { file: 'link' })).toContain('+/usr');
    await expect(gitDiffTool.run({ file: '../x' }, plain.context)).rejects.toMatchObject({ code: 'OutsideWorkspace' });
    await expect(gitDiffTool.run({ file: 'link/passwd' }, plain.context)).rejects.toMatchObject({ code: 'OutsideWorkspace' });
  });
  it('bounds a large diff, keeps both ends, names the whole', async () => {
    const plain = repository();
    sh(plain.root, 'seq 1 50000 > a.txt');
    const diff = await call(plain, gitDiffTool);
    expect(diff.length).toBeLessThanOrEqual(gitDiffTool.limit);
    expect(diff).toContain('+50000');
    expect(diff).toMatch(/bytes left out; the whole output is in /);
  });
  it('shows no terminal codes of a file', async () => {
    const plain = repository();
    writeFileSync(join(plain.root, 'a.txt'), '\u001b[31mred\n');
    expect(await call(plain, gitDiffTool)).toContain('+red');
  });
});

describe('git-log', () => {
  it('shows ten commits, or as many as asked, short or long', async () => {
    const plain = repository();
    sh(
      plain.root,
      'for i in $(seq 1 12); do git commit -q --allow-empty -m "c$i"; done; echo x >> a.txt; git commit -qam "last\n\nwith body" ',
    );
    const long = await call(plain, gitLogTool);
    expect(long.match(/^commit [0-9a-f]{40}/gm)).toHaveLength(10);
    expect(long).toMatch(
      /^commit [0-9a-f]{40} \(HEAD -> main\)\nAuthor: Ann <ann@example\.org>\nDate: {3}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /,
    );
    expect(long).toMatch(/\n\n {4}c12\n\ncommit /);
    const short = await call(plain, gitLogTool, { oneline: true, limit: 3 });
    expect(short).toMatch(/^[0-9a-f]{7,} \(HEAD -> main\) last[^\n]*\n[0-9a-f]{7,} c12\n[0-9a-f]{7,} c11$/);
    expect((await call(plain, gitLogTool, { oneline: true, path: 'a.txt' })).split('\n')).toHaveLength(2);
    expect(await call(plain, gitLogTool, { path: 'none.txt' })).toBe('no commits touch none.txt');
  });
  it('says that there are none yet', async () => {
    const plain = plainContext();
    sh(plain.root, 'git init -q -b main .; echo x > x; git add x');
    expect(await call(plain, gitLogTool)).toBe('no commits yet');
    expect(await call(plain, gitBranchTool)).toBe('* main (no commits yet)');
    expect(await call(plain, gitChangedTool, { staged: true })).toBe('A x');
    expect(await call(plain, gitDiffTool, { staged: true })).toContain('+x');
  });
});

describe('git-changed', () => {
  it('lists letters and whole names: unstaged, staged, both, renamed, untracked, strange', async () => {
    const plain = repository();
    expect(await call(plain, gitChangedTool)).toBe('no changed files');
    expect(await call(plain, gitChangedTool, { staged: true })).toBe('nothing is staged');
    sh(
      plain.root,
      `seq 1 20 > old.txt; mkdir d; echo 1 > d/b; git add -A; git commit -q -m more
       echo x >> a.txt; git mv old.txt 'né w.txt'; echo s > s; git add s; echo t >> s; rm d/b; mkdir deep; echo u > deep/u; printf x > $'line\\nbreak'`,
    );
    expect((await call(plain, gitChangedTool)).split('\n').sort()).toEqual(
      ['M a.txt', 'R old.txt -> né w.txt', 'AM s', 'D d/b', '?? deep/u', '?? "line\\nbreak"'].sort(),
    );
    expect((await call(plain, gitChangedTool, { staged: true })).split('\n').sort()).toEqual(
      ['A s', 'R old.txt -> né w.txt'].sort(),
    );
  });
  it('tells names apart that are not UTF-8, hold line ends or quotes', async () => {
    const plain = repository();
    sh(
      plain.root,
      `printf x > $'a\\377'; printf x > $'a\\376'; printf x > 'new\nline "q"'; printf x > 'é'; git mv a.txt $'b \\375'`,
    );
    expect((await call(plain, gitChangedTool)).split('\n').sort()).toEqual(
      ['?? "a\\376"', '?? "a\\377"', '?? "new\\nline \\"q\\""', '?? "\\303\\251"', 'R a.txt -> "b \\375"'].sort(),
    );
    const status = await call(plain, gitStatusTool);
    expect(status).toContain('?? "a\\376"\n?? "a\\377"\n');
  });
  it('lists conflicts', async () => {
    const plain = repository();
    sh(
      plain.root,
      'git checkout -q -b side; echo s > a.txt; git commit -qam s; git checkout -q main; echo m > a.txt; git commit -qam m; git merge side >/dev/null || true',
    );
    expect(await call(plain, gitChangedTool)).toBe('UU a.txt');
  });
});

describe('git-branch', () => {
  it('marks the current one; all adds remote ones', async () => {
    const plain = repository();
    sh(plain.root, 'git branch side; git update-ref refs/remotes/origin/main HEAD');
    expect(await call(plain, gitBranchTool)).toBe('* main\n  side');
    expect(await call(plain, gitBranchTool, { all: true })).toBe('* main\n  side\n  remotes/origin/main');
    sh(plain.root, 'git checkout -q --detach');
    expect(await call(plain, gitBranchTool)).toMatch(/^\* \(HEAD detached at [0-9a-f]+\)\n {2}main\n {2}side$/);
  });
});

describe('folders', () => {
  it('take dir, below the top and in a nested repository', async () => {
    const plain = repository();
    mkdirSync(join(plain.root, 'sub'));
    sh(
      plain.root,
      'echo 1 > sub/f; git add sub; git commit -q -m sub; echo 2 > sub/f; git init -q -b inner nested; echo n > nested/n',
    );
    expect(await call(plain, gitChangedTool, { dir: 'sub' })).toContain('M sub/f');
    expect(await call(plain, gitDiffTool, { dir: 'sub' })).toContain('+2');
    expect(await call(plain, gitStatusTool, { dir: 'nested' })).toContain('## No commits yet on inner');
    expect(await call(plain, gitChangedTool, { dir: 'nested' })).toBe('?? nested/n');
    await expect(gitStatusTool.run({ dir: '..' }, plain.context)).rejects.toMatchObject({ code: 'OutsideWorkspace' });
  });
  it('show only the workspace of a larger repository', async () => {
    const top = repository();
    sh(
      top.root,
      'mkdir -p ws/in; echo 1 > ws/in/f; echo 1 > above; git add -A; git commit -q -m all; echo 2 > ws/in/f; echo 2 > above; echo u > ../x; echo u > u',
    );
    const plain = plainContext({ root: join(top.root, 'ws') });
    expect(await call(plain, gitChangedTool)).toBe('M in/f');
    expect(await call(plain, gitStatusTool)).toBe('## main\n M in/f');
    const diff = await call(plain, gitDiffTool, { dir: 'in' });
    expect(diff).toContain('diff --git a/in/f b/in/f');
    expect(diff).not.toContain('above');
    await expect(gitDiffTool.run({ file: '../above' }, plain.context)).rejects.toMatchObject({ code: 'OutsideWorkspace' });
  });
  it('work in linked work trees and submodules', async () => {
    const plain = repository();
    const linked = join(mkdtempSync(join(tmpdir(), 'linked-')), 'tree');
    sh(plain.root, `git worktree add -q '${linked}' -b other; echo w >> '${linked}/a.txt'`);
    const other = plainContext({ root: linked });
    expect(await call(other, gitChangedTool)).toBe('M a.txt');
    expect(await call(other, gitBranchTool)).toBe('+ main\n* other');
    sh(
      plain.root,
      `git -c protocol.file.allow=always submodule --quiet add '${plain.root}/.git' mod 2>/dev/null; git commit -q -m mod; echo m >> mod/a.txt`,
    );
    expect(await call(plain, gitChangedTool, { dir: 'mod' })).toBe('M mod/a.txt');
    const inner = plainContext({ root: join(plain.root, 'mod') });
    expect(await call(inner, gitDiffTool)).toContain('+m');
  });
});

it('reads only, after earlier writers', () => {
  for (const tool of [gitStatusTool, gitDiffTool, gitLogTool, gitChangedTool, gitBranchTool])
    expect(tool.facts({})).toMatchObject({ readOnly: true, writes: [], order: 'tree', label: { verb: 'git' } });
});
