/** Everyday readings that need no question, and their siblings that do. */
import { describe, expect, it } from 'vitest';
import { judge, PLACE, rule } from './helpers.js';

const free = { holdsPersonal: () => false, traits: () => ({}) };
const holding = { holdsPersonal: () => true, traits: () => ({}) };

describe('no question', () => {
  it.each([
    'find . -type f -exec grep -l foo {} +',
    'find src -type f -exec wc -l {} \\;',
    'git -C . log -1',
    'git -C src status',
    `git -C ${PLACE.root}/src diff`,
    'npm run',
  ])('%s', (line) => {
    expect(judge(line, [], free).verdict, judge(line, [], free).reason).toBe('allow');
  });

  it.each([
    'find -L . -type f -exec cat {} +',
    'find .. -type f -exec cat {} +',
    'find ~ -type f -exec cat {} +',
    'find . -type f -exec rm {} +',
    'git -C .. log -1',
    'git -C /srv/other log',
    'git -C src -c core.pager=x log',
    'git -C "$X" log',
    'git -C src show HEAD:.env',
    'git -C src push',
    'npm run build',
    'bat .env',
    'bat --pager=x README.md',
    'bat cache --build',
    'history -c',
    'history -w x',
  ])('but for %s', (line) => {
    expect(judge(line, [], free).verdict).not.toBe('allow');
  });

  it('of find hands over private files only with one', () => {
    expect(judge('find . -type f -exec grep -l foo {} +', [], holding).verdict).not.toBe('allow');
    expect(judge('find . -type f -exec grep -l foo {} +').verdict).not.toBe('allow');
    expect(judge('git -C src status', [], { traits: () => ({ gitRuns: 'core.fsmonitor' }) }).verdict).not.toBe('allow');
  });

  it('but what a listing hands over may be what a deny rule names', () => {
    const rules = [rule('deny', '@read --file secret/**')];
    for (const line of ['find . -type f -exec cat {} +', "find . -name '*.ts' -exec cat {} +", 'git ls-files -z | xargs -0 cat'])
      expect(judge(line, rules, { ...free, mode: 'auto' }).verdict, line).toBe('immune');
  });
});

describe('wording', () => {
  it.each([
    ["find . -name '*.ts' | xargs wc -l", 'It reads whatever files it is given, which are only known when it runs.'],
    ['kubectl get secrets', '`kubectl` may show secrets.'],
  ])('%s: %s', (line, reason) => {
    expect(judge(line).reason).toBe(reason);
  });
});
