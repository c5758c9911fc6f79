/** Commands in an expansion the parser does not read as shells do: no rule and no mode lets them pass. */
import { describe, expect, it } from 'vitest';
import { judge, rule } from './helpers.js';

const everything = [rule('allow', '*'), rule('allow', '@coder exec'), rule('allow', '@coder exec *')];

describe('a substitution that is not seen', () => {
  it.each([
    'echo ${x/$(dd if=/dev/zero of=/dev/sda)/}',
    'echo "${x/$(touch /y/z)/}"',
    'echo ${x//a/`touch /y/z`}',
    'echo ${x#@bad$(touch y)/}${x/$(a/b)/}',
  ])('%s', (line) => {
    expect(judge(line, everything).verdict).not.toBe('allow');
    expect(judge(line, [], { mode: 'auto' }).verdict).not.toBe('allow');
  });

  it('is not held against plain replacements', () => {
    expect(judge('echo "${file/.ts/.js}"').verdict).toBe('allow');
    expect(judge('npm test "${file/.ts/.js}"', [rule('allow', '@coder exec --cmd npm test')]).verdict).toBe('allow');
  });
});
