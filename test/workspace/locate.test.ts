import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultFrom, makePlace, type Place } from './temp.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

describe('where a path lies', () => {
  it('knows inside, outside, siblings and parents in every spelling', async () => {
    place.put('a.txt', 'x');
    place.put('../ws-evil/b.txt', 'x');
    const { locate } = await place.open();
    expect(locate('a.txt')).toMatchObject({ real: join(place.ws, 'a.txt'), shown: 'a.txt', zone: 'inside' });
    expect(locate('.')).toMatchObject({ real: place.ws, shown: '.', zone: 'inside' });
    expect(locate('new/deep/file').zone).toBe('inside');
    expect(locate('../ws-evil/b.txt').zone).toBe('outside');
    expect(locate(`${place.ws}-evil/b.txt`).zone).toBe('outside');
    expect(locate('sub/../../ws-evil/new').zone).toBe('outside');
    expect(locate('..').zone).toBe('outside');
    expect(locate('/').zone).toBe('outside');
  });

  it('follows links before it judges, also dangling ones and chains', async () => {
    mkdirSync(join(place.base, 'outside'));
    place.link('ext', '../outside');
    place.link('dangling', '../outside/nothing');
    place.link('one', 'two');
    place.link('two', '../outside/file');
    place.put('real.txt', 'x');
    place.link('fine', 'real.txt');
    const { locate } = await place.open();
    expect(locate('ext/deep/new.txt')).toMatchObject({ zone: 'outside', real: join(place.base, 'outside/deep/new.txt') });
    expect(locate('dangling').zone).toBe('outside');
    expect(locate('one').zone).toBe('outside');
    expect(locate('ext/../ws/real.txt').zone).toBe('inside');
    expect(locate('fine')).toMatchObject({ zone: 'inside', shown: 'real.txt' });
  });

  it('takes a circle of links for a path like any other', async () => {
    place.link('x', 'y');
    place.link('y', 'x');
    const { locate, readFile } = await place.open();
    expect(locate('x').zone).toBe('inside');
    expect((await faultFrom(readFile('x'))).code).toBe('ELOOP');
    expect((await faultFrom(readFile('x/under'))).code).toMatch(/^(ELOOP|NotFound|ENOTDIR)$/);
  });

  it('accepts a workspace that is reached through a link', async () => {
    place.put('a.txt', 'x');
    const link = join(place.base, 'wslink');
    symlinkSync('ws', link);
    const workspace = await place.open({ root: link });
    expect(workspace.root).toBe(place.ws);
    expect(workspace.locate(join(link, 'a.txt'))).toMatchObject({ zone: 'inside', shown: 'a.txt' });
  });

  it('expands home and variables, and leaves what is unset as written', async () => {
    place.put('sub/a.txt', 'x');
    place.put('price$SUB.txt', 'x');
    const { locate } = await place.open({ env: { SUB: 'sub', HOME: place.home } });
    expect(locate('$SUB/a.txt').shown).toBe('sub/a.txt');
    expect(locate('${SUB}/a.txt').shown).toBe('sub/a.txt');
    expect(locate('$NOPE/a.txt').shown).toBe('$NOPE/a.txt');
    expect(locate('price$SUB.txt').shown).toBe('price$SUB.txt');
    expect(locate('~').real).toBe(place.home);
    expect(locate('~/x').real).toBe(join(place.home, 'x'));
    expect(locate('~root/x').shown).toBe('~root/x');
  });

  it('reads backslashes as slashes only where no such name exists', async () => {
    place.put('src/lib/u.txt', 'x');
    place.put('odd\\name.txt', 'x');
    const { locate } = await place.open();
    expect(locate('src\\lib\\u.txt').shown).toBe('src/lib/u.txt');
    expect(locate('src\\lib\\new.txt').shown).toBe('src/lib/new.txt');
    expect(locate('odd\\name.txt').shown).toBe('odd\\name.txt');
  });

  it('finds a name whatever way its accents are stored', async () => {
    place.put('cafe\u0301.txt', 'x');
    const { locate, readFile } = await place.open();
    expect(locate('caf\u00e9.txt').shown).toBe('cafe\u0301.txt');
    expect((await readFile('caf\u00e9.txt')).bytes.toString()).toBe('x');
  });

  it('refuses NUL and empty paths, and answers very long ones', async () => {
    const { locate, readFile } = await place.open();
    expect((await faultFrom(() => locate('a.txt\0.png'))).code).toBe('InvalidArgs');
    expect((await faultFrom(() => locate('  '))).code).toBe('InvalidArgs');
    for (const length of [300, 5000, 100_000]) {
      const fault = await faultFrom(readFile('x'.repeat(length)));
      expect(fault.code).toBe('ENAMETOOLONG');
      expect(fault.message.length).toBeLessThan(700);
    }
    expect((await faultFrom(readFile('d/'.repeat(3000)))).code).toMatch(/ENAMETOOLONG|NotFound/);
  });

  it('gives the same verdicts in added folders', async () => {
    place.put('../more/a.txt', 'x');
    const workspace = await place.open({ addDirs: ['../more'] });
    expect(workspace.roots).toEqual([place.ws, join(place.base, 'more')]);
    expect(workspace.locate('../more/a.txt')).toMatchObject({ zone: 'inside', shown: join(place.base, 'more/a.txt') });
    expect(workspace.locate('../more/.git/config').zone).toBe('git');
    expect(workspace.locate('../moreover/a.txt').zone).toBe('outside');
  });
});

