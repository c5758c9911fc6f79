/** The work one line may cost is bounded, counted and not timed; what needs more asks. */
import { describe, expect, it } from 'vitest';
import { expandBraceText } from '../../src/policy/shell/braces.js';
import { createBudget, LOOK_UP, MOST_WORK, TOO_MUCH } from '../../src/policy/shell/budget.js';
import { judgeLine } from '../../src/policy/shell/judge.js';
import { spelledScripts } from '../../src/policy/shell/perhaps.js';
import { walkText } from '../../src/policy/shell/walk.js';
import { contextOf, judge, rule } from './helpers.js';

const env = contextOf();
const start = { cwd: [env.root], piped: [], via: [], away: false, depth: 0 };

describe('work', () => {
  it.each(['xargs', 'parallel', 'eval', 'nice', 'env', 'sudo', 'ssh h', 'sh -c', 'find . -exec', 'command', 'npx'])(
    'a tower of %s costs no more than the budget, and asks',
    (name) => {
      const budget = createBudget();
      const verdict = judgeLine(`${`${name} `.repeat(3000)}ls`, env, budget);
      expect(budget.used).toBeLessThanOrEqual(MOST_WORK);
      expect(verdict.some((part) => part.verdict !== 'allow')).toBe(true);
    },
  );

  it('what the budget does not cover always asks, whatever the rules, and what was found before still counts', () => {
    const small = createBudget(9000);
    const parts = judgeLine(`rm -rf /\n${'ls a b c\n'.repeat(300)}`, env, small);
    expect(parts.some((part) => part.reason === TOO_MUCH && part.verdict === 'immune')).toBe(true);
    expect(parts.some((part) => part.verdict === 'deny')).toBe(true);
    expect(judge(`echo ${'a/b '.repeat(250_000)}`, [rule('allow', '*')]).verdict).toBe('immune');
  });

  it('looks up no more places than the budget pays for', () => {
    let looks = 0;
    const counted = {
      ...env,
      locate: (path: string) => {
        looks += 1;
        return env.locate(path);
      },
    };
    const paths = Array.from({ length: 4000 }, (_none, index) => `f${index}`).join(' ');
    const budget = createBudget(400_000);
    expect(judgeLine(`cat ${paths}`, counted, budget).some((part) => part.verdict === 'immune')).toBe(true);
    expect(looks).toBeLessThanOrEqual(400_000 / LOOK_UP);
  });

  it('the texts a runner spells out are no longer than a few times the line', () => {
    const line = `parallel ${'a b '.repeat(5000)}`;
    const { simples } = walkText(line, start, env);
    const total = spelledScripts(simples).reduce((sum, script) => sum + script.text.length, 0);
    expect(total).toBeLessThan(40 * line.length);
  });

  it('braces are not multiplied out in long words', () => {
    expect(expandBraceText('{a,b}'.repeat(2000))).toBeUndefined();
    expect(expandBraceText('{'.repeat(100_000))).toBeUndefined();
    expect(expandBraceText('a{b,c}')).toEqual(['ab', 'ac']);
  });

  it('a walk ends at the thousandth command', () => {
    const walked = walkText(`${'ls | '.repeat(5000)}ls; g() { ls; }`, start, env);
    expect(walked.simples.length).toBe(1000);
    expect(walked.odd.map((entry) => entry.verdict)).toEqual(['immune']);
  });

  it('everyday lines cost little', () => {
    const budget = createBudget();
    judgeLine('git status && npm test -- --run src/a.test.ts | tail -n 20', env, budget);
    expect(budget.used).toBeLessThan(5000);
  });
});
