/** Rules as words mean the fields in their order; those that can match nothing are told of. */
import { describe, expect, it } from 'vitest';
import { knownTools } from '../../src/app/known-tools.js';
import { decide } from '../../src/policy/decide.js';
import { forbidsReading } from '../../src/policy/forbids-reading.js';
import { doubtText, ruleDoubts } from '../../src/policy/rule-doubts.js';
import { spelledOut } from '../../src/policy/word-forms.js';
import { TOOLS } from '../../src/tools/registry.js';
import type { JsonObject } from '../../src/types/json.js';
import type { RuleAction } from '../../src/types/policy.js';
import { contextOf, execCall, rule, toolCall } from './helpers.js';

const KNOWN = knownTools(TOOLS);
const context = (...rules: [RuleAction, string][]) => {
  const set = { rules: rules.map(([action, pattern]) => rule(action, pattern)), broken: [] };
  return contextOf([], { rules: spelledOut(set, KNOWN) });
};
const called = (tool: string, args: JsonObject) => {
  const known = TOOLS.find(({ name }) => name === tool);
  if (known === undefined) throw new Error(`no tool ${tool}`);
  const { reads, writes, readOnly, edits } = known.facts(args);
  return toolCall(tool, args, { reads, writes, readOnly, ...(edits === undefined ? {} : { edits }) });
};
const verdict = (rules: [RuleAction, string][], tool: string, args: JsonObject) =>
  decide(called(tool, args), context(...rules)).verdict;

const RENAME = { cmd: 'rename', file: 'a.ts', line: 1, symbol: 'sum', new_name: 'plus' };

describe('a deny rule as words', () => {
  it.each<[string, string, JsonObject]>([
    ['@lsp rename', '@lsp', RENAME],
    ['@lsp rename *', '@lsp', RENAME],
    ['@lsp ren*', '@lsp', RENAME],
    ['@lsp rename a.ts', '@lsp', RENAME],
    ['@lsp rename ./a.ts', '@lsp', RENAME],
    ['@lsp rename a.ts 1', '@lsp', RENAME],
    ['@lsp rename --file a.ts', '@lsp', RENAME],
    ['@lsp --file a.ts --cmd rename', '@lsp', RENAME],
    ['@lsp * a.ts', '@lsp', RENAME],
    ['@lsp a.ts', '@lsp', RENAME],
    ['@coder patch b.ts', '@coder patch', { file: 'b.ts', search: 'a', replace: 'b' }],
    ['@coder patch b.ts', '@coder write', { file: './b.ts', content: '' }],
    ['@coder patch b.ts', '@coder patch', { diff: '--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-a\n+b\n' }],
    ['@coder patch "my file.ts"', '@coder patch', { file: 'my file.ts', search: 'a', replace: 'b' }],
    ['@coder write src/**', '@coder write', { file: 'src/deep/x.ts', content: '' }],
    ['@coder write *.env', '@coder write', { file: 'x/a.env', content: '' }],
    ['@coder multipatch b.ts', '@coder multipatch', { edits: [{ file: 'b.ts', search: 'a', replace: 'b' }] }],
    ['@read secret.ts', '@coder read', { file: 'secret.ts' }],
    ['@search password', '@search', { term: 'password' }],
    ['@search password src', '@search', { term: 'password', dir: 'src' }],
    ['@tree src', '@tree', { dir: 'src' }],
    ['@proc kill', '@proc', { cmd: 'kill', id: 'x' }],
    ['@proc kill j1', '@proc', { cmd: 'kill', id: 'j1' }],
    ['@coder checkpoint restore', '@coder checkpoint', { action: 'restore', hash: 'abc' }],
  ])('%s hits %s %j', (pattern, tool, args) => {
    expect(verdict([['deny', pattern]], tool, args)).toBe('deny');
  });

  it.each<[string, string, JsonObject]>([
    ['@lsp rename', '@lsp', { cmd: 'hover', file: 'a.ts', line: 1, symbol: 'sum' }],
    ['@lsp rename b.ts', '@lsp', RENAME],
    ['@lsp hover a.ts', '@lsp', RENAME],
    ['@proc kill j1', '@proc', { cmd: 'kill', id: 'j2' }],
    ['@search password src', '@search', { term: 'password', dir: 'lib' }],
    ['@coder patch b.ts', '@coder patch', { file: 'c.ts', search: 'a', replace: 'b' }],
  ])('%s does not hit %s %j', (pattern, tool, args) => {
    expect(verdict([['deny', pattern]], tool, args)).not.toBe('deny');
  });

  it('holds for commands as the flag does', () => {
    expect(decide(execCall('cat secret.ts'), context(['deny', '@read secret.ts'])).verdict).toBe('deny');
    expect(decide(execCall('rm b.ts'), context(['deny', '@coder write b.ts'])).verdict).toBe('deny');
  });

  it('is known to keep files from being read', () => {
    const keeps = (pattern: string) => forbidsReading({ rules: [rule('deny', pattern)], broken: [] });
    expect(['@read a', '@lsp --file a', '@coder read --file a', '*', '@coder --file a', '@search'].map(keeps)).not.toContain(
      false,
    );
    expect(['@coder write --file a', '@coder exec rm', '@proc kill'].map(keeps)).not.toContain(true);
  });
});

it('allows just as much as the flags', () => {
  expect(verdict([['allow', '@lsp rename a.ts']], '@lsp', RENAME)).toBe('allow');
  expect(verdict([['allow', '@lsp rename b.ts']], '@lsp', RENAME)).toBe('ask');
  expect(verdict([['allow', '@lsp --file a.ts --cmd rename']], '@lsp', RENAME)).toBe('allow');
  expect(verdict([['allow', '@coder write src']], '@coder write', { file: 'src/../b.ts', content: '' })).toBe('ask');
  expect(verdict([['allow', '@proc kill j1']], '@proc', { cmd: 'kill', id: 'j1' })).toBe('allow');
});

describe('doubts', () => {
  const doubts = (pattern: string) =>
    ruleDoubts({ rules: [rule('deny', pattern)], broken: [] }, KNOWN, contextOf()).map(doubtText);
  it.each([
    ['@lsp renam', /renam is none of definition, .*; did you mean rename\?/],
    ['@lsp --cmd renam', /renam is none of definition, .*; did you mean rename\?/],
    ['@coder patch a.ts b.ts', /its words are file, so b\.ts is one too many; a name with spaces stands in quotes/],
    ['@coder write a.ts secret', /rules do not speak of content, so this never matches/],
    ['@coder patch "a.ts', /its words cannot be read/],
  ])('%s', (pattern, why) => {
    expect(doubts(pattern)).toEqual([expect.stringMatching(why)]);
  });

  it.each(['@lsp rename', '@lsp a.ts', '@coder patch b.ts', '@search foo bar', '@coder exec a b c', '@coder *', '@proc kill j1'])(
    '%s: none',
    (pattern) => {
      expect(doubts(pattern)).toEqual([]);
    },
  );
});

it('shows the rule as it was written', () => {
  const { rules } = spelledOut({ rules: [rule('deny', '@lsp rename')], broken: [] }, KNOWN);
  expect(rules).toMatchObject([{ pattern: '@lsp --cmd rename', written: '@lsp rename' }]);
});
