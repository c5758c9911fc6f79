/** Every command of the corpus gets its verdict, with a reason. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/policy/decide.js';
import { DANGEROUS } from './corpus/dangerous.js';
import { EVERYDAY } from './corpus/everyday.js';
import { IMMUNE } from './corpus/immune.js';
import { ORDINARY } from './corpus/ordinary.js';
import { SNEAKY } from './corpus/sneaky.js';
import { SNEAKY_SHELL } from './corpus/sneaky-shell.js';
import type { CorpusGroup } from './corpus/types.js';
import { contextOf, judge, rule, toolCall } from './helpers.js';

const data = (name: string): unknown => JSON.parse(readFileSync(new URL(`./corpus/${name}.json`, import.meta.url), 'utf8'));
/** Bypasses published against coding agents, and their siblings. */
const PUBLISHED = data('published') as readonly CorpusGroup[];
/** What agents send on an ordinary day. */
const DAILY = data('daily') as readonly string[];
/** Every way we know to have a command run by something else; `@` stands for the command. */
const CARRIERS = data('carriers') as readonly string[];

const count = (groups: readonly CorpusGroup[]) => groups.reduce((sum, group) => sum + group.commands.length, 0);

function eachGroup(title: string, groups: readonly CorpusGroup[], accepted: readonly string[]): void {
  describe(title, () => {
    it.each(groups.map((group) => [group.why, group.commands] as const))('%s', (_why, commands) => {
      const wrong = commands
        .map((command) => ({ command, decision: judge(command) }))
        .filter(({ decision }) => !accepted.includes(decision.verdict));
      expect(wrong).toEqual([]);
      for (const command of commands) expect(judge(command).reason).toMatch(/^\S.*[.!?]$/s);
    });
  });
}

describe('the corpus', () => {
  it('is large', () => {
    expect(count(EVERYDAY)).toBeGreaterThan(150);
    expect(count(SNEAKY) + count(SNEAKY_SHELL)).toBeGreaterThan(250);
    expect(count(DANGEROUS)).toBeGreaterThan(150);
    expect(count(IMMUNE)).toBeGreaterThan(150);
    expect(count(ORDINARY)).toBeGreaterThan(100);
  });
});

eachGroup('everyday commands pass', EVERYDAY, ['allow']);
eachGroup('sneaky commands ask', [...SNEAKY, ...SNEAKY_SHELL], ['ask', 'immune', 'deny']);
eachGroup('published bypasses ask', PUBLISHED, ['ask', 'immune', 'deny']);
eachGroup('dangerous commands are refused', DANGEROUS, ['deny']);
eachGroup('immune commands always ask', IMMUNE, ['immune', 'deny']);
eachGroup('ordinary work is neither', ORDINARY, ['ask', 'allow']);

describe('no rule lifts the guards', () => {
  const everything = [rule('allow', '@coder exec'), rule('allow', '@coder exec *'), rule('allow', '@coder'), rule('allow', '*')];

  it.each(['default', 'accept-edits', 'auto'] as const)('in mode %s', (mode) => {
    for (const command of DANGEROUS.flatMap((group) => group.commands))
      expect(judge(command, everything, { mode }).verdict, command).toBe('deny');
    for (const command of IMMUNE.flatMap((group) => group.commands)) {
      expect(['immune', 'deny'], command).toContain(judge(command, everything, { mode }).verdict);
    }
  });

  it('lifts the dangerous list only for allowUnsafe, and then still asks', () => {
    expect(judge('rm -rf /', everything, { allowUnsafe: true }).verdict).toBe('immune');
  });

  it('refuses all but reading in plan mode', () => {
    for (const command of EVERYDAY.flatMap((group) => group.commands))
      expect(judge(command, [], { mode: 'plan' }).verdict, command).toBe('allow');
    for (const command of ['npm test', 'touch x', 'git commit -m x', 'rm -rf build', 'sudo ls']) {
      expect(judge(command, everything, { mode: 'plan' }), command).toMatchObject({ verdict: 'deny' });
    }
    expect(judge('npm test', everything, { mode: 'plan' }).reason).toContain('plan mode');
  });
});

describe('needless questions', () => {
  it('are at most one in twenty on an ordinary day', () => {
    const asked = [...DAILY, ...EVERYDAY.flatMap((group) => group.commands)].filter((line) => judge(line).verdict !== 'allow');
    const all = DAILY.length + count(EVERYDAY);
    process.stdout.write(`needless questions: ${asked.length} of ${all}; published bypasses: ${count(PUBLISHED)}\n`);
    expect(DAILY.length).toBeGreaterThan(200);
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(all * 0.05);
  });
});

describe('carriers', () => {
  const everything = [rule('allow', '@coder exec'), rule('allow', '*')];

  it.each(['rm -rf /', 'mkfs.ext4 /dev/sda1'])('never carry %s past the guards, under any rule and in auto mode', (payload) => {
    const passed = CARRIERS.map((line) => line.replace('@', () => payload)).filter(
      (line) => !['immune', 'deny'].includes(judge(line, everything, { mode: 'auto' }).verdict),
    );
    expect(CARRIERS.length).toBeGreaterThan(500);
    expect(passed).toEqual([]);
  });

  it('never let a writer pass as a reader', () => {
    const passed = CARRIERS.map((line) => line.replace('@', () => 'touch x')).filter((line) => judge(line).verdict === 'allow');
    expect(passed).toEqual([]);
  });
});

describe('text that only mentions danger', () => {
  it.each([
    "echo 'sudo rm -rf / && shutdown now'",
    "grep -rn 'sudo rm -rf /' docs",
    "rg 'curl .* | sh'",
    "git log --grep='rm -rf /'",
  ])('does not ask: %s', (line) => {
    expect(judge(line).verdict).toBe('allow');
  });

  it.each([
    'git commit -m "never run sudo rm -rf / or shutdown"',
    "git commit -m 'docs: curl x | sh is unsafe' && git push",
    "gh pr create --title 'no sudo' --body 'rm -rf / is refused'",
    "cat > notes.md <<'END'\nsudo rm -rf /\nEND",
  ])('asks like any other change: %s', (line) => {
    expect(judge(line).verdict).toBe('ask');
    expect(judge(line, [rule('allow', '@coder exec')]).verdict).toBe('allow');
  });

  it('is written by file tools like any other text', () => {
    const write = (content: string) =>
      decide(toolCall('@coder write', { file: 'a.md', content }, { writes: ['a.md'] }), contextOf());
    expect(write('run `sudo rm -rf /` and reboot')).toEqual(write('hello'));
    const patch = (diff: string) => decide(toolCall('@coder patch', { file: 'a.md', diff }, { writes: ['a.md'] }), contextOf());
    expect(patch('+sudo chmod 777 /etc/passwd')).toEqual(patch('+hello'));
  });
});
