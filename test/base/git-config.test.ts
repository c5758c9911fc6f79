/** Git settings as git itself reads them, and which of them run programs. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseGitConfig } from '../../src/base/git-config.js';
import { runsSometime } from '../../src/base/git-programs.js';

const folder = mkdtempSync(join(tmpdir(), 'git-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What git makes of a text; undefined: it refuses it. */
function byGit(text: string): { key: string; value: string | undefined }[] | undefined {
  const file = join(folder, 'config');
  writeFileSync(file, text);
  try {
    const out = execFileSync('git', ['config', '--no-includes', '--file', file, '--list', '-z'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return out
      .toString('utf8')
      .split('\0')
      .filter(Boolean)
      .map((line) => {
        const at = line.indexOf('\n');
        return at < 0 ? { key: line, value: undefined } : { key: line.slice(0, at), value: line.slice(at + 1) };
      });
  } catch {
    return undefined;
  }
}

const TEXTS = [
  '[user] [core] fsmonitor = touch x\n',
  '[user] [include] path = /tmp/x\n',
  '[filter "]"] clean = touch x\n',
  '[filter "a\\"]b"] clean = touch x\n',
  '[core]\n\tfsmonitor = false\f\n',
  '[core] fsmonitor = false\u00a0\n',
  '[core]\n fsmonitor = fa\\\nlse\n',
  '[core]fsmonitor="touch x";c\n',
  '[CORE] FSMonitor\n',
  '[core.Sub] Key = v # c\n',
  '\ufeff[core] editor = x\n',
  '[a] b = "x\\ty" z \\"q\\" \r\n[a "B c"]\r\n d = e  f  \n',
  '[a] # [core] fsmonitor = x\n b = c\n',
  '[core]\n\vfsmonitor = x\n',
  '[a]\nb = "open\n',
  '[a "x\ny"] b = c\n',
  'b = c\n',
  '[a] b : c\n',
  '[] b = c\n',
  '[a] b = \\q\n',
];

describe('parseGitConfig', () => {
  it.each(TEXTS)('reads %j as git does, or not at all', (text) => {
    const ours = parseGitConfig(text);
    const theirs = byGit(text);
    // Refusing what git takes is safe: it counts as running.
    if (ours !== undefined && theirs !== undefined) expect(ours).toEqual(theirs);
    if (theirs?.some(runsSometime)) expect(ours === undefined || ours.some(runsSometime)).toBe(true);
  });
  it('understands the ordinary ones', () => {
    expect(TEXTS.filter((text) => byGit(text) !== undefined && parseGitConfig(text) === undefined)).toEqual(['b = c\n']);
  });
});

describe('runsSometime', () => {
  const keyOf = (line: string) => ({
    key: line.split('=')[0] ?? '',
    value: line.includes('=') ? line.slice(line.indexOf('=') + 1) : undefined,
  });
  it.each(
    'core.fsmonitor=x core.fsmonitor=2 core.hookspath=h core.editor=x core.pager=x pager.log=x include.path=x includeif.gitdir:/.path=x alias.st=status filter.].clean=x diff.a.textconv=x difftool.a.cmd=x mergetool.a.path=x sequence.editor=x gc.recentobjectshook=x hook.a.command=x tar.a.command=x imap.tunnel=x sendemail.tocmd=x sendemail.x.smtpserver=/x submodule.a.update=!x lfs.customtransfer.a.path=x trailer.a.cmd=x credential.https://h.helper=!x remote.o.vcs=x protocol.ext.allow=always uploadpack.packobjectshook=x instaweb.httpd=x core.fsmonitor=false\f'.split(
      ' ',
    ),
  )('%s runs a program', (line) => expect(runsSometime(keyOf(line))).toBe(true));
  it.each(
    'core.fsmonitor core.fsmonitor=false core.bare=false core.pager=cat pager.log=false remote.o.url=x remote.o.fetch=+a:b remote.o.partialclonefilter=blob:none branch.main.remote=o user.name=x credential.helper= submodule.a.update=rebase submodule.a.url=x core.worktree=../.. extensions.worktreeconfig=true core.sparsecheckout=true init.defaultbranch=main commit.template=x'.split(
      ' ',
    ),
  )('%s runs none', (line) => expect(runsSometime(keyOf(line))).toBe(false));
});
