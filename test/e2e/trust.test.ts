/** Trust of a folder over the real program: a hostile repository widens nothing; what was trusted counts until it changes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place, runProgram } from '../helpers/run-program.js';

const RULES = JSON.stringify({
  rules: [
    { pattern: '@coder exec --cmd make', action: 'allow' },
    { pattern: '@coder exec --cmd npm publish', action: 'deny' },
  ],
});
let place: Place;
beforeEach(() => {
  place = makePlace({
    files: {
      'coder_policy.json': RULES,
      '.chatcli/config.json': JSON.stringify({ permissionMode: 'auto', allow: ['@coder exec'] }),
      '.env': 'CHATCLI_LANG=pt-BR\n',
    },
  });
});
afterEach(() => place.remove());

const check = async (command: string) => (await runProgram(['policy', 'check', '--', command], { place })).code;
const ASK = 3;
const DENY = 4;

describe('a folder with its own rules and settings', () => {
  it('widens nothing before it is trusted, narrows at once, and counts as it was trusted', async () => {
    expect(await check('make all')).toBe(ASK);
    expect(await check('npm publish')).toBe(DENY);

    const trusted = await runProgram(['trust'], { place });
    expect(trusted.code, trusted.stderr).toBe(0);
    for (const name of ['coder_policy.json', '.chatcli/config.json', '.env']) expect(trusted.stdout).toContain(name);
    expect(await check('make all')).toBe(0);
    expect((await runProgram(['trust', '--list'], { place })).stdout).toContain(place.workspace);

    // The settings change: they stop counting, the rules still do.
    writeFileSync(join(place.workspace, '.chatcli', 'config.json'), '{"permissionMode":"auto","allow":["@coder"]}');
    expect(await check('npm install')).toBe(ASK);
    expect(await check('make all')).toBe(0);
    expect((await runProgram(['trust', '--list', '--lang', 'en'], { place })).stdout).toMatch(/config\.json\s+\(changed/);

    // The rules change: what they allowed is asked again, what they deny is still denied.
    writeFileSync(join(place.workspace, 'coder_policy.json'), RULES.replace('make', 'make all'));
    expect(await check('make all')).toBe(ASK);
    expect(await check('npm publish')).toBe(DENY);

    const removed = await runProgram(['trust', '--remove'], { place });
    expect(removed.code).toBe(0);
    expect((await runProgram(['trust', '--remove'], { place })).code).toBe(1);
  });

  it('counts for one run with --trust', async () => {
    expect((await runProgram(['policy', 'check', '--trust', '--', 'make all'], { place })).code).toBe(0);
    expect(await check('make all')).toBe(ASK);
  });
});
