/** Files that are hidden are devices in the sandbox: what git and others say of them is traced back to it. */
import { describe, expect, it } from 'vitest';
import { arrange } from '../../../src/process/sandbox/arrange.js';
import { sandboxRefusal } from '../../../src/process/sandbox/refusal.js';
import type { SandboxPlan } from '../../../src/process/sandbox/types.js';

const cwd = '/home/u/my app';
const PLAN = {
  level: 'workspace',
  network: true,
  home: '/home/u',
  rules: arrange([
    { kind: 'write', path: cwd, shown: true },
    { kind: 'hide-file', path: `${cwd}/.env`, stub: '/s' },
    { kind: 'hide-file', path: `${cwd}/sub dir/.env`, stub: '/s' },
  ]),
} as unknown as SandboxPlan;
const textOf = (output: string, command = 'git add -A') => sandboxRefusal(output, 128, PLAN, { cwd, command })?.text;

describe('a hidden file git shall add or stash', () => {
  it.each([
    ['error: .env: can only add regular files, symbolic links or git-directories\nfatal: adding files failed', '.env'],
    [
      'error: .env: unsupported file type\nfatal: Unable to process path .env\nCannot save the untracked files from the worktree',
      '.env',
    ],
    ['fatal: Unable to process path .env', '.env'],
    ['error: sub dir/.env: can only add regular files, symbolic links or git-directories', 'sub dir/.env'],
    ["error: 'sub dir/.env': unsupported file type", 'sub dir/.env'],
  ])('%s', (output, name) => {
    expect(textOf(output)).toBe(
      `Sandbox: ${name} is hidden here, so git can neither add nor stash it; with ${name} in .gitignore, or with the paths to take named, the command works.`,
    );
  });

  it.each(["cp: '.env' is not a regular file", 'skipping non-regular file ".env"', 'tar: .env: not a regular file'])(
    'is only called hidden by others: %s',
    (output) => expect(textOf(output, 'cp -r . /tmp/x')).toMatch(/^Sandbox: \.env is hidden here; commands find it empty/),
  );

  it('is not blamed for other files', () => {
    for (const output of [
      'error: pipe: can only add regular files, symbolic links or git-directories\nfatal: adding files failed',
      'error: .env.example: unsupported file type',
      "cp: 'pipe' is not a regular file",
    ])
      expect(textOf(output), output).toBeUndefined();
  });
});
