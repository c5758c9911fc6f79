/** Rules that say less than they seem to are told of, each with its reason; rules that are right are not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { doubtText, ruleDoubts } from '../../src/policy/rule-doubts.js';
import { loadRules, parseRules } from '../../src/policy/rules-file.js';
import type { Rule } from '../../src/types/policy.js';
import { contextOf, rule } from './helpers.js';

const TOOLS = [
  { name: '@coder exec', fields: ['cmd', 'dir', 'timeout'] },
  { name: '@coder write', fields: ['file', 'content'] },
  { name: '@coder read', fields: ['file', 'start'] },
  { name: '@webfetch', fields: ['url'] },
];
const doubts = (...rules: Rule[]) => ruleDoubts({ rules, broken: [] }, TOOLS, contextOf(rules)).map(doubtText);

describe('doubts about rules', () => {
  it.each([
    ['@coder exec'],
    ['@coder exec --cmd npm test'],
    ['@coder exec npm test'],
    ['@coder exec --cmd npm run *'],
    ['@coder write --file src/**'],
    ['@coder'],
    ['@coder *'],
    ['*'],
    ['@webfetch --url https://docs.example.com/*'],
    ['mcp_server_tool'],
    ['@coder exec --cmd git status'],
    ['@coder exec --cmd echo "a && b"'],
  ])('has none about allow %s', (pattern) => {
    expect(doubts(rule('allow', pattern))).toEqual([]);
  });

  it.each([
    ['@coder wirte', /no tool is called @coder wirte; did you mean @coder write\?/],
    ['@codr exec --cmd ls', /no tool is called @codr; did you mean @coder/],
    ['@nothing', /no tool is called @nothing$/],
    ['npm test', /begins with the name of a tool, as in @coder exec --cmd npm test/],
    ['@coder write --fil src/a', /has no --fil; did you mean --file\?/],
    ['@coder exec --cmd npm test && npm run build', /joins several never matches/],
    ['@coder exec --cmd cat a | grep b', /joins several never matches/],
    ['@coder exec --cmd npm (test|build)', /no regular expression/],
    ['@coder exec --cmd npm run .*', /no regular expression/],
    ['@coder exec --cmd sudo make', /always asked, whatever the rules say/],
    ['@coder exec --cmd rm -rf /', /refused, whatever the rules say/],
  ])('says of allow %s what is wrong', (pattern, wanted) => {
    expect(doubts(rule('allow', pattern)).join()).toMatch(wanted);
  });

  it('names a deny rule that leaves nothing of another one', () => {
    expect(doubts(rule('deny', '@coder exec'), rule('allow', '@coder exec --cmd npm test')).join()).toContain(
      'the deny rule @coder exec covers it',
    );
    expect(doubts(rule('deny', '@coder exec --cmd rm -rf x'))).toEqual([]);
  });
});

describe('doubts about files', () => {
  let folder = '';
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const load = (value: unknown) => {
    folder = mkdtempSync(join(tmpdir(), 'rule-doubts-'));
    const globalFile = join(folder, 'coder_policy.json');
    writeFileSync(globalFile, JSON.stringify(value));
    return loadRules({ globalFile, trustedLocal: false });
  };

  it('tell of keys nobody reads and of empty patterns, and keep the rules', () => {
    const set = load({
      rules: [
        { pattern: '@coder read', action: 'allow', note: 'x' },
        { pattern: ' ', action: 'deny' },
      ],
      merg: true,
    });
    expect(set.rules).toHaveLength(1);
    const said = ruleDoubts(set, TOOLS, contextOf()).map(doubtText).join('\n');
    expect(said).toContain('"merg"');
    expect(said).toContain('rule 1 has a key "note"');
    expect(said).toContain('rule 2 has an empty pattern');
  });

  it('count a list under another name as a broken file, since it may hold denials', () => {
    expect(load({ Rules: [{ pattern: '@coder exec', action: 'deny' }] }).broken[0]?.reason).toContain('"Rules"');
  });

  it('name the rule whose action is no action', () => {
    expect(parseRules('{"rules":[{"pattern":"@coder read","action":"alow"}]}', 'f')).toMatchObject({
      reason: expect.stringContaining('rule 1'),
    });
  });
});
