/** What is recognised in the output of commands, and what is not claimed. */
import { describe, expect, it } from 'vitest';
import { arrange } from '../../../src/process/sandbox/arrange.js';
import { sandboxRefusal } from '../../../src/process/sandbox/refusal.js';
import type { SandboxPlan } from '../../../src/process/sandbox/types.js';

const PLAN: SandboxPlan = {
  level: 'workspace',
  network: true,
  rules: arrange([
    { kind: 'write', path: '/tmp' },
    { kind: 'write', path: '/home/u/my app', shown: true },
    { kind: 'write', path: '/home/u/my app/.git', pinned: true },
    { kind: 'read', path: '/home/u/my app/.git/hooks', pinned: true },
    { kind: 'read', path: '/home/u/my app/.git/config', pinned: true },
    { kind: 'read', path: '/home/u/my app/coder_policy.json', pinned: true },
    { kind: 'hide-file', path: '/home/u/my app/.env', stub: '/s' },
    { kind: 'hide-folder', path: '/home/u/.ssh', passable: false },
    { kind: 'private', path: '/home/u/.aws', mode: '0700' },
    { kind: 'hide-file', path: '/home/u/.npmrc', stub: '/s' },
  ]),
  unset: [],
  watched: [],
  awaited: [],
  steps: [],
  loose: [],
  repositories: [],
  present: [],
  scanned: [],
  notes: [],
  home: '/home/u',
};
const STRICT: SandboxPlan = { ...PLAN, level: 'strict', network: false };
const cwd = '/home/u/my app';
const kindOf = (output: string, code: number | null = 1, command?: string, plan = PLAN) =>
  sandboxRefusal(output, code, plan, { cwd, ...(command !== undefined && { command }) })?.kind;
const textOf = (output: string, code = 1, command?: string) =>
  sandboxRefusal(output, code, PLAN, { cwd, ...(command !== undefined && { command }) })?.text;

