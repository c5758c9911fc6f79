/** Plugins through the program itself: headless, from an untrusted file to its removal. */
import { appendFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place, runProgram } from '../helpers/run-program.js';

let place: Place;
beforeEach(() => {
  place = makePlace({ files: { 'a b.txt': 'one two\n' } });
});
afterEach(() => place.remove());

const run = (...args: string[]) => runProgram(args, { place });
const folder = () => join(place.home, '.chatcli/plugins');

describe('chatcli plugin', () => {
  it('new, install, trust: a first plugin works, and a changed one is out again', async () => {
    expect((await run('plugin', 'new', 'count')).code).toBe(0);
    const installed = await run('plugin', 'install', './count');
    expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining('chatcli plugin trust count') });
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    const before = await run('tool', '@count', '--', 'a b.txt');
    expect(before.code).toBe(1);
    expect(before.stderr).toContain('not trusted as they are now');
    expect((await run('plugin', 'trust', 'count')).code).toBe(0);
    expect(await run('tool', '@count', '--', 'a b.txt')).toMatchObject({
      code: 0,
      stdout: 'a b.txt: 1 lines, 2 words\n',
      stderr: '',
    });
    expect((await run('tool', '--json', '@count', '--', '--file', 'none')).json()).toMatchObject({
      isError: true,
      errorCode: 'ExitCode:2',
      output: 'plugin execution failed: @count ended with exit code 2\nERR: no such file: none\n',
    });
    expect((await run('policy', 'check', '--tool', '@count', '--', 'x')).code).toBe(3);
    appendFileSync(join(folder(), 'count'), '# changed\n');
    expect((await run('plugin', 'list')).stdout).toContain('changed since it was trusted');
    expect((await run('tool', '@count', '--', 'a b.txt')).code).toBe(1);
  });

  it('an untrusted override leaves the builtin, a trusted one prevails, its removal brings the builtin back', async () => {
    const marker = join(place.workspace, 'ran');
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    const body = `#!/bin/sh\ntouch '${marker}'\n[ "$1" = --metadata ] && { echo '{"name":"@coder"}'; exit; }\necho "mine: $*"\n`;
    writeFileSync(join(folder(), 'coder'), body, { mode: 0o755 });
    const builtin = await run('tool', '@coder', 'read', 'a b.txt');
    expect(builtin).toMatchObject({ code: 0, stdout: expect.stringContaining('one two') });
    expect(existsSync(marker)).toBe(false);
    expect((await run('plugin', 'trust', '@coder')).code).toBe(0);
    expect((await run('tool', '@coder', 'read', 'a b.txt')).stdout).toBe('mine: read --file a b.txt\n');
    const { plugins } = (await run('plugin', 'list', '--json')).json() as { plugins: Record<string, unknown>[] };
    expect(plugins.filter(({ name }) => name === '@coder').map(({ origin, overridden }) => [origin, overridden])).toEqual([
      ['builtin', true],
      ['plugin', undefined],
    ]);
    rmSync(join(folder(), 'coder'));
    expect((await run('tool', '@coder', 'read', 'a b.txt')).stdout).toContain('one two');
    expect(await run('plugin', 'uninstall', '@coder')).toMatchObject({ code: 2, stderr: expect.stringContaining('built in') });
  });
});
