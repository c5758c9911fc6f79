/** What a rule pattern means: prefixes at word ends, globs, paths in any spelling, every part of a command. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/policy/decide.js';
import { matchesPrefix } from '../../src/policy/match.js';
import { fullSubject } from '../../src/policy/subject.js';
import type { Json } from '../../src/types/json.js';
import { contextOf, judge, PLACE, rule, toolCall } from './helpers.js';

const allowed = (pattern: string, command: string) => judge(command, [rule('allow', pattern)]).verdict === 'allow';
const denied = (pattern: string, command: string) =>
  judge(command, [rule('deny', pattern), rule('allow', '@coder exec')]).verdict === 'deny';

describe('patterns', () => {
  it.each([
    ['@coder read', '@coder read --file a', true],
    ['@coder read', '@coder readlink', false],
    ['@coder write --file /etc', '@coder write --file /etc/passwd', true],
    ['@coder write --file src/', '@coder write --file src/a', true],
    ['a*c', 'abbbc', true],
    ['a*c', 'abbbcd', false],
    ['a*c', 'abbbc d', true],
    ['a*c*', 'abbbcd', true],
    ['*', 'anything', true],
    ['a*b*c', 'a-c-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['', 'x', true],
  ] as const)('%s on %s: %s', (pattern, text, expected) => {
    expect(matchesPrefix(pattern, text, 'word')).toBe(expected);
  });

  it('take linear time and never throw', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (pattern, text) => typeof matchesPrefix(pattern, text, 'word') === 'boolean'),
      { numRuns: 300 },
    );
    expect(matchesPrefix('*a'.repeat(5000), 'a'.repeat(20_000), 'word')).toBe(true);
    expect(matchesPrefix(`${'*a'.repeat(5000)}*b`, 'a'.repeat(20_000), 'word')).toBe(false);
  });

  it('a prefix always matches what it begins, when cut at a blank', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('*')),
        fc.string(),
        (head, tail) => matchesPrefix(head, `${head} ${tail}`, 'word'),
      ),
      { numRuns: 300 },
    );
  });
});

describe('subjects', () => {
  const subject = (tool: string, args: Record<string, Json>) => fullSubject(tool, toolCall(tool, args).call);

  it('sort flags, leave content out, spell booleans bare', () => {
    expect(subject('@coder write', { file: 'x', content: 'secret', append: true, encoding: 'text' })).toBe(
      '@coder write --append --file x',
    );
    expect(subject('@coder patch', { search: 'a', replace: 'b', diff: 'c', file: 'x' })).toBe('@coder patch --file x');
    expect(subject('@coder multipatch', { edits: [{ file: 'a' }] })).toBe('@coder multipatch');
    expect(subject('@coder read', { file: ['a', 'b'], head: 3, tail: null })).toBe('@coder read --file a --file b --head 3');
    expect(subject('@coder read', { maxBytes: 3 })).toBe('@coder read --max-bytes 3');
  });
});

describe('file rules', () => {
  const write = (file: string, args: Record<string, Json> = {}) =>
    toolCall('@coder write', { file, content: 'x', ...args }, { writes: [file] });
  const verdict = (pattern: string, action: 'allow' | 'deny', file: string, args: Record<string, Json> = {}) =>
    decide(write(file, args), contextOf([rule(action, pattern)])).verdict;

  it.each([
    'src/a.ts',
    './src/a.ts',
    'src/../src/a.ts',
    `${PLACE.root}/src/a.ts`,
    '~/shop/src/a.ts',
    '$HOME/shop/src/a.ts',
    'lib/../src/a.ts',
  ])('mean the place, spelled %s', (file) => {
    for (const pattern of [
      '@coder write --file src/a.ts',
      '@coder write --file src/',
      '@coder write --file src/**',
      '@coder write --file ./src/a.ts',
      `@coder write --file ${PLACE.root}/src`,
      '@coder write --file ~/shop/src/a.ts',
      '@coder write --file src/*.ts',
    ]) {
      expect(verdict(pattern, 'allow', file), pattern).toBe('allow');
      expect(verdict(pattern, 'deny', file), pattern).toBe('deny');
    }
  });

  it('do not reach beyond it', () => {
    for (const file of ['lib/a.ts', 'srcx/a.ts', 'src/../lib/a.ts'])
      expect(verdict('@coder write --file src/', 'allow', file), file).toBe('ask');
    expect(verdict('@coder write --file src/*.ts', 'allow', 'src/deep/a.ts')).toBe('ask');
    expect(verdict('@coder write --file src/*.ts', 'deny', 'src/deep/a.ts')).toBe('deny');
    expect(verdict('@coder write --file src/**', 'allow', 'src/deep/a.ts')).toBe('allow');
  });

  it('are not defeated by a further flag', () => {
    expect(verdict('@coder write --file src/a.ts', 'deny', 'src/a.ts', { append: true })).toBe('deny');
    expect(verdict('@coder write --file src/a.ts', 'allow', 'src/a.ts', { append: true })).toBe('allow');
  });

  it('must cover every file of a call', () => {
    const both = toolCall('@coder multipatch', { edits: [] }, { writes: ['src/a.ts', 'lib/b.ts'] });
    const rules = [rule('allow', '@coder multipatch --file src/')];
    expect(decide(both, contextOf(rules)).verdict).toBe('ask');
    expect(decide(both, contextOf([...rules, rule('allow', '@coder multipatch --file lib/')])).verdict).toBe('allow');
    expect(
      decide(both, contextOf([rule('allow', '@coder multipatch'), rule('deny', '@coder multipatch --file lib/')])).verdict,
    ).toBe('deny');
  });

  it('deny the twin too, but do not allow it', () => {
    const read = toolCall('@read', { file: 'a.ts' }, { reads: ['a.ts'] });
    expect(decide(read, contextOf([rule('deny', '@coder read')])).verdict).toBe('deny');
    expect(
      decide(toolCall('@coder search', { term: 'x', dir: '.' }, { reads: ['.'] }), contextOf([rule('deny', '@search')])).verdict,
    ).toBe('deny');
    expect(
      decide({ ...read, facts: { ...read.facts, readOnly: false } }, contextOf([rule('allow', '@coder read')])).verdict,
    ).toBe('ask');
  });

  it('hold for what the shell reads and writes', () => {
    const rules = [
      rule('deny', '@coder read --file secrets/'),
      rule('deny', '@coder write --file gen/'),
      rule('allow', '@coder exec'),
    ];
    for (const command of [
      'cat secrets/a',
      'head -1 ./secrets/a',
      'cd secrets && cat a',
      'grep x < secrets/a',
      'cp secrets/a b',
      'node x.js secrets/a',
    ])
      expect(judge(command, rules).verdict, command).toBe('deny');
    for (const command of ['echo x > gen/a', 'tee gen/a', 'cp a gen/a', 'touch ./gen/a', 'cd gen && rm a', 'sed -i s/a/b/ gen/a'])
      expect(judge(command, rules).verdict, command).toBe('deny');
    for (const command of ['cat gen/a', 'ls secretsx', 'npm test gen/a'])
      expect(judge(command, rules).verdict, command).toBe('allow');
  });
});

describe('command rules', () => {
  it('are read in all their spellings', () => {
    for (const pattern of [
      '@coder exec npm test',
      '@coder exec --cmd npm test',
      '@coder exec --cmd=npm test',
      '@coder exec --command npm test',
      '@coder exec npm *',
      '@coder exec --cmd npm *',
      '@coder exec',
      '@coder exec *',
      '@coder *',
      '*',
    ]) {
      expect(allowed(pattern, 'npm test'), pattern).toBe(true);
      expect(denied(pattern, 'npm test'), pattern).toBe(true);
    }
    for (const pattern of [
      '@coder exec npm tes',
      '@coder exec pm test',
      '@coder write',
      '@coder exec npm test x',
      'npm test',
      '@coder exec npm run *',
    ]) {
      expect(allowed(pattern, 'npm test'), pattern).toBe(false);
      expect(denied(pattern, 'npm test'), pattern).toBe(false);
    }
  });

  it('allow only when every part is covered or reads', () => {
    const pattern = '@coder exec npm test';
    for (const command of [
      'npm test',
      'npm   test',
      'npm test -- --watch',
      'ls && npm test',
      'npm test | tail -5',
      'npm test 2>&1 | head',
      '(npm test)',
      'time npm test',
      'cd sub && npm test',
      'CI=1 npm test',
    ])
      expect(allowed(pattern, command), command).toBe(true);
    for (const command of [
      'npm test; touch x',
      'npm test && touch x',
      'npm test | tee x',
      'npm test $(touch x)',
      'npm test `touch x`',
      'npm test > out.txt',
      'npm test\ntouch x',
      'npm test & touch x',
      'npm test <(touch x)',
      'X=$(touch x) npm test',
      'LD_PRELOAD=./x npm test',
      'PATH=. npm test',
      'npm tests',
      'npm test2',
      'npm',
      '"npm test"',
      './npm test',
      '$X npm test',
      'npm() { touch x; }; npm test',
      'npm test (',
      'npm test\u200b',
      'npm test; rm -rf build',
    ]) {
      expect(allowed(pattern, command), command).toBe(false);
    }
  });

  it('deny by the name of the program, however it is called', () => {
    for (const command of [
      'rm x',
      '/bin/rm x',
      '/usr/bin/rm x',
      './rm x',
      '../../bin/rm x',
      '\\rm x',
      '"rm" x',
      "r''m x",
      "$'rm' x",
      'command rm x',
      'env rm x',
      'ls; rm x',
      'ls | rm x',
      'sh -c "rm x"',
      'echo $(rm x)',
      'ls\nrm x',
      'X=rm; $X x',
      'timeout 5 rm x',
      'xargs rm x',
      'find . -exec rm {} +',
      'busybox rm x',
      'eval rm x',
      'if rm x; then ls; fi',
    ]) {
      expect(denied('@coder exec rm', command), command).toBe(true);
    }
    for (const command of ['rmdir x', 'echo rm', 'git rm x', 'npm run rm'])
      expect(denied('@coder exec rm', command), command).toBe(false);
  });

  it('deny by options in any order, and past options of the program', () => {
    expect(denied('@coder exec git push', 'git -C sub push')).toBe(true);
    expect(denied('@coder exec git push', 'git --no-pager -c a=b push origin')).toBe(true);
    expect(denied('@coder exec git push', 'git stash push')).toBe(false);
    expect(denied('@coder exec npm publish', 'npm --silent publish')).toBe(true);
    expect(denied('@coder exec kubectl delete', 'kubectl -n prod delete pod x')).toBe(true);
    expect(denied('@coder exec rm -r', 'rm -v -r x')).toBe(true);
    expect(denied('@coder exec git commit --amend', 'git commit -a --amend')).toBe(true);
    expect(denied('@coder exec git commit --amend', 'git commit -a')).toBe(false);
  });

  it('leave immune and dangerous commands alone', () => {
    expect(judge('git push --force', [rule('allow', '@coder exec git push --force')]).verdict).toBe('immune');
    expect(judge('rm -rf build', [rule('allow', '@coder exec rm -rf build')]).verdict).toBe('immune');
  });

  it('for a tool that takes a command do not cover every command', () => {
    const call = (cmd: string) => {
      const judged = toolCall('@coder test', { cmd }, { readOnly: false });
      return { ...judged, facts: { ...judged.facts, command: cmd } };
    };
    const verdict = (cmd: string, action: 'allow' | 'deny', pattern: string) =>
      decide(call(cmd), contextOf([rule(action, pattern)])).verdict;
    expect(verdict('touch x', 'allow', '@coder test')).toBe('ask');
    expect(verdict('npm test', 'allow', '@coder test --cmd npm test')).toBe('allow');
    expect(verdict('npm test', 'allow', '@coder exec npm test')).toBe('allow');
    expect(verdict('touch x', 'deny', '@coder test')).toBe('deny');
    expect(verdict('touch x', 'deny', '@coder exec touch')).toBe('deny');
  });

  it('cover what runs in a container by what takes it there', () => {
    expect(allowed('@coder exec docker exec', 'docker exec c npm test')).toBe(true);
    expect(allowed('@coder exec npm test', 'docker exec c npm test')).toBe(false);
  });
});

describe('addresses', () => {
  const fetch = (url: string, pattern: string, action: 'allow' | 'deny' = 'allow') =>
    decide(toolCall('@webfetch', { url, raw: true }, { readOnly: false }), contextOf([rule(action, pattern)])).verdict;

  it('are compared as the network reads them', () => {
    expect(fetch('https://docs.example.com/a', '@webfetch --url https://docs.example.com/*')).toBe('allow');
    expect(fetch('https://docs.example.com/a', '@webfetch --url https://docs.example.com')).toBe('allow');
    expect(fetch('https://api.docs.example.com/a', '@webfetch --url https://*.example.com')).toBe('allow');
    for (const url of [
      'https://docs.example.com.evil.net/a',
      'https://docs.example.com@evil.net/a',
      'https://docs.example.com:x@evil.net/',
      'http://docs.example.com/a',
      'https://evil.net/https://docs.example.com/',
      'nonsense',
    ]) {
      expect(fetch(url, '@webfetch --url https://docs.example.com'), url).toBe('ask');
      expect(fetch(url, '@webfetch --url https://docs.example.com/*'), url).toBe('ask');
    }
    expect(fetch('https://evil.net/?x=.example.com', '@webfetch --url https://*.example.com')).toBe('ask');
    expect(fetch('https://evil.net/a', '@webfetch --url https://evil.net', 'deny')).toBe('deny');
  });

  it('tools of servers go by their name', () => {
    const call = toolCall('mcp_github_create_issue', { title: 'x' }, { readOnly: false });
    expect(decide(call, contextOf([rule('allow', 'mcp_github_create_issue')])).verdict).toBe('allow');
    expect(decide(call, contextOf([rule('allow', 'mcp_github_*')])).verdict).toBe('allow');
    expect(decide(call, contextOf([rule('allow', 'mcp_git')])).verdict).toBe('ask');
    expect(decide(call, contextOf([rule('deny', 'mcp_*'), rule('allow', '*')])).verdict).toBe('deny');
  });
});
