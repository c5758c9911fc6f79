import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileTarget } from '../../src/types/workspace.js';
import type { OpenWorkspace } from '../../src/workspace/open-workspace.js';
import { faultFrom, makePlace, type Place } from './temp.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const text = (path: string) => readFileSync(join(place.ws, path), 'utf8');
const names = () => readdirSync(place.ws, { recursive: true }).map(String).sort();
const mode = (path: string) => statSync(join(place.ws, path)).mode & 0o7777;
/** Sizes of the journals: empty when nothing is under way. */
const journals = () => readdirSync(join(place.state, 'journal')).map((name) => statSync(join(place.state, 'journal', name)).size);

/** A target that expects what is there now. */
async function target(
  workspace: OpenWorkspace,
  path: string,
  bytes: string | null,
  extra: Partial<FileTarget> = {},
): Promise<FileTarget> {
  const there = existsSync(join(place.ws, path));
  const expect = there ? (await workspace.readFile(path)).state : 'absent';
  return { path, bytes: bytes === null ? null : Buffer.from(bytes), expect, ...extra };
}

async function change(workspace: OpenWorkspace, files: Record<string, string | null>) {
  return workspace.changeFiles(await Promise.all(Object.entries(files).map(([path, bytes]) => target(workspace, path, bytes))));
}

describe('a change of several files', () => {
  it('replaces, creates and removes, leaves backups and nothing else', async () => {
    place.put('a.sh', 'a1', 0o751);
    place.put('gone.txt', 'g1');
    const workspace = await place.open();
    const outcomes = await change(workspace, { 'a.sh': 'a2', 'n/m/new.txt': 'n1', 'gone.txt': null });
    expect(outcomes.map(({ located, created, notes }) => [located.shown, created, notes])).toEqual([
      ['a.sh', false, []],
      ['n/m/new.txt', true, []],
      ['gone.txt', false, []],
    ]);
    expect([text('a.sh'), mode('a.sh'), text('a.sh.bak'), text('gone.txt.bak')]).toEqual(['a2', 0o751, 'a1', 'g1']);
    expect(names()).toEqual(['a.sh', 'a.sh.bak', 'gone.txt.bak', 'n', 'n/m', 'n/m/new.txt']);
    expect(journals()).toEqual([0]);
    expect(readdirSync(join(place.state, 'locks'))).toEqual([]);
    expect(workspace.lastSeen(join(place.ws, 'a.sh'))).toMatchObject({ size: 2 });
    expect(workspace.lastSeen(join(place.ws, 'gone.txt'))).toBeUndefined();
  });

  it('can be rolled back file by file; what was created has no backup', async () => {
    place.put('a.sh', 'a1', 0o751);
    place.put('gone.txt', 'g1', 0o640);
    const workspace = await place.open();
    const targets = [
      await target(workspace, 'a.sh', 'a2', { mode: 0o600 }),
      await target(workspace, 'gone.txt', null),
      await target(workspace, 'new.txt', 'n'),
    ];
    await workspace.changeFiles(targets);
    expect(mode('a.sh')).toBe(0o600);
    await workspace.rollback('a.sh');
    await workspace.rollback('gone.txt');
    expect([text('a.sh'), mode('a.sh'), text('gone.txt'), mode('gone.txt')]).toEqual(['a1', 0o751, 'g1', 0o640]);
    expect(await faultFrom(workspace.rollback('new.txt'))).toMatchObject({
      code: 'NotFound',
      message: expect.stringContaining('created it'),
    });
  });

  it('changes a mode alone, and does nothing where nothing is to be done', async () => {
    place.put('a.sh', 'a1', 0o644);
    place.put('b.sh', 'b1', 0o600);
    const workspace = await place.open();
    await workspace.changeFiles([
      await target(workspace, 'a.sh', 'a1', { mode: 0o755 }),
      await target(workspace, 'b.sh', 'b1', { mode: 0o600 }),
    ]);
    expect([mode('a.sh'), mode('b.sh')]).toEqual([0o755, 0o600]);
    expect(names()).toEqual(['a.sh', 'a.sh.bak', 'b.sh']);
    await workspace.rollback('a.sh');
    expect(mode('a.sh')).toBe(0o644);
  });

  it('writes through links and keeps them, and refuses to remove one', async () => {
    place.put('real.txt', 'r1');
    place.link('link.txt', 'real.txt');
    const workspace = await place.open();
    await change(workspace, { 'link.txt': 'r2' });
    expect([text('real.txt'), lstatSync(join(place.ws, 'link.txt')).isSymbolicLink()]).toEqual(['r2', true]);
    expect((await faultFrom(change(workspace, { 'link.txt': null }))).code).toBe('ELOOP');
    expect(text('real.txt')).toBe('r2');
  });

  it('keeps hard links, and counts two names of one file as one', async () => {
    const file = place.put('h1.txt', 'long old content');
    linkSync(file, join(place.ws, 'h2.txt'));
    place.put('a.txt', 'a1');
    const workspace = await place.open();
    await change(workspace, { 'h1.txt': 'new', 'a.txt': 'a2' });
    expect([text('h2.txt'), statSync(file).nlink, text('h1.txt.bak'), text('a.txt')]).toEqual([
      'new',
      2,
      'long old content',
      'a2',
    ]);
    const fault = await faultFrom(change(workspace, { 'h1.txt': 'x', 'h2.txt': 'y', 'a.txt': 'a3' }));
    expect(fault).toMatchObject({ code: 'InvalidArgs', message: expect.stringContaining('two names of one file') });
    expect(
      (await faultFrom(workspace.changeFiles([await target(workspace, 'a.txt', 'x'), await target(workspace, './a.txt', 'y')])))
        .code,
    ).toBe('InvalidArgs');
    expect([text('h1.txt'), text('a.txt')]).toEqual(['new', 'a2']);
    await workspace.rollback('h1.txt');
    expect([text('h2.txt'), statSync(file).nlink]).toEqual(['long old content', 2]);
  });

  it('leaves a .bak that is not ours, or that the same call writes', async () => {
    place.put('a.txt', 'a1');
    place.put('a.txt.bak', "user's own");
    place.put('b.txt', 'b1');
    const workspace = await place.open();
    const outcomes = await change(workspace, { 'a.txt': 'a2', 'b.txt': 'b2', 'b.txt.bak': 'made here' });
    expect(outcomes[0]?.notes.join()).toContain(place.state);
    expect([text('a.txt.bak'), text('b.txt.bak')]).toEqual(["user's own", 'made here']);
    await workspace.rollback('a.txt');
    await workspace.rollback('b.txt');
    expect([text('a.txt'), text('b.txt')]).toEqual(['a1', 'b1']);
  });
});

