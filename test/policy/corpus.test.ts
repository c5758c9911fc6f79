/** Every command of the corpus gets its verdict, with a reason. */
import { describe, expect, it } from 'vitest';
import { DANGEROUS } from './corpus/dangerous.js';
import { EVERYDAY } from './corpus/everyday.js';
import { IMMUNE } from './corpus/immune.js';
import { ORDINARY } from './corpus/ordinary.js';
import { SNEAKY } from './corpus/sneaky.js';
import { SNEAKY_SHELL } from './corpus/sneaky-shell.js';
import type { CorpusGroup } from './corpus/types.js';
import { judge, rule } from './helpers.js';

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
