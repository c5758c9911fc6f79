import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pathOfDescriptor } from '../../src/workspace/open-checked.js';
import { faultFrom, makePlace, type Place } from './temp.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

describe('reading through the workspace', () => {
  it('gives bytes and their identity', async () => {
    place.put('a.bin', Buffer.from([0, 255, 13, 10]));
    const { readFile } = await place.open();
    const read = await readFile('a.bin');
    expect([...read.bytes]).toEqual([0, 255, 13, 10]);
    expect(read.state).toMatchObject({ size: 4, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await readFile('a.bin', { maxBytes: 4 })).bytes.length).toBe(4);
    expect((await faultFrom(readFile('a.bin', { maxBytes: 3 }))).code).toBe('EFBIG');
  });

  it('answers what is no ordinary file without waiting for it', async () => {
    place.put('dir/a.txt', 'x');
    const workspace = await place.open();
    expect((await faultFrom(workspace.readFile('dir'))).code).toBe('EISDIR');
    expect((await faultFrom(workspace.readFile('dir/a.txt/b'))).code).toMatch(/ENOTDIR|NotFound/);
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(place.ws, 'pipe')]);
    expect((await faultFrom(workspace.readFile('pipe'))).message).toContain('named pipe');
    expect((await faultFrom(workspace.openFile('pipe'))).message).toContain('named pipe');
    expect((await faultFrom(workspace.writeFile('pipe', Buffer.from('x')))).message).toContain('named pipe');
    const server = createServer().listen(join(place.ws, 'sock'));
    await new Promise((done) => server.once('listening', done));
    expect((await faultFrom(workspace.readFile('sock'))).message).toContain('socket');
    server.close();
  });

  it('suggests names for a missing file', async () => {
    place.put('src/lib/config.ts', 'x');
    place.put('README.md', 'x');
    const { readFile } = await place.open();
    expect((await faultFrom(readFile('README.txt'))).message).toContain('README.md');
    expect((await faultFrom(readFile('src/config.ts'))).message).toContain('src/lib/config.ts');
    expect((await faultFrom(readFile('scr/lib/config.ts'))).message).toContain('src/lib/config.ts');
    const far = await faultFrom(readFile('zzzzqqqq'));
    expect(far.code).toBe('NotFound');
    expect(far.message).not.toContain('Did you mean');
  });

  it('notices a folder swapped between the look and the opening', async () => {
    if (process.platform === 'win32') return;
    place.put('d/f.txt', 'mine');
    const workspace = await place.open();
    const { handle, located } = await workspace.openFile('d/f.txt');
    expect(pathOfDescriptor(handle.fd, located.real)).toBe(located.real);
    renameSync(join(place.ws, 'd'), join(place.base, 'gone'));
    if (process.platform === 'linux') expect(pathOfDescriptor(handle.fd, located.real)).toBe(join(place.base, 'gone/f.txt'));
    else expect(pathOfDescriptor(handle.fd, located.real)).toBeUndefined();
    await handle.close();
  });
});
