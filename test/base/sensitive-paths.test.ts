import { describe, expect, it } from 'vitest';
import {
  isGitName,
  isOwnProjectPath,
  isPersonalPath,
  isSecretName,
  isSystemPath,
  isWithin,
  personalPaths,
} from '../../src/base/sensitive-paths.js';

describe('sensitive paths', () => {
  it('system: folders with all below, files with every name that begins so', () => {
    for (const path of [
      '/dev',
      '/dev/null',
      '/proc/1/mem',
      '/etc/ssh/x',
      '/etc/shadow-',
      '/etc/passwd',
      '/ETC/PASSWD',
      '/run/secrets/token',
      'C:\\Windows\\System32\\x',
      'c:/windows',
    ])
      expect([path, isSystemPath(path)]).toEqual([path, true]);
    for (const path of ['/devices', '/etc/hosts', '/home/dev/x', '/process', '/dev/shm/ws/a', '/etc/sshd'])
      expect([path, isSystemPath(path)]).toEqual([path, false]);
    expect(isSystemPath('/usr/sbin/x', ['/usr/sbin/'])).toBe(true);
  });

  it('personal: below home whatever the case, and .env files anywhere', () => {
    const list = personalPaths('/home/U/');
    for (const path of ['/home/u/.ssh', '/home/U/.SSH/id', '/home/U/.docker/config.json', '/x/.env', '/x/.env.prod'])
      expect([path, isPersonalPath(path, list)]).toEqual([path, true]);
    for (const path of ['/home/U/.sshx', '/home/U/.docker/other', '/x/.npmrc', '/x/.env.example', '/x/.environment'])
      expect([path, isPersonalPath(path, list)]).toEqual([path, false]);
    expect(['.env', '.ENV.Local', '.env.example.local', '.env~'].map(isSecretName)).toEqual([true, true, true, true]);
    expect(['env', '.env.dist', '.env.SAMPLE', '.envrc'].map(isSecretName)).toEqual([false, false, false, false]);
  });

  it('own: policy files and .chatcli, but not the prompts in it', () => {
    expect(
      ['coder_policy.json', 'a/Coder_Policy.json', '.chatcli/config.json', 'a/.chatcli/plugins/x'].map(isOwnProjectPath),
    ).toEqual([true, true, true, true]);
    // The folder itself is ours too: whatever is moved to its place would decide what it holds.
    expect(['.chatcli', '.chatcli/skills/x/SKILL.md', 'policy.json', 'chatcli/config.json'].map(isOwnProjectPath)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('git: one name in all its disguises', () => {
    expect(['.git', '.GIT', '.g\u200bit'].map((name) => isGitName(name))).toEqual([true, true, true]);
    expect(['.github', 'git', '.git2', 'x.git'].map((name) => isGitName(name))).toEqual([false, false, false, false]);
    expect(['.git.', '.git ', '.git::$INDEX', 'GIT~1'].map((name) => isGitName(name, 'win32'))).toEqual([true, true, true, true]);
  });

  it('within: a folder holds itself and what is below, not its namesakes', () => {
    expect([
      isWithin('/a', '/a'),
      isWithin('/a/b', '/a'),
      isWithin('/ab', '/a'),
      isWithin('/', '/a'),
      isWithin('/x', '/'),
    ]).toEqual([true, true, false, false, true]);
  });
});