describe('what was refused', () => {
  it.each([
    ["touch: cannot touch '/home/u/x': Read-only file system", '~/x'],
    ['/bin/sh: 1: cannot create /home/u/x: Read-only file system', '~/x'],
    ['bash: line 1: /home/u/x: Read-only file system', '~/x'],
    ['bash: line 1: ../x: Read-only file system', '~/x'],
    ["Error: EROFS: read-only file system, open '/home/u/x'", '~/x'],
    ["OSError: [Errno 30] Read-only file system: '/home/u/x'", '~/x'],
    ['open /home/u/x: read-only file system', '~/x'],
    ['mkdir: cannot create directory ‘/home/u/x’: Read-only file system', '~/x'],
    ["touch: não foi possível tocar '/home/u/x': Sistema de arquivos somente para leitura", '~/x'],
    [`    error: "EROFS: read-only file system, open '/home/u/x'"`, '~/x'],
    ["couldn't write '/home/u/x': Read-only file system", '~/x'],
    ["rm: cannot remove '/etc/hosts': Read-only file system", '/etc/hosts'],
  ])('%s', (output, place) => {
    expect(textOf(output)).toBe(
      `Sandbox: ${place} is read-only here; commands can write to the workspace, temporary folders and tool caches.`,
    );
  });
  it('repositories and our own settings have their own words', () => {
    expect(textOf("touch: cannot touch '.git/hooks/pre-commit': Read-only file system")).toBe(
      'Sandbox: .git/hooks/pre-commit is read-only here: hooks and settings of a repository can make git run programs.',
    );
    expect(kindOf('error: could not write config file .git/config: Device or resource busy', 4)).toBe('git');
    expect(kindOf("sed: couldn't open file coder_policy.json: Read-only file system")).toBe('own');
    expect(textOf("mv: cannot move '.git' to 'x': Device or resource busy")).toBe(
      'Sandbox: .git cannot be moved, replaced or removed here.',
    );
  });
  it('hidden places', () => {
    const hidden = 'Sandbox: ~/.ssh is hidden here; commands find it empty or cannot open it.';
    expect(textOf('cat: /home/u/.ssh/id_rsa: Permission denied')).toBe(hidden);
    expect(textOf("ls: cannot open directory '/home/u/.ssh': Permission denied")).toBe(hidden);
    expect(textOf("PermissionError: [Errno 13] Permission denied: '/home/u/.ssh/config'")).toBe(hidden);
    expect(textOf('cat: /home/u/.aws/credentials: No such file or directory')).toContain('~/.aws is hidden here');
    expect(textOf('/bin/sh: 1: cannot create .env: Read-only file system')).toContain('Sandbox: .env is hidden here');
    expect(textOf("rm: cannot remove '.env': Device or resource busy")).toBe(
      'Sandbox: .env cannot be moved, replaced or removed here.',
    );
  });
  it('a command that names a hidden place hears of it even when nothing complained', () => {
    for (const command of [
      'cat ~/.npmrc',
      'cat "$HOME/.npmrc"',
      'cat /home/u/.npmrc | head',
      'x=${HOME}/.npmrc; cat $x',
      'source .env',
      'grep KEY ./.env',
      'ls ~/.aws/',
    ])
      expect(kindOf('', 0, command), command).toBe('hidden');
    for (const command of [
      'cat .env.example',
      'cat my.env',
      'echo .environment',
      'ls ~/.npmrc-old',
      'cat x~/.npmrcs',
      'ls -la ~',
    ])
      expect(kindOf('', 0, command), command).toBeUndefined();
  });
  it('strict: the network', () => {
    for (const output of [
      'curl: (6) Could not resolve host: example.com',
      'Error: connect ECONNREFUSED 127.0.0.1:8080',
      'getaddrinfo EAI_AGAIN registry.npmjs.org',
      'dial tcp: lookup proxy.golang.org: Temporary failure in name resolution',
    ]) {
      expect(kindOf(output, 1, undefined, STRICT), output).toBe('network');
      expect(kindOf(output, 1, undefined, PLAN), output).toBeUndefined();
      expect(kindOf(output, 0, undefined, STRICT), output).toBeUndefined();
    }
    expect(sandboxRefusal('ECONNREFUSED', 1, STRICT)?.text).toContain('may be why');
  });
  it('keys, services, rights, a sandbox that could not be made', () => {
    expect(kindOf('git@github.com: Permission denied (publickey).', 128)).toBe('keys');
    expect(kindOf('error: gpg failed to sign the data', 128)).toBe('keys');
    expect(kindOf('Cannot connect to the Docker daemon at unix:///var/run/docker.sock.')).toBe('services');
    expect(kindOf('sudo: The "no new privileges" flag is set, which prevents sudo from running as root.')).toBe('rights');
    expect(sandboxRefusal("bwrap: Can't create file at /x: Read-only file system\n", 1, PLAN)?.kind).toBe('setup');
  });
});

describe('what is not claimed', () => {
  it.each([
    ['an ordinary failure', 'error TS2304: Cannot find name x', 2],
    ['a missing file in the workspace', 'cat: src/a.ts: No such file or directory', 1],
    ['a file one may not read anywhere', 'cat: /etc/shadow: Permission denied', 1],
    [
      'a folder that is writable in the plan and read-only for other reasons',
      "touch: cannot touch '/tmp/mnt/x': Read-only file system",
      1,
    ],
    ['the same words in a text that is printed', 'docs: mounts a read-only file system for safety', 0],
    ['a refused connection where the network is open', 'connect ECONNREFUSED 127.0.0.1:1', 1],
    ['nothing at all', '', 0],
    ['a signal', '', null],
  ])('%s', (_name, output, code) => {
    expect(kindOf(output, code)).toBeUndefined();
  });
  it('without a place, only that it may be so', () => {
    expect(textOf('fatal: Read-only file system (os error 30)')).toContain('may be its doing');
  });
  it('looks at both ends of much output and stays quick', () => {
    const filler = 'all is well, nothing to see\n'.repeat(50_000);
    expect(kindOf(`${filler}cat: /home/u/.ssh/id_rsa: Permission denied\n`)).toBe('hidden');
    expect(kindOf("'".repeat(300_000))).toBeUndefined();
    expect(kindOf(`${'‘'.repeat(200_000)} /home/u/x: Read-only file system`)).toBe('read-only');
  });
});
