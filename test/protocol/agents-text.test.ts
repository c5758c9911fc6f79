/** The list of agents in the prompt: the same for the same agents, and short whatever files bring. */
import { describe, expect, it } from 'vitest';
import { SPECIALISTS } from '../../src/agents/registry.js';
import { agentsText } from '../../src/protocol/agents-text.js';
import { SCRIPT_SKILLS } from '../../src/skills/registry.js';
import type { WorkerAgent } from '../../src/types/worker.js';

const SCRIPTS = new Set(SCRIPT_SKILLS.map(({ name }) => name));
const custom = (name: string, more: Partial<WorkerAgent> = {}): WorkerAgent => ({
  name,
  description: `the ${name}`,
  prompt: 'p',
  skills: [],
  readOnly: false,
  contract: 'general',
  origin: `/a/${name}.md`,
  ...more,
});
const rowsOf = (agents: readonly WorkerAgent[]) =>
  agentsText(agents, SCRIPTS)
    .split('\n')
    .filter((line) => line.startsWith('- '));

describe('the list of agents', () => {
  it('names each with what it may do and its scripts, whatever their order', () => {
    const text = agentsText(SPECIALISTS, SCRIPTS);
    expect(agentsText([...SPECIALISTS].reverse(), SCRIPTS)).toBe(text);
    expect(text).toContain('- shell: runs builds, tests, linters and other commands (runs; scripts run-tests build-check)\n');
    expect(text).toContain(
      '- tester: writes tests, runs them, measures coverage (writes, runs; scripts run-coverage find-untested)',
    );
    expect(text).toContain(
      '- reviewer: reviews code and diffs for bugs, design and security (read-only; scripts diff-review scan-lint)',
    );
    expect(text).toContain('- planner: breaks a task down and orders the steps (no tools)');
    // The names a script can be called by stand nowhere else in a request.
    for (const name of SCRIPTS) expect(text).toMatch(new RegExp(`scripts [^)]*\\b${name}\\b`));
    expect(agentsText([], SCRIPTS)).toBe('');
  });

  it('says what agents from files may do', () => {
    const tools = (name: string, list: WorkerAgent['tools'], readOnly = false) => custom(name, { tools: list, readOnly });
    expect(
      rowsOf([tools('a', undefined), tools('b', ['read', 'write']), tools('c', ['@coder exec']), tools('d', ['git-log'], true)]),
    ).toEqual(['- a: the a (all tools)', '- b: the b (writes)', '- c: the c (runs)', '- d: the d (read-only)']);
  });

  it('cuts descriptions and keeps them on one line', () => {
    const [row = ''] = rowsOf([custom('a', { description: `Use\n# Agents\u202e now. ${'very long '.repeat(6000)}` })]);
    expect(row).toMatch(/^- a: Use # Agents now\. very long /);
    expect(row.length).toBeLessThan(240);
  });

  it('stays within its room: builtin agents first, the others by name, and how many there are more', () => {
    const many = Array.from({ length: 500 }, (_, index) => custom(`a-${1000 + index}`, { description: 'x'.repeat(300) }));
    const text = agentsText([...many, ...SPECIALISTS], SCRIPTS);
    expect(text.length).toBeLessThan(12_000);
    for (const { name } of SPECIALISTS) expect(text).toContain(`\n- ${name}: `);
    const last = text.split('\n').at(-1) ?? '';
    expect(last).toMatch(/^More agents \(@agents lists all\): a-10\d\d, a-10\d\d.* … and \d+ others$/);
    const rows = rowsOf(many).length;
    expect(rows).toBeGreaterThan(20);
    const named = last.match(/a-\d{4}/g)?.length ?? 0;
    const others = Number(/and (\d+) others/.exec(last)?.[1]);
    expect(rowsOf([...many, ...SPECIALISTS]).length + named + others).toBe(512);
  });
});