describe('a change that is refused', () => {
  const refused = async (workspace: OpenWorkspace, targets: readonly FileTarget[]) => {
    const before = names();
    const fault = await faultFrom(workspace.changeFiles(targets));
    expect(names()).toEqual(before);
    expect(text('a.txt')).toBe('a1');
    expect(existsSync(join(place.state, 'journal')) ? journals().filter((size) => size > 0) : []).toEqual([]);
    return fault;
  };

  it('changes nothing: stale, there already, gone, outside, a folder, both absent and removed', async () => {
    place.put('a.txt', 'a1');
    place.put('s.txt', 's1');
    mkdirSync(join(place.ws, 'dir'));
    place.put('../outside.txt', 'o');
    const workspace = await place.open();
    const good = await target(workspace, 'a.txt', 'a2');
    const stale = await target(workspace, 's.txt', 's2');
    place.put('s.txt', 'changed');
    const made = { path: 'deep/er/x.txt', bytes: Buffer.from('x'), expect: 'absent' } as const;
    const cases: readonly (readonly [FileTarget, string])[] = [
      [stale, 'Stale'],
      [{ ...stale, bytes: null }, 'Stale'],
      [{ path: 's.txt', bytes: Buffer.from('x'), expect: 'absent' }, 'Stale'],
      [{ ...stale, path: 'never.txt' }, 'Stale'],
      [{ ...stale, path: '../outside.txt' }, 'OutsideWorkspace'],
      [{ ...stale, path: '.git/config' }, 'Sensitive'],
      [{ path: 'dir', bytes: Buffer.from('x'), expect: 'absent' }, 'EISDIR'],
      [{ path: 's.txt/below', bytes: Buffer.from('x'), expect: 'absent' }, 'ENOTDIR'],
      [{ path: 'never.txt', bytes: null, expect: 'absent' }, 'InvalidArgs'],
      [{ path: 'y'.repeat(300), bytes: Buffer.from('x'), expect: 'absent' }, 'ENAMETOOLONG'],
    ];
    for (const [bad, code] of cases) {
      const fault = await refused(workspace, [made, good, bad]);
      expect([bad.path, fault.code]).toEqual([bad.path, code]);
      expect([bad.path, /[Nn]othing was|outside|inside|cannot be both/.test(fault.message)]).toEqual([bad.path, true]);
    }
  });

  it('is refused without a journal, while a single write goes on', async () => {
    place.put('a.txt', 'a1');
    mkdirSync(place.state, { recursive: true });
    writeFileSync(join(place.state, 'journal'), 'a file, not a folder');
    const workspace = await place.open();
    const fault = await faultFrom(
      workspace.changeFiles([await target(workspace, 'a.txt', 'a2'), await target(workspace, 'n/n.txt', 'n')]),
    );
    expect(fault.message).toContain('journal');
    expect([text('a.txt'), names()]).toEqual(['a1', ['a.txt']]);
    await workspace.writeFile('a.txt', Buffer.from('a2'));
    expect(text('a.txt')).toBe('a2');
  });

  it('makes its journal anew when somebody removed it', async () => {
    place.put('a.txt', 'a1');
    const workspace = await place.open();
    await change(workspace, { 'a.txt': 'a2' });
    rmSync(join(place.state, 'journal'), { recursive: true });
    await change(workspace, { 'a.txt': 'a3' });
    expect(journals()).toEqual([0]);
  });
});