describe('guarded zones', () => {
  it('knows system paths in every spelling', async () => {
    const workspace = await place.open();
    for (const path of [
      '/etc/passwd',
      '/etc/passwd-',
      '/etc/shadow',
      '/etc/ssh/sshd_config',
      '/proc/self/environ',
      '/dev/zero',
      '/dev/stdin',
      '/sys/kernel',
      '/sbin/x',
      '/etc/../etc/shadow',
    ]) {
      expect([path, workspace.locate(path).zone]).toEqual([path, 'system']);
    }
    place.link('z', '/dev/zero');
    place.link('etc', '/etc');
    expect(workspace.locate('z').zone).toBe('system');
    expect(workspace.locate('etc/passwd').zone).toBe('system');
    expect((await faultFrom(workspace.readFile('z'))).code).toBe('Sensitive');
    workspace.grant('/etc/passwd');
    expect((await faultFrom(workspace.readFile('/etc/passwd'))).code).toBe('Sensitive');
  });

  it('knows personal paths, and opens one only after a person approved it', async () => {
    place.put('../home/.ssh/id_rsa', 'key');
    place.put('.env', 'A=1');
    place.put('.env.production', 'A=1');
    place.put('.env.example', 'A=');
    place.link('harmless.txt', '.env');
    place.link('keys', '../home/.ssh');
    const workspace = await place.open();
    for (const path of [
      '~/.ssh/id_rsa',
      '~/.AWS/credentials',
      '~/.npmrc',
      '.env',
      '.env.production',
      'sub/.ENV.local',
      'harmless.txt',
      'keys/id_rsa',
      '.env.example.local',
    ]) {
      expect([path, workspace.locate(path).zone]).toEqual([path, 'personal']);
    }
    for (const path of ['.env.example', '.env.sample', '.env.template', '.env.dist', '.npmrc', 'env', '.environment'])
      expect([path, workspace.locate(path).zone]).toEqual([path, 'inside']);
    expect((await faultFrom(workspace.readFile('.env'))).code).toBe('Sensitive');
    expect((await faultFrom(workspace.writeFile('.env', Buffer.from('B=2')))).code).toBe('Sensitive');
    workspace.grant(workspace.locate('.env').real);
    expect((await workspace.readFile('.env')).bytes.toString()).toBe('A=1');
    expect((await faultFrom(workspace.readFile('.env.production'))).code).toBe('Sensitive');
    workspace.grant(workspace.locate('~/.ssh/id_rsa').real);
    expect((await workspace.readFile('keys/id_rsa')).bytes.toString()).toBe('key');
    place.put('plain.txt', 'A=3');
    place.link('sub/.env', '../plain.txt');
    expect((await faultFrom(workspace.readFile('sub/.env'))).code).toBe('Sensitive');
    workspace.grant(workspace.locate('sub/.env').real);
    expect((await workspace.readFile('sub/.env')).bytes.toString()).toBe('A=3');
  });

  it('catches a personal folder by its second name when it is a link', async () => {
    place.put('dotfiles/ssh/id_rsa', 'key');
    place.link('../home/.ssh', '../ws/dotfiles/ssh');
    const { locate } = await place.open();
    expect(locate('dotfiles/ssh/id_rsa').zone).toBe('personal');
    expect(locate('~/.ssh/id_rsa').zone).toBe('personal');
  });

  it('guards our own policy and state, but not scratch and not prompts', async () => {
    const { locate } = await place.open();
    for (const path of [
      'coder_policy.json',
      'sub/coder_policy.json',
      '.chatcli/config.json',
      '.chatcli/hooks/x.sh',
      '.CHATCLI/coder_policy.json',
      '~/.chatcli/coder_policy.json',
      '~/.chatcli/trust.json',
    ])
      expect([path, locate(path).zone]).toEqual([path, 'own']);
    expect(locate(join(place.scratch, 'output.txt')).zone).toBe('scratch');
    for (const path of ['.chatcli/agents/x.md', '.chatcli/skills/y/SKILL.md', '.chatcli/commands/z.md'])
      expect(locate(path).zone).toBe('inside');
  });

  it('works in a workspace that lies inside the state folder', async () => {
    const root = join(place.state, 'worktrees/one');
    mkdirSync(root, { recursive: true });
    const { locate } = await place.open({ root });
    expect(locate('a.txt').zone).toBe('inside');
    expect(locate('../two/a.txt').zone).toBe('own');
  });

  it('reads the inside of .git and never writes it, under any name', async () => {
    place.put('.git/config', '[core]');
    place.put('sub/.git', 'gitdir: ../.git/modules/sub\n');
    place.link('alias', '.git');
    const workspace = await place.open();
    for (const path of [
      '.git',
      '.git/config',
      '.git/hooks/pre-commit',
      'sub/.git',
      'sub/../.git/hooks/x',
      'none/../.git/hooks/x',
      'alias/hooks/x',
      '.GIT/config',
      '.g\u200dit/config',
    ])
      expect([path, workspace.locate(path).zone]).toEqual([path, 'git']);
    for (const path of ['.github/workflows/a.yml', '.gitignore', 'x.git/config'])
      expect(workspace.locate(path).zone).toBe('inside');
    expect((await workspace.readFile('.git/config')).bytes.toString()).toBe('[core]');
    const fault = await faultFrom(workspace.writeFile('.git/hooks/pre-commit', Buffer.from('x')));
    expect(fault.code).toBe('Sensitive');
    workspace.grant(workspace.locate('.git/config').real);
    expect((await faultFrom(workspace.writeFile('.git/config', Buffer.from('x')))).code).toBe('Sensitive');
  });

  it('guards a repository folder that lies elsewhere in the workspace', async () => {
    place.put('repo-data/hooks/x', '');
    place.put('.git', 'gitdir: repo-data\n');
    expect((await place.open()).locate('repo-data/hooks/x').zone).toBe('git');
  });
});
