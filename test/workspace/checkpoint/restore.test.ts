/** What restoring changes, what it leaves, and that the state before can always be had again. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { which } from '../../../src/process/which.js';
import { whileLocked } from '../../../src/workspace/path-lock.js';
import { faultFrom } from '../temp.js';
import { type Setup, setup } from './setup.js';

let s: Setup;
beforeEach(() => {
  s = setup();
});
afterEach(() => s.remove());

const paths = (entries: readonly { readonly path: string }[]) => entries.map((entry) => entry.path);

describe('restore', () => {
  it('rewinds what was recorded, keeps what came later, and names the state before', async () => {
    s.put('a.txt', 'a1\n');
    s.put('b/c.txt', 'c1\n');
    s.put('b/same.txt', 'same\n');
    const hash = await s.hash();
    s.put('a.txt', 'a2\n');
    rmSync(join(s.ws, 'b'), { recursive: true });
    s.put('b/same.txt', 'same\n');
    s.put('new.txt', 'new\n');
    s.put('deep/er/new.txt', 'new\n');
    const done = await s.restore(hash.slice(0, 7).toUpperCase());
    expect(paths(done.restored)).toEqual(['a.txt', 'b/c.txt']);
    expect([s.read('a.txt'), s.read('b/c.txt'), s.read('new.txt')]).toEqual(['a1\n', 'c1\n', 'new\n']);
    expect(done.stayed).toEqual(['deep/er/new.txt', 'new.txt']);
    const back = await s.restore(done.before?.hash ?? '', true);
    expect([s.read('a.txt'), s.read('b/c.txt'), s.read('new.txt')]).toEqual(['a2\n', undefined, 'new\n']);
    expect(paths(back.removed)).toEqual(['b/c.txt']);
  });

  it('exact removes later files and the folders they leave empty, never ignored ones', async () => {
    s.put('.gitignore', 'out/\n*.log\n');
    s.put('a.txt', 'a\n');
    const hash = await s.hash();
    s.put('added/x/y.txt', 'y\n');
    s.put('added/keep.log', 'log\n');
    s.put('other/z.txt', 'z\n');
    s.put('out/build.js', 'built\n');
    const done = await s.restore(hash, true);
    expect(paths(done.removed)).toEqual(['added/x/y.txt', 'other/z.txt']);
    expect(readdirSync(s.ws).sort()).toEqual(['.gitignore', 'a.txt', 'added', 'out']);
    expect(readdirSync(join(s.ws, 'added'))).toEqual(['keep.log']);
    await s.restore(done.before?.hash ?? '');
    expect([s.read('added/x/y.txt'), s.read('other/z.txt'), s.read('out/build.js')]).toEqual(['y\n', 'z\n', 'built\n']);
  });

  it('exact spares files that were recorded and are ignored by now', async () => {
    s.put('.gitignore', 'x\n');
    const hash = await s.hash();
    s.put('trace.log', 'recorded\n');
    await s.create();
    s.put('.gitignore', 'x\n*.log\n');
    const done = await s.restore(hash, true);
    // The rules of the moment count: now it is ignored.
    expect(done.removed).toEqual([]);
    expect(s.read('trace.log')).toBe('recorded\n');
  });

  it('exact spares files that were ignored when the snapshot was made', async () => {
    s.put('.gitignore', '*.log\n');
    s.put('trace.log', 'there all the time\n');
    const hash = await s.hash();
    rmSync(join(s.ws, '.gitignore'));
    s.put('added.txt', 'added\n');
    const done = await s.restore(hash, true);
    expect(paths(done.removed)).toEqual(['added.txt']);
    expect([s.read('.gitignore'), s.read('trace.log')]).toEqual(['*.log\n', 'there all the time\n']);
  });

  it('records ignored files before it replaces them', async () => {
    s.put('settings.local', 'first\n');
    const hash = await s.hash();
    rmSync(join(s.ws, 'settings.local'));
    await s.create();
    s.put('.gitignore', '*.local\n');
    s.put('settings.local', 'precious\n');
    const done = await s.restore(hash);
    expect(s.read('settings.local')).toBe('first\n');
    await s.restore(done.before?.hash ?? '');
    expect(s.read('settings.local')).toBe('precious\n');
  });

  it('turns a folder back into a file and a file into a folder', async () => {
    s.put('thing', 'a file\n');
    s.put('place/inner', 'in a folder\n');
    const hash = await s.hash();
    rmSync(join(s.ws, 'thing'));
    s.put('thing/now/deep', 'deep\n');
    mkdirSync(join(s.ws, 'thing/hollow'));
    rmSync(join(s.ws, 'place'), { recursive: true });
    s.put('place', 'a file now\n');
    const done = await s.restore(hash);
    expect(done.refused).toEqual([]);
    expect([s.read('thing'), s.read('place/inner')]).toEqual(['a file\n', 'in a folder\n']);
    expect(paths(done.removed).sort()).toEqual(['place', 'thing/now/deep']);
    const back = await s.restore(done.before?.hash ?? '');
    expect(back.refused).toEqual([]);
    expect([s.read('thing/now/deep'), s.read('place')]).toEqual(['deep\n', 'a file now\n']);
  });

  it('leaves a folder alone that holds what is not recorded', async () => {
    s.put('.gitignore', '*.keep\n');
    s.put('thing', 'a file\n');
    const hash = await s.hash();
    rmSync(join(s.ws, 'thing'));
    s.put('thing/recorded', 'r\n');
    s.put('thing/mine.keep', 'precious\n');
    const done = await s.restore(hash, true);
    expect(paths(done.refused)).toEqual(['thing']);
    expect(s.read('thing/mine.keep')).toBe('precious\n');
  });

  it('changes nothing when everything is as it was', async () => {
    s.put('a.txt', 'a\n');
    const hash = await s.hash();
    const done = await s.restore(hash, true);
    expect([done.before, done.restored, done.removed]).toEqual([undefined, [], []]);
    expect((await s.checkpoints.list(new AbortController().signal)).length).toBe(1);
  });

  it('refuses what is no hash of a snapshot, and changes nothing', async () => {
    s.put('a.txt', 'v1\n');
    const hash = await s.hash();
    const tree = s
      .look(['rev-parse', `${hash}^{tree}`])
      .toString()
      .trim();
    s.put('a.txt', 'v2\n');
    for (const [text, code] of [
      ['deadbeef00', 'NotFound'],
      [tree, 'NotFound'],
      ['HEAD', 'InvalidArgs'],
      ['--orphan', 'InvalidArgs'],
      [`${hash.slice(0, 10)}~1`, 'InvalidArgs'],
      ['abc', 'InvalidArgs'],
      ['', 'InvalidArgs'],
    ] as const) {
      expect((await faultFrom(s.restore(text))).code, text).toBe(code);
    }
    expect(s.read('a.txt')).toBe('v2\n');
    expect((await s.checkpoints.list(new AbortController().signal)).length).toBe(1);
  });

  it('never writes into repositories, settings of our own and credentials', async () => {
    const files = [
      '.env',
      '.chatcli/config.json',
      'coder_policy.json',
      '.chatcli/agents/a.md',
      'plain.txt',
      'later/a.txt',
      'bare/config',
    ];
    for (const name of files) s.put(name, 'v1\n');
    const hash = await s.hash();
    for (const name of files) s.put(name, 'v2\n');
    s.git(['init', '-q'], 'later');
    for (const name of ['objects', 'refs']) mkdirSync(join(s.ws, 'bare', name));
    writeFileSync(join(s.ws, 'bare/HEAD'), 'ref: refs/heads/main\n');
    const done = await s.restore(hash, true);
    expect(paths(done.restored)).toEqual(['.chatcli/agents/a.md', 'plain.txt']);
    expect(paths(done.refused).sort()).toEqual([
      '.chatcli/config.json',
      '.env',
      'bare/config',
      'coder_policy.json',
      'later/a.txt',
    ]);
    for (const name of ['.env', '.chatcli/config.json', 'coder_policy.json', 'later/a.txt', 'bare/config'])
      expect(s.read(name), name).toBe('v2\n');
    expect(existsSync(join(s.ws, 'later/.git/HEAD'))).toBe(true);
  });

  it('says which file another program changed meanwhile or that cannot be written', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs chattr as root');
    s.put('fixed/a.txt', 'v1\n');
    s.put('b.txt', 'v1\n');
    const hash = await s.hash();
    s.put('fixed/a.txt', 'v2\n');
    s.put('b.txt', 'v2\n');
    if (spawnSync('chattr', ['+i', join(s.ws, 'fixed')]).status !== 0) context.skip('this file system has no immutable folders');
    try {
      const done = await s.restore(hash);
      expect(paths(done.refused)).toEqual(['fixed/a.txt']);
      expect([s.read('fixed/a.txt'), s.read('b.txt')]).toEqual(['v2\n', 'v1\n']);
    } finally {
      spawnSync('chattr', ['-i', join(s.ws, 'fixed')]);
    }
    expect(readdirSync(join(s.ws, 'fixed'))).toEqual(['a.txt']);
  });
});

it('waits for another writer of the file, and leaves it when that does not end', async () => {
  s.put('a.txt', 'v1\n');
  s.put('b.txt', 'v1\n');
  const hash = await s.hash();
  s.put('a.txt', 'v2\n');
  s.put('b.txt', 'v2\n');
  const a = { real: join(s.ws, 'a.txt'), shown: 'a.txt' };
  let go: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    go = resolve;
  });
  const writer = whileLocked(s.state, [a], async () => {
    await waiting;
    s.put('a.txt', 'written meanwhile\n');
  });
  const restoring = s.restore(hash);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(s.read('a.txt')).toBe('v2\n');
  go();
  await writer;
  const done = await restoring;
  expect(done.refused).toEqual([{ path: 'a.txt', why: 'it was changed while the snapshot was restored' }]);
  expect([s.read('a.txt'), s.read('b.txt')]).toEqual(['written meanwhile\n', 'v1\n']);
});

describe('what a snapshot holds', () => {
  it('repositories inside are left alone, with and without commits, submodules too', async () => {
    s.git(['init', '-q']);
    s.put('own.txt', 'own\n');
    for (const name of ['unborn', 'born', 'plain']) s.put(`${name}/f.txt`, 'v1\n');
    s.git(['init', '-q'], 'unborn');
    s.git(['init', '-q'], 'born');
    s.git(['add', '.'], 'born');
    s.git(['commit', '-q', '-m', 'x'], 'born');
    s.git(['submodule', 'add', '-q', join(s.ws, 'born'), 'module']);
    const { snapshot, left } = await s.create();
    expect(left.map((entry) => `${entry.why} ${entry.path}`).sort()).toEqual([
      'repository born',
      'repository module',
      'repository unborn',
    ]);
    const hash = snapshot?.hash ?? '';
    const held = s.look(['ls-tree', '-r', '--name-only', hash]).toString().split('\n').filter(Boolean);
    expect(held).toEqual(['.gitmodules', 'own.txt', 'plain/f.txt']);
    for (const name of ['unborn', 'born', 'module', 'plain']) s.put(`${name}/f.txt`, 'v2\n');
    s.put('born/later.txt', 'later\n');
    const done = await s.restore(hash, true);
    expect(paths(done.restored)).toEqual(['plain/f.txt']);
    for (const name of ['unborn', 'born', 'module']) expect(s.read(`${name}/f.txt`)).toBe('v2\n');
    expect(s.read('born/later.txt')).toBe('later\n');
  });

  it('files over the limit and unreadable ones are left out with a note, and never replaced', async () => {
    s.put('big.bin', 'small once\n');
    s.put('a.txt', 'v1\n');
    const hash = await s.hash();
    spawnSync('truncate', ['-s', '65M', join(s.ws, 'big.bin')]);
    s.put('a.txt', 'v2\n');
    const { left } = await s.create();
    expect(left.map((entry) => `${entry.why} ${entry.path}`)).toEqual(['large big.bin']);
    const done = await s.restore(hash);
    expect(paths(done.restored)).toEqual(['a.txt']);
    expect(paths(done.refused)).toEqual(['big.bin']);
    expect(lstatSync(join(s.ws, 'big.bin')).size).toBe(65 * 1024 * 1024);
  });

  it('pipes and other special files do no harm, also in the place of a file', async () => {
    s.put('a.txt', 'v1\n');
    s.put('p', 'a file\n');
    const hash = await s.hash();
    rmSync(join(s.ws, 'p'));
    spawnSync('mkfifo', [join(s.ws, 'p'), join(s.ws, 'q')]);
    s.put('a.txt', 'v2\n');
    expect((await s.create()).fresh).toBe(true);
    const done = await s.restore(hash, true);
    expect(paths(done.restored)).toEqual(['a.txt']);
    expect(paths(done.refused)).toEqual(['p']);
    expect(lstatSync(join(s.ws, 'p')).isFIFO()).toBe(true);
  });

  it('nothing new makes no snapshot, also when only times changed', async () => {
    s.put('a.txt', 'v1\n');
    const first = await s.create();
    spawnSync('touch', [join(s.ws, 'a.txt')]);
    const second = await s.create('again');
    expect([first.fresh, second.fresh, second.snapshot?.hash === first.snapshot?.hash]).toEqual([true, false, true]);
  });

  it('the order of snapshots is that of their making, whatever the clock says', async () => {
    let clock = Date.now();
    const other = setup({ now: () => clock }, s);
    const made: string[] = [];
    for (const step of [0, -3600_000, 0, 0]) {
      clock += step;
      s.put('a.txt', `${made.length}\n`);
      made.unshift(await other.hash());
    }
    expect((await other.checkpoints.list(new AbortController().signal)).map((entry) => entry.hash)).toEqual(made);
  });

  it('the state folder is never part of it', async () => {
    const inner = setup({ state: join(s.ws, '.state') }, { ...s, state: join(s.ws, '.state') });
    for (let i = 0; i < 3; i++) {
      s.put('a.txt', `v${i}\n`);
      s.put('.state/config.json', `{"n":${i}}`);
      const hash = await inner.hash();
      expect(inner.look(['ls-tree', '-r', '--name-only', hash]).toString()).toBe('a.txt\n');
    }
  });

  it('the rules of the repository around a subfolder count, and those against the subfolder itself do not', async () => {
    const inner = join(s.ws, 'packages/one');
    mkdirSync(inner, { recursive: true });
    const sub = setup({ roots: [inner] }, s);
    s.git(['init', '-q']);
    s.put(
      '.gitignore',
      '*.log\n/packages/one/dist\npackages/*/tmp/\n!keep.log\nnode_modules\n/dist2\npackages/one/\npackages/**\n**/deep/x\n',
    );
    s.put('packages/.gitignore', 'one/gen\n');
    s.put('.git/info/exclude', 'secret.txt\npackages/one/local\n');
    const kept = ['a.ts', 'keep.log', 'src/tmp2/x', 'dist2/x', 'src/gen/x', 'src/dist/x'];
    const ignored = ['a.log', 'dist/x', 'tmp/x', 'node_modules/m/x', 'gen/x', 'secret.txt', 'local', 'q/deep/x'];
    for (const name of [...kept, ...ignored]) s.put(`packages/one/${name}`, 'x\n');
    const hash = await sub.hash();
    const held = sub.look(['ls-tree', '-r', '--name-only', hash]).toString().split('\n').filter(Boolean);
    expect(held.sort()).toEqual([...kept].sort());
  });

  it('a place git can no longer read is mended or put aside', async () => {
    s.put('a.txt', 'v1\n');
    const first = await s.hash();
    writeFileSync(join(s.shadow, 'index'), 'garbage');
    s.put('a.txt', 'v2\n');
    const second = await s.hash();
    expect((await s.checkpoints.list(new AbortController().signal)).map((entry) => entry.hash)).toEqual([second, first]);
    rmSync(join(s.shadow, 'objects'), { recursive: true });
    s.put('a.txt', 'v3\n');
    const third = await s.hash();
    expect((await s.checkpoints.list(new AbortController().signal)).map((entry) => entry.hash)).toEqual([third]);
    expect(readdirSync(join(s.state, 'checkpoints')).some((name) => name.includes('.broken-'))).toBe(true);
  });

  it('a place is put aside only when git finds it damaged, whatever a message says', async () => {
    s.put('a.txt', 'v1\n');
    const first = await s.hash();
    const bin = join(s.base, 'bin');
    mkdirSync(bin);
    const git = which('git', { PATH: process.env['PATH'] ?? '' });
    const script = `#!/bin/sh\nfor w; do if [ "$w" = write-tree ]; then echo "fatal: bad object or so" >&2; exit 128; fi; done\nexec '${git}' "$@"\n`;
    writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
    const odd = setup({ env: { PATH: `${bin}:${process.env['PATH']}` } }, s);
    s.put('a.txt', 'v2\n');
    expect((await faultFrom(odd.create())).message).toContain('bad object or so');
    expect((await s.checkpoints.list(new AbortController().signal)).map((entry) => entry.hash)).toEqual([first]);
    expect(readdirSync(join(s.state, 'checkpoints')).some((name) => name.includes('.broken-'))).toBe(false);
  });

  it('a workspace that was moved has snapshots of its own', async () => {
    s.put('a.txt', 'v1\n');
    await s.hash();
    const moved = join(s.base, 'moved');
    renameSync(s.ws, moved);
    const other = setup({ roots: [moved] }, s);
    expect(await other.checkpoints.list(new AbortController().signal)).toEqual([]);
  });
});

describe('folders without checkpoints', () => {
  it('are the root, home, what holds it, and our own state; the error says why', async () => {
    for (const [root, why] of [
      ['/', 'root of the file system'],
      [s.home, 'home folder'],
      [s.base, 'holds your home folder'],
      [s.state, 'state of this program'],
    ] as const) {
      const fault = await faultFrom(s.checkpoints.create(root, 'x', new AbortController().signal));
      expect(fault.code).toBe('Blocked');
      expect(fault.message).toContain(why);
    }
    expect(existsSync(join(s.state, 'checkpoints'))).toBe(false);
  });

  it('and without git it is said', async () => {
    const none = setup({ env: { PATH: s.base } }, s);
    expect(await faultFrom(none.create())).toMatchObject({ code: 'NotFound', message: expect.stringContaining('git') });
  });
});