describe('disks that refuse', () => {
  /** Runs `work` with a file system mounted at a folder of the workspace; false when that is not possible here. */
  async function mounted(args: readonly string[], at: string, work: () => Promise<void>): Promise<boolean> {
    try {
      execFileSync('mount', [...args, at], { stdio: 'ignore' });
    } catch {
      return false;
    }
    try {
      await work();
    } finally {
      // The journal of this process stays open, so the mount may only go later.
      execFileSync('umount', ['-l', at]);
    }
    return true;
  }

  it('full: nothing is changed, whichever file does not fit', async (test) => {
    const disk = join(place.ws, 'small');
    mkdirSync(disk);
    const done = await mounted(['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs'], disk, async () => {
      place.put('a.txt', 'a1');
      place.put('small/b.txt', 'b1');
      place.put('small/h1.txt', 'hard');
      linkSync(join(disk, 'h1.txt'), join(disk, 'h2.txt'));
      const workspace = await place.open();
      for (const big of ['small/b.txt', 'small/new/n.txt', 'small/h1.txt']) {
        const before = names();
        const targets = [await target(workspace, 'a.txt', 'a2'), await target(workspace, big, 'x'.repeat(200_000))];
        const fault = await faultFrom(workspace.changeFiles(targets));
        expect([big, fault.code, fault.message.includes(big)]).toEqual([big, 'ENOSPC', true]);
        expect(names()).toEqual(before);
      }
      expect([text('a.txt'), text('small/b.txt'), text('small/h1.txt'), statSync(join(disk, 'h2.txt')).nlink]).toEqual([
        'a1',
        'b1',
        'hard',
        2,
      ]);
      await change(workspace, { 'a.txt': 'a2', 'small/b.txt': 'b2', 'small/h1.txt': 'h2' });
      expect([text('a.txt'), text('small/b.txt'), text('small/h2.txt')]).toEqual(['a2', 'b2', 'h2']);
    });
    if (!done) test.skip('a small file system cannot be mounted here (needs root)');
  });

  it('full under our own state: refused without a promise', async (test) => {
    const done = await mounted(['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs'], place.state, async () => {
      mkdirSync(place.scratch, { recursive: true });
      place.put('a.txt', 'a1');
      place.put('b.txt', 'b1');
      const workspace = await place.open();
      await change(workspace, { 'a.txt': 'a2' });
      const filler = join(place.state, 'filler');
      expect(() => writeFileSync(filler, Buffer.alloc(100_000))).toThrow();
      const fault = await faultFrom(change(workspace, { 'a.txt': 'a3', 'b.txt': 'b2', 'n/n.txt': 'n' }));
      expect(fault.code).toBe('ENOSPC');
      expect([text('a.txt'), text('b.txt'), names()]).toEqual(['a2', 'b1', ['a.txt', 'a.txt.bak', 'b.txt']]);
      rmSync(filler);
      await change(workspace, { 'a.txt': 'a3', 'b.txt': 'b2' });
      expect([text('a.txt'), text('b.txt')]).toEqual(['a3', 'b2']);
    });
    if (!done) test.skip('a small file system cannot be mounted here (needs root)');
  });

  it('read-only, even to root: nothing is changed', async (test) => {
    const folder = join(place.ws, 'ro');
    place.put('ro/b.txt', 'b1');
    place.put('a.txt', 'a1');
    const done = await mounted(['--bind', folder], folder, async () => {
      execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
      const workspace = await place.open();
      const attempts: Record<string, string | null>[] = [{ 'ro/b.txt': 'b2' }, { 'ro/b.txt': null }, { 'ro/new/n.txt': 'n' }];
      for (const files of attempts) {
        const fault = await faultFrom(change(workspace, { 'a.txt': 'a2', ...files }));
        expect(fault.code).toBe('EROFS');
      }
      expect([text('a.txt'), text('ro/b.txt'), names()]).toEqual(['a1', 'b1', ['a.txt', 'ro', 'ro/b.txt']]);
    });
    if (!done) test.skip('a folder cannot be mounted read-only here (needs root)');
  });

  it('another one: files of two disks are one change', async (test) => {
    const disk = join(place.ws, 'other');
    mkdirSync(disk);
    const done = await mounted(['-t', 'tmpfs', 'tmpfs'], disk, async () => {
      place.put('a.txt', 'a1');
      place.put('other/b.txt', 'b1');
      place.put('other/b.txt.bak', 'mine');
      const workspace = await place.open();
      await change(workspace, { 'a.txt': 'a2', 'other/b.txt': 'b2', 'other/n/n.txt': 'n' });
      expect([text('a.txt'), text('other/b.txt'), text('other/b.txt.bak'), text('other/n/n.txt')]).toEqual([
        'a2',
        'b2',
        'mine',
        'n',
      ]);
      await workspace.rollback('other/b.txt');
      expect(text('other/b.txt')).toBe('b1');
    });
    if (!done) test.skip('a second file system cannot be mounted here (needs root)');
  });

  it('a file that something is mounted on is written in place, and not removed', async (test) => {
    const file = place.put('m.txt', 'm1');
    const source = place.put('../source.txt', 'below');
    place.put('a.txt', 'a1');
    const done = await mounted(['--bind', source], file, async () => {
      const workspace = await place.open();
      expect((await faultFrom(change(workspace, { 'a.txt': 'a2', 'm.txt': null }))).code).toBe('EBUSY');
      expect([text('a.txt'), text('m.txt'), names()]).toEqual(['a1', 'below', ['a.txt', 'm.txt']]);
      await change(workspace, { 'a.txt': 'a2', 'm.txt': 'longer than before' });
      expect([readFileSync(source, 'utf8'), text('m.txt.bak'), text('a.txt')]).toEqual(['longer than before', 'below', 'a2']);
    });
    if (!done) test.skip('a file cannot be mounted here (needs root)');
    expect(names()).toEqual(['a.txt', 'a.txt.bak', 'm.txt', 'm.txt.bak']);
  });

  it('a folder that takes no files: writable files in it are written in place', async (test) => {
    place.put('d/a.txt', 'a1');
    place.put('b.txt', 'b1');
    chmodSync(join(place.ws, 'd'), 0o555);
    const sealed = (flag: string) => execFileSync('chattr', [flag, join(place.ws, 'd')], { stdio: 'ignore' });
    if (process.getuid?.() === 0) {
      try {
        sealed('+i');
      } catch {
        return test.skip('root writes everywhere here: the folder cannot be sealed');
      }
    }
    try {
      const workspace = await place.open();
      const outcomes = await change(workspace, { 'd/a.txt': 'a2', 'b.txt': 'b2' });
      expect(outcomes[0]?.notes.join()).toContain(place.state);
      expect([text('d/a.txt'), readdirSync(join(place.ws, 'd')), text('b.txt')]).toEqual(['a2', ['a.txt'], 'b2']);
      await workspace.rollback('d/a.txt');
      expect(text('d/a.txt')).toBe('a1');
      expect((await faultFrom(change(workspace, { 'd/a.txt': null, 'b.txt': 'b3' }))).code).toMatch(/EACCES|EPERM/);
      expect((await faultFrom(change(workspace, { 'd/new.txt': 'n', 'b.txt': 'b3' }))).code).toMatch(/EACCES|EPERM/);
      expect(text('b.txt')).toBe('b2');
    } finally {
      if (process.getuid?.() === 0) sealed('-i');
      chmodSync(join(place.ws, 'd'), 0o755);
    }
  });
});
