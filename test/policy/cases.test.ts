/** The handed policy cases, straight through `decide`. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RuleAction } from '../../src/types/policy.js';
import { judge, rule } from './helpers.js';

interface PolicyCase {
  readonly id: string;
  readonly command: string;
  readonly accept: readonly string[];
  readonly why: string;
  readonly setup?: { readonly rules?: readonly { readonly pattern: string; readonly action: RuleAction }[] };
}

const cases = JSON.parse(readFileSync(new URL('../cases/policy.json', import.meta.url), 'utf8')) as PolicyCase[];

describe('handed policy cases', () => {
  it('are all there', () => {
    expect(cases.length).toBeGreaterThan(60);
  });

  it.each(cases.map((entry) => [entry.id, entry] as const))('%s', (_id, entry) => {
    const decision = judge(
      entry.command,
      (entry.setup?.rules ?? []).map(({ action, pattern }) => rule(action, pattern)),
    );
    expect(entry.accept, `${decision.reason} Wanted: ${entry.why}`).toContain(decision.verdict);
  });
});
