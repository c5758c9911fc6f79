/** What a repository has set up and which files lie about change what reading commands may do. */
import { describe, expect, it } from 'vitest';
import type { PolicyContext } from '../../src/types/policy.js';
import { judge, PLACE, rule } from './helpers.js';

const verdicts = (commands: readonly string[], changes: Partial<PolicyContext>) =>
  commands.map((command) => `${judge(command, [], changes).verdict} ${command}`);
const all = (verdict: string, commands: readonly string[]) => commands.map((command) => `${verdict} ${command}`);

describe('a repository whose settings run programs', () => {
  const traits = () => ({ gitRuns: 'core.fsmonitor' });
  const commands = [
    'git status',
    'git diff',
    'git log -3',
    'git blame a.ts',
    'git show HEAD',
    'git --no-pager log',
    'git grep x',
    'time git status',
    "bash -c 'git status'",
    '/usr/bin/git status',
    'ls; git status | head',
    'echo $(git rev-parse HEAD)',
  ];

  it('makes every git command ask, and says why', () => {
    expect(verdicts(commands, { traits })).toEqual(all('ask', commands));
    expect(judge('git status', [], { traits }).reason).toContain('core.fsmonitor');
    expect(judge('git status', [], { traits, mode: 'plan' }).verdict).toBe('deny');
    expect(judge('git status', [rule('allow', '@coder exec --cmd git status')], { traits }).verdict).toBe('allow');
  });

  it('leaves the rest alone', () => {
    const others = ['git --version', 'ls', 'rg git'];
    expect(verdicts(others, { traits })).toEqual(all('allow', others));
    expect(verdicts(commands, { traits: () => ({}) })).toEqual(all('allow', commands));
  });
});

describe('a repository that sets up npm', () => {
  const commands = [
    'npm view react version',
    'npm info react',
    'npm search x',
    'npm outdated',
    'npm config get registry',
    'npm config list',
    // Also these follow its settings: where logs and caches are written.
    'npm ls',
    'npm -v',
  ];

  it('makes every npm call ask', () => {
    expect(verdicts(commands, { traits: () => ({ npmrc: true }) })).toEqual(all('ask', commands));
    expect(verdicts(commands, { traits: () => ({ npmrc: false }) })).toEqual(all('allow', commands));
  });

  it('asks in folders below, which may hold settings of their own', () => {
    expect(judge('cd src && npm view react').verdict).toBe('ask');
  });
});

describe('folders with personal files in them', () => {
  const holdsPersonal = (dir: string) => dir === PLACE.root || dir === `${PLACE.root}/config`;

  it('are not read whole without a question that no mode answers', () => {
    const commands = [
      'grep -r KEY',
      'grep -rn KEY .',
      'grep -R KEY config',
      'grep -e KEY -r src config',
      'grep --recursive KEY',
      'grep --rec KEY .',
      'grep -d recurse KEY .',
      'grep -nri KEY ./config/',
      "grep -rn --include='*' KEY .",
      'cd config && grep -r KEY',
      'rgrep KEY',
      'rg --hidden KEY',
      'rg -. KEY',
      'rg -uu KEY config',
      'rg -uuu KEY',
      'rg --no-ignore KEY',
      "rg -g '*' KEY",
      'git grep --no-index KEY',
      'git grep --untracked KEY -- config',
      'git diff --no-index config src',
      'diff -r config src',
      'ag --hidden KEY',
    ];
    for (const command of commands) {
      const decision = judge(command, [rule('allow', '*')], { holdsPersonal, mode: 'auto' });
      expect([command, decision.verdict, decision.code]).toEqual([command, 'immune', 'Sensitive']);
    }
    expect(judge('grep -r KEY config', [], { holdsPersonal }).reason).toContain('config');
  });

  it('are searched as always where hidden or personal files are left out', () => {
    const commands = [
      'grep -rn KEY src',
      "grep -rn --include='*.ts' KEY .",
      'grep KEY a.txt',
      'rg KEY',
      'rg --files --hidden',
      'rg --hidden KEY src',
      "rg -g '*.ts' KEY",
      'git grep KEY',
      'find . -type f',
      'ls -Ra',
    ];
    expect(verdicts(commands, { holdsPersonal })).toEqual(all('allow', commands));
  });
});
