/** A deny rule for files holds for every way of writing, or reading, what it names. */
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/policy/decide.js';
import { contextOf, judge, rule, toolCall } from './helpers.js';

const noWrite = [rule('deny', '@coder write --file vendor/**')];
const noRead = [rule('deny', '@read --file secret/**')];
const noFile = [rule('deny', '@read --file config.yml')];

describe('a deny rule for writing files', () => {
  it.each([
    'echo > vendor/x',
    'sed -i s/a/b/ vendor/x',
    'cp a vendor/',
    'mv vendor /tmp/x',
    'rm -r vendor',
    'rm -r .',
    'rm -r *',
    'mv v* x',
    'rm vendor/*',
    'rm */x',
    'find vendor -delete',
    'find . -delete',
    'git checkout -- vendor/x',
    'git checkout main vendor',
    'git restore vendor/x',
    'git restore .',
    'git rm vendor/a.js',
    'git clean -fd',
    'cd vendor && touch x',
    'curl -o vendor/x http://example.com/a',
    'wget -P vendor http://example.com/a',
    'chmod -R a-w .',
    'tee vendor/x',
  ])('%s is denied', (line) => {
    expect(judge(line, noWrite).verdict).toBe('deny');
  });

  it.each(['cat vendor/x', 'ls vendor', 'grep -r x vendor'])('%s is not', (line) => {
    expect(judge(line, noWrite).verdict).toBe('allow');
  });

  it.each(['rm build/x', 'rm *.log', 'cp vendor/x build/', 'npm test', 'git checkout main', 'git restore src/a.js'])(
    '%s is no more than asked',
    (line) => {
      expect(judge(line, noWrite).verdict).not.toBe('deny');
    },
  );

  it.each(['@coder write', '@coder patch', '@coder multipatch', '@coder rollback', '@coder clean'])('holds for %s', (tool) => {
    for (const mode of ['default', 'accept-edits', 'auto'] as const) {
      const call = toolCall(tool, { file: 'vendor/a.js' }, { writes: ['src/b.js', 'vendor/a.js'], edits: true });
      expect(decide(call, contextOf(noWrite, { mode })).verdict).toBe('deny');
    }
    const other = toolCall(tool, { file: 'src/a.js' }, { writes: ['src/a.js'], edits: true });
    expect(decide(other, contextOf(noWrite, { mode: 'accept-edits' })).verdict).toBe('allow');
  });

  it('may stand under any tool that writes', () => {
    const call = toolCall('@coder write', { file: 'vendor/a.js' }, { writes: ['vendor/a.js'] });
    expect(decide(call, contextOf([rule('deny', '@coder rollback --file vendor/**')])).verdict).toBe('deny');
  });
});

describe('a deny rule for reading files', () => {
  it.each([
    'cat secret/a',
    'cat secret/*',
    'cat */a',
    'head -n 3 secret/?',
    'sed -n 1p secret/a',
    'od -c secret/a',
    'grep -r x secret',
    'grep -r x *',
    'rg x secret',
    'git grep x -- secret',
    'git show HEAD:secret/a',
    'cp secret/a b',
    'cp -r secret b',
    'mv secret b',
    'node secret/a',
    'cd secret && cat a',
  ])('%s is denied', (line) => {
    expect(judge(line, noRead, { mode: 'auto' }).verdict).toBe('deny');
  });

  it.each(['grep -r x .', 'grep -rn x', 'rg x', 'ag x', 'git grep x', 'diff -r . ../shop', 'cp -r . ../x', 'tar cf x.tar .'])(
    '%s is asked about in every mode, with the rule',
    (line) => {
      const decision = judge(line, noRead, { mode: 'auto' });
      expect(decision.verdict).toBe('immune');
      expect(decision.rule ?? line).toBeTruthy();
    },
  );

  it.each(['cat src/a', 'cat *', 'cat *.md', 'grep -r x src', 'rg x src', 'ls', 'git grep x -- src', 'find . -name a'])(
    '%s is allowed',
    (line) => {
      expect(judge(line, noRead).verdict).toBe('allow');
    },
  );

  it.each(['cat *.yml', 'cat c*', 'column -t config.yml', 'cp config.yml b', 'python3 x.py config.yml', 'mv config.yml b'])(
    'of one file: %s is denied',
    (line) => {
      expect(judge(line, noFile, { mode: 'auto' }).verdict).toBe('deny');
    },
  );

  it.each(['cat *.md', 'cat src/*.yml'])('of one file: %s is allowed', (line) => {
    expect(judge(line, noFile).verdict).toBe('allow');
  });

  it('holds for every tool that reads', () => {
    for (const tool of ['@read', '@coder read', '@coder outline', '@coder patch', '@search', '@tree'])
      expect(decide(toolCall(tool, {}, { reads: ['secret/a'] }), contextOf(noRead)).verdict).toBe('deny');
    for (const tool of ['@search', '@coder search', '@coder map', '@tree'])
      expect(decide(toolCall(tool, { dir: 'secret' }, { reads: ['secret'] }), contextOf(noRead)).verdict).toBe('deny');
    for (const tool of ['@search', '@coder search', '@coder map']) {
      const decision = decide(toolCall(tool, {}, { reads: ['.'] }), contextOf(noRead, { mode: 'auto' }));
      expect(decision.verdict).toBe('immune');
      expect(decision.reason).toContain('@read --file secret/**');
    }
    expect(decide(toolCall('@search', { dir: 'src' }, { reads: ['src'] }), contextOf(noRead)).verdict).toBe('allow');
  });

  it('of a personal file leaves searching alone, which leaves that file out by itself', () => {
    const call = toolCall('@search', {}, { reads: ['.'] });
    expect(decide(call, contextOf([rule('deny', '@read --file .env')])).verdict).toBe('allow');
    expect(judge('grep -r x src', [rule('deny', '@read --file .env')]).verdict).toBe('allow');
  });
});
