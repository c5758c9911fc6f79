/** `policy test` and `policy explain` over the real program. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place, runProgram } from '../helpers/run-program.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const test = (text: string) => {
  writeFileSync(join(place.workspace, 'calls.txt'), text);
  return runProgram(['policy', 'test', 'calls.txt', '--allow', '@coder exec --cmd make'], { place });
};

describe('policy test', () => {
  it('passes when every line gets what it must', async () => {
    const ran = await test(
      '# comment\r\n\nallow git status\n!allow git push\ndeny rm -rf /\nallow make all\nimmune @read ~/.ssh/id\nask @coder write {"file":"a","content":""}\n',
    );
    expect(ran).toMatchObject({ code: 0, stdout: '6 as wanted, 0 not\n' });
  });
  it('names the lines that got something else', async () => {
    const ran = await test('allow npm install\n!ask npm install\ndeny ls\n');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/line 1: wanted allow, got ask: npm install\nline 2: wanted !ask, got ask: npm install\nline 3/);
  });
  it.each([['sometimes ls'], [''], ['allow'], ['# only a comment']])('refuses %j', async (text) => {
    const ran = await test(text);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('calls.txt');
  });
  it('judges the other lines when one is no call, and ends with 2', async () => {
    const ran = await test('deny ls\nsometimes ls\nallow git status\n');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('calls.txt, line 2');
    expect(ran.stdout).toMatch(/line 1: wanted deny, got allow: ls\n1 as wanted, 1 not/);
  });
});

it('explain takes a command apart', async () => {
  const ran = await runProgram(['policy', 'explain', '--', 'git status && rm -rf build > ../out'], { place });
  expect(ran.code).toBe(3);
  expect(ran.stdout).toMatch(/^immune\n/);
  expect(ran.stdout).toMatch(/- allow: git status\n/);
  expect(ran.stdout).toMatch(/writes \S+out \(outside\)/);
});
