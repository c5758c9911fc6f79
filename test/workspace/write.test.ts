import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultFrom, makePlace, type Place } from './temp.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const text = (path: string) => readFileSync(join(place.ws, path), 'utf8');
const names = () => readdirSync(place.ws, { recursive: true }).map(String).sort();
const mode = (path: string) => statSync(join(place.ws, path)).mode & 0o7777;

describe('writing through the workspace', () => {
  it('creates with the umask, and makes parents', async () => {
    const before = process.umask(0o027);
    try {
      const workspace = await place.open();
      const made = await workspace.writeFile('a/b/c.txt', Buffer.from('hi'));
      expect(made).toMatchObject({ created: true, notes: [], located: { shown: 'a/b/c.txt' } });
      expect(text('a/b/c.txt')).toBe('hi');
      expect(mode('a/b/c.txt')).toBe(0o640);
      expect(mode('a/b')).toBe(0o750);
      expect(names()).toEqual(['a', 'a/b', 'a/b/c.txt']);
    } finally {
      process.umask(before);
    }
  });

  it('keeps mode and link, leaves a byte-exact .bak and nothing else', async () => {
    place.put('run.sh', Buffer.from([1, 13, 10, 255]), 0o755);
    chmodSync(join(place.ws, 'run.sh'), 0o751);
    place.link('link.sh', 'run.sh');
    const workspace = await place.open();
    expect((await workspace.writeFile('link.sh', Buffer.from('new'))).created).toBe(false);
    expect(text('run.sh')).toBe('new');
    expect(mode('run.sh')).toBe(0o751);
    expect(readlinkSync(join(place.ws, 'link.sh'))).toBe('run.sh');
    expect([...readFileSync(join(place.ws, 'run.sh.bak'))]).toEqual([1, 13, 10, 255]);
    expect(names()).toEqual(['link.sh', 'run.sh', 'run.sh.bak']);
    await workspace.writeFile('run.sh', Buffer.from('newer'));
    expect(text('run.sh.bak')).toBe('new');
  });

  it('writes hard-linked files in place', async () => {
    const file = place.put('one.txt', 'long old content');
    linkSync(file, join(place.ws, 'two.txt'));
    const workspace = await place.open();
    await workspace.writeFile('one.txt', Buffer.from('new'));
    expect(text('two.txt')).toBe('new');
    expect(statSync(file).nlink).toBe(2);
    expect(text('one.txt.bak')).toBe('long old content');
    expect(lstatSync(join(place.ws, 'one.txt.bak')).nlink).toBe(1);
    expect(readdirSync(join(place.state, 'journal')).map((name) => statSync(join(place.state, 'journal', name)).size)).toEqual([
      0,
    ]);
  });

  it('never touches a .bak that is not its own, nor what it leads to', async () => {
    place.put('../outside/victim.txt', 'victim');
    place.put('a.txt', 'a1');
    place.put('a.txt.bak', "user's own");
    place.put('b.txt', 'b1');
    place.link('b.txt.bak', '../outside/victim.txt');
    mkdirSync(join(place.ws, 'c.txt.bak'));
    place.put('c.txt', 'c1');
    const workspace = await place.open();
    for (const name of ['a', 'b', 'c']) {
      const { notes } = await workspace.writeFile(`${name}.txt`, Buffer.from(`${name}2`));
      expect(notes.join()).toContain(place.state);
    }
    expect(text('a.txt.bak')).toBe("user's own");
    expect(readlinkSync(join(place.ws, 'b.txt.bak'))).toBe('../outside/victim.txt');
    expect(readFileSync(join(place.base, 'outside/victim.txt'), 'utf8')).toBe('victim');
    for (const name of ['a', 'b', 'c']) {
      expect((await workspace.rollback(`${name}.txt`)).notes.join()).toContain('restored from');
      expect(text(`${name}.txt`)).toBe(`${name}1`);
    }
    expect(text('a.txt.bak')).toBe("user's own");
  });

  it('treats a .bak that was changed since as not its own', async () => {
    place.put('a.txt', 'one');
    const workspace = await place.open();
    await workspace.writeFile('a.txt', Buffer.from('two'));
    place.put('a.txt.bak', 'edited by hand');
    await workspace.writeFile('a.txt', Buffer.from('three'));
    expect(text('a.txt.bak')).toBe('edited by hand');
    await workspace.rollback('a.txt');
    expect(text('a.txt')).toBe('two');
  });

  it('finds its own .bak again in another process', async () => {
    place.put('a.txt', 'one');
    await (await place.open()).writeFile('a.txt', Buffer.from('two'));
    const second = await place.open();
    expect((await second.writeFile('a.txt', Buffer.from('three'))).notes).toEqual([]);
    expect(text('a.txt.bak')).toBe('two');
    expect(await second.isBackup(join(place.ws, 'a.txt.bak'))).toBe(true);
    expect(await second.isBackup(join(place.ws, 'a.txt'))).toBe(false);
  });

  it('works without a state folder it can write, and says what it cannot do', async () => {
    place.put('a.txt', 'one');
    place.put('b.txt', 'one');
    place.put('b.txt.bak', 'mine');
    rmSync(place.state, { recursive: true });
    writeFileSync(place.state, 'a file where the folder should be');
    const workspace = await place.open();
    await workspace.writeFile('a.txt', Buffer.from('two'));
    await workspace.writeFile('a.txt', Buffer.from('three'));
    expect(text('a.txt.bak')).toBe('two');
    await workspace.rollback('a.txt');
    expect(text('a.txt')).toBe('two');
    const fault = await faultFrom(workspace.writeFile('b.txt', Buffer.from('two')));
    expect(fault.code).toMatch(/ENOTDIR|EEXIST/);
    expect(text('b.txt')).toBe('one');
  });

  it('refuses with Stale what changed since it was read', async () => {
    place.put('a.txt', 'one');
    const workspace = await place.open();
    const { state } = await workspace.readFile('a.txt');
    place.put('a.txt', 'two');
    const fault = await faultFrom(workspace.writeFile('a.txt', Buffer.from('x'), { expect: state }));
    expect(fault.code).toBe('Stale');
    expect(fault.message).toMatch(/same size|modified/);
    expect(text('a.txt')).toBe('two');
    expect(names()).toEqual(['a.txt']);
    place.put('a.txt', 'one');
    await workspace.writeFile('a.txt', Buffer.from('x'), { expect: state });
    expect(workspace.lastSeen(join(place.ws, 'a.txt'))).toMatchObject({ size: 1 });
    expect((await faultFrom(workspace.writeFile('a.txt', Buffer.from('y'), { expect: 'absent' }))).code).toBe('EEXIST');
    rmSync(join(place.ws, 'a.txt'));
    expect((await faultFrom(workspace.writeFile('a.txt', Buffer.from('y'), { expect: state }))).code).toBe('Stale');
  });

  it('lets parallel writes to one file follow each other', async () => {
    place.put('a.txt', 'start');
    const workspace = await place.open();
    await Promise.all(Array.from({ length: 20 }, (_, i) => workspace.writeFile('a.txt', Buffer.from(`v${i}`.repeat(5000)))));
    expect(text('a.txt')).toBe('v19'.repeat(5000));
    expect(text('a.txt.bak')).toBe('v18'.repeat(5000));
    expect(names()).toEqual(['a.txt', 'a.txt.bak']);
  });

  it('removes the folders it made when the write fails', async () => {
    const workspace = await place.open();
    const fault = await faultFrom(workspace.writeFile(`n1/n2/${'x'.repeat(300)}`, Buffer.from('x')));
    expect(fault.code).toBe('ENAMETOOLONG');
    expect(names()).toEqual([]);
    expect((await faultFrom(workspace.writeFile('n1/', Buffer.from('x')))).code).toBe('InvalidArgs');
    place.put('file', 'x');
    expect((await faultFrom(workspace.writeFile('file/under.txt', Buffer.from('x')))).code).toMatch(/ENOTDIR|EEXIST/);
    expect(names()).toEqual(['file']);
  });

  it('writes a name too long for a .bak with its backup elsewhere', async () => {
    const name = 'y'.repeat(252);
    place.put(name, 'one');
    const workspace = await place.open();
    expect((await workspace.writeFile(name, Buffer.from('two'))).notes.join()).toContain(place.state);
    await workspace.rollback(name);
    expect(text(name)).toBe('one');
  });

  it('reports a full disk by its name and leaves everything as it was', async (test) => {
    const disk = join(place.ws, 'small');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      test.skip('a small file system cannot be mounted here (needs root)');
    }
    try {
      place.put('small/a.txt', 'one');
      place.put('small/h1.txt', 'hard');
      linkSync(join(disk, 'h1.txt'), join(disk, 'h2.txt'));
      const workspace = await place.open();
      for (const name of ['a.txt', 'new.txt', 'h1.txt']) {
        expect([name, (await faultFrom(workspace.writeFile(`small/${name}`, Buffer.alloc(200_000, 65)))).code]).toEqual([
          name,
          'ENOSPC',
        ]);
      }
      expect(text('small/a.txt')).toBe('one');
      expect(text('small/h1.txt')).toBe('hard');
      expect(readdirSync(disk).sort()).toEqual(['a.txt', 'h1.txt', 'h2.txt']);
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('refuses read-only files and folders as an ordinary user', async (test) => {
    const root = process.getuid?.() === 0;
    if (root) test.skip('permissions do not bind root; the handed cases run this as another user');
    place.put('d/ro.txt', 'locked', 0o444);
    chmodSync(join(place.ws, 'd'), 0o555);
    const workspace = await place.open();
    expect((await faultFrom(workspace.writeFile('d/ro.txt', Buffer.from('x')))).code).toBe('EACCES');
    expect((await faultFrom(workspace.writeFile('d/new.txt', Buffer.from('x')))).code).toBe('EACCES');
    chmodSync(join(place.ws, 'd'), 0o755);
    expect(readdirSync(join(place.ws, 'd'))).toEqual(['ro.txt']);
  });
});
