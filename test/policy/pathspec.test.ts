/** git's own path patterns name private files; rules for a command do not reach out of the workspace by an option's value. */
import { describe, expect, it } from 'vitest';
import { judge, rule } from './helpers.js';

describe('a pathspec that may name a private file', () => {
  it.each([
    "git grep . -- '.e*'",
    "git grep --untracked -e . -- ':(glob).e*'",
    "git grep --untracked --no-exclude-standard -e . -- '.e*'",
    "git log -p -- '.e*'",
    "git diff HEAD -- ':(top).env'",
    "git diff HEAD -- ':(icase).ENV'",
    "git diff HEAD -- ':/.env'",
    "git show HEAD -- '*.env'",
    "git show HEAD -- '*env'",
    "git show HEAD -- 'src?.env'",
    "git log -p -- ':(glob)**/.env'",
    "git log -p -- 'src/*/.env'",
    'git log -p -- *env',
    'git log -L1,5:.env',
    'git log -L :f:.env',
  ])('%s always asks', (line) => {
    expect(judge(line).verdict).toBe('immune');
  });
  it.each([
    "git grep foo -- '*.ts'",
    "git log -p -- 'src/*'",
    "git diff -- ':(exclude).env'",
    "git diff -- . ':!.env'",
    "git log -- ':/src'",
    'git log -L 1,5:src/a.ts',
    "git log -- '*.json' src",
  ])('%s only reads', (line) => {
    expect(judge(line).verdict).toBe('allow');
  });
});

describe('an allow rule', () => {
  const rules = [rule('allow', '@coder exec --cmd npm test')];
  it.each([
    'npm test --prefix /tmp/evil',
    'npm test --prefix=/tmp/evil',
    'npm test --script-shell=../x',
    'npm test -C ~/x',
    "npm test --prefix '/tmp/evil'",
  ])('does not cover %s', (line) => {
    expect(judge(line, rules).verdict).not.toBe('allow');
  });
  it('covers what stays inside, and what it names itself', () => {
    expect(judge('npm test -- --run src/a.test.ts', rules).verdict).toBe('allow');
    expect(judge('npm test --prefix /tmp/x', [rule('allow', '@coder exec npm test --prefix /tmp/x')]).verdict).toBe('allow');
  });
});
