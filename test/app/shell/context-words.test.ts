import { describe, expect, it } from 'vitest';
import { contextWords } from '../../../src/app/shell/context-words.js';

const file = (path: string, sure = false) => ({ kind: 'file', path, sure });

describe('context words', () => {
  it.each([
    ['@git', [{ kind: 'git' }]],
    ['see @env, then (@history).', [{ kind: 'env' }, { kind: 'history' }]],
    ['@git and @git again', [{ kind: 'git' }]],
    ['@command npm test -- --x\nand go on', [{ kind: 'command', command: 'npm test -- --x' }]],
    ['run @command "git log -1" for me', [{ kind: 'command', command: 'git log -1' }]],
    ['@command', []],
    ['@file "a b.txt" and @file src/x.ts', [file('a b.txt', true), file('src/x.ts', true)]],
    ['look at @src/main.ts and @"with blank.md"', [file('src/main.ts'), file('with blank.md', true)]],
    ['@commandeer @gitlab @environment', [file('commandeer'), file('gitlab'), file('environment')]],
  ])('are found in %j', (text, wanted) => expect(contextWords(text)).toEqual(wanted));

  it.each([
    ['me@git.example and a@env'],
    ['`@git` and ``` @env'.replace(' and ``` @env', '')],
    ['```sh\n@history\n@command rm x\n```'],
    ['a > b, x->y, <b>@</b>'],
    ['@'],
    ['@ git'],
  ])('are not seen in %j', (text) => expect(contextWords(text)).toEqual([]));

  it('take no longer for hostile texts', () => {
    for (const piece of ['@', '`', '```\n', '@command ', '@file "', '@a.,;:!?)]}'])
      expect(() => contextWords(piece.repeat(20_000))).not.toThrow();
  });
});
