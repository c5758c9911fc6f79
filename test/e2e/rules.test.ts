/** Rules over the real program: what asks and what does not, and what is said of rules that are wrong. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place, runProgram } from '../helpers/run-program.js';

let place: Place;
beforeEach(() => {
  place = makePlace({ files: { 'src/a.txt': 'a\n' } });
});
afterEach(() => place.remove());
const run = (...args: string[]) => runProgram(args, { place });
const keep = (value: unknown) => {
  mkdirSync(join(place.home, '.chatcli'), { recursive: true });
  writeFileSync(join(place.home, '.chatcli', 'coder_policy.json'), typeof value === 'string' ? value : JSON.stringify(value));
};

it('a checkpoint is made and listed without a question, and taken back only after one', async () => {
  const check = async (args: string) =>
    (await run('policy', 'check', '--tool', '@coder checkpoint', '--', args)).stdout.split('\n')[0];
  expect(await check('{"list":true}')).toBe('allow');
  expect(await check('{"create":true}')).toBe('allow');
  expect(await check('{"restore":"last"}')).toBe('ask');
});

describe('wrong rules are told of', () => {
  it('by policy list and policy check, for files and for the command line', async () => {
    keep({ rules: [{ pattern: '@coder wirte', action: 'allow' }], merg: true });
    const listed = await run('policy', 'list', '--allow', 'npm test', '--lang', 'en');
    expect(listed.stdout).toContain('no tool is called @coder wirte; did you mean @coder write?');
    expect(listed.stdout).toContain('"merg"');
    expect(listed.stdout).toContain('as in @coder exec --cmd npm test');
    const checked = await run('policy', 'check', '--deny', '@codr exec', '--', 'ls');
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toMatch(/^allow\n/);
    expect(checked.stderr).toContain('3 faults in the rules');
    keep({ rules: [] });
    const single = await run('policy', 'check', '--deny', '@codr exec', '--', 'ls');
    expect(single.stderr).toContain('no tool is called @codr');
  });

  it('in one line by a check they have nothing to do with', async () => {
    keep({ rules: ['wirte', 'raed', 'patsh'].map((name) => ({ pattern: `@coder ${name}`, action: 'allow' })) });
    const checked = await run('policy', 'check', '--allow', '@coder exec --cmd a && b', '--', 'ls');
    expect(checked.stderr).toBe('Warning: 4 faults in the rules; see chatcli policy list.\n');
    const near = await run(
      'policy',
      'explain',
      '--deny',
      '@coder exec --cmd l.*',
      '--tool',
      '@coder write',
      '--',
      '{"file":"a","content":"b"}',
    );
    expect(near.stderr.split('\n')).toHaveLength(2);
  });

  it('at the start, and a broken file denies what it might have denied', async () => {
    keep({ rules: [{ pattern: '@coder exec --cmd sudo make', action: 'allow' }] });
    const one = await run('tool', '@coder', 'read', '--', '{"file":"src/a.txt"}');
    expect(one.code).toBe(0);
    expect(one.stderr).toContain('always asked');
    keep('{"rules":[{"pattern":"@coder write","action":"alow"}]}');
    const two = await run('tool', '@coder', 'write', '--', '{"file":"b.txt","content":"b"}');
    expect(two.code).toBe(1);
    expect(two.stderr).toContain('cannot be used');
    expect((await run('tool', '@coder', 'read', '--', '{"file":"src/a.txt"}')).code).toBe(0);
  });

  it('and right ones say nothing', async () => {
    keep({
      rules: [
        { pattern: '@coder exec npm test', action: 'allow' },
        { pattern: '@coder exec', action: 'ask' },
      ],
    });
    const ran = await run('policy', 'check', '--', 'npm test');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect((await run('policy', 'list')).stdout.trim().split('\n')).toHaveLength(2);
  });
});
