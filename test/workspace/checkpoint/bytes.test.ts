/** Bytes in are bytes out, whatever the repository says, and nothing it brings is run. */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundle } from '../bundle.js';
import { type Setup, setup } from './setup.js';

let s: Setup;
beforeEach(() => {
  s = setup();
});
afterEach(() => s.remove());

const CONTENTS: Record<string, Buffer> = {
  'crlf.txt': Buffer.from('a\r\nb\r\nc\n'),
  'ident.txt': Buffer.from('$Id$ and $Id: 0123 $\n'),
  'utf16.txt': Buffer.from('\ufeffh\u00e9llo\r\n', 'utf16le'),
  'latin1.txt': Buffer.from([0xe9, 0xe8, 0x0a, 0xff]),
  'none.txt': Buffer.from('no newline'),
  'empty.txt': Buffer.alloc(0),
  'bin.dat': Buffer.from(Array.from({ length: 512 }, (_, i) => i % 256)),
  'pointer.lfs': Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n'),
};

describe('bytes', () => {
  it('are not converted by attributes, filters and settings of the repository', async () => {
    const mark = join(s.base, 'RAN');
    s.git(['init', '-q']);
    s.git(['config', 'core.autocrlf', 'true']);
    s.git(['config', 'core.fsmonitor', `touch ${mark}1`]);
    s.git(['config', 'core.hooksPath', 'hooks']);
    for (const kind of ['clean', 'smudge', 'process']) s.git(['config', `filter.evil.${kind}`, `touch ${mark}2; cat`]);
    s.git(['config', 'filter.evil.required', 'true']);
    s.put('hooks/post-index-change', `#!/bin/sh\ntouch ${mark}3\n`, 0o755);
    s.put('.git/hooks/post-checkout', `#!/bin/sh\ntouch ${mark}4\n`, 0o755);
    s.put('.git/info/attributes', '* filter=evil text\n');
    s.put(
      '.gitattributes',
      '[attr]text filter=evil\n[attr]binary text=auto eol=crlf\n* text=auto eol=lf ident filter=evil working-tree-encoding=UTF-16LE-BOM crlf\n*.lfs filter=lfs diff=lfs merge=lfs -text\n',
    );
    s.put('sub/.gitattributes', '* text eol=crlf working-tree-encoding=UTF-16\n');
    for (const [name, bytes] of Object.entries(CONTENTS)) {
      s.put(name, bytes);
      s.put(`sub/${name}`, bytes);
    }
    const hash = await s.hash();
    for (const name of Object.keys(CONTENTS)) {
      s.put(name, 'changed\n');
      rmSync(join(s.ws, 'sub', name));
    }
    const done = await s.restore(hash);
    expect(done.refused).toEqual([]);
    for (const [name, bytes] of Object.entries(CONTENTS)) {
      expect(readFileSync(join(s.ws, name)).equals(bytes), name).toBe(true);
      expect(readFileSync(join(s.ws, 'sub', name)).equals(bytes), `sub/${name}`).toBe(true);
    }
    expect(readdirSync(s.base).filter((name) => name.startsWith('RAN'))).toEqual([]);
  });

  it('keep odd names, links and the right to run', async () => {
    const names = [
      '-rf',
      '--help',
      'a\nb',
      'q"u\'o`te',
      'tab\there',
      '$HOME',
      '~',
      'back\\slash',
      'star*?[x]',
      ' lead',
      'git~1',
      ':colon',
      'e\u0301.txt',
      '\u00e9.txt',
    ];
    for (const name of names) s.put(name, `of ${name}`);
    const raw = Buffer.concat([Buffer.from(`${s.ws}/`), Buffer.from([0xff, 0xfe, 0x2d])]);
    writeFileSync(raw, 'raw');
    s.put('run.sh', '#!/bin/sh\n', 0o755);
    s.put('plain.sh', '#!/bin/sh\n', 0o644);
    s.put('secret', 'kept close\n', 0o600);
    s.link('in', 'run.sh');
    s.link('out', '/etc');
    s.link('dangling', 'nowhere\nat all');
    const hash = await s.hash();
    for (const name of names) s.put(name, 'other');
    writeFileSync(raw, 'other');
    chmodSync(join(s.ws, 'run.sh'), 0o644);
    chmodSync(join(s.ws, 'plain.sh'), 0o755);
    s.put('secret', 'spoilt');
    for (const name of ['in', 'out', 'dangling']) rmSync(join(s.ws, name));
    s.link('in', 'plain.sh');
    s.put('out', 'a file now');
    const done = await s.restore(hash);
    expect(done.refused).toEqual([]);
    for (const name of names) expect(s.read(name), name).toBe(Buffer.from(`of ${name}`).toString('latin1'));
    expect(readFileSync(raw, 'utf8')).toBe('raw');
    const mode = (name: string) => lstatSync(join(s.ws, name)).mode & 0o777;
    expect([mode('run.sh'), mode('plain.sh'), mode('secret')]).toEqual([0o755, 0o644, 0o600]);
    expect(s.read('secret')).toBe('kept close\n');
    expect(['in', 'out', 'dangling'].map((name) => readlinkSync(join(s.ws, name)))).toEqual([
      'run.sh',
      '/etc',
      'nowhere\nat all',
    ]);
    expect(existsSync('/etc/hostname')).toBe(true);
  });

  it('of a file with several names stay shared', async () => {
    s.put('one', 'first\n');
    execFileSync('ln', [join(s.ws, 'one'), join(s.ws, 'two')]);
    const hash = await s.hash();
    writeFileSync(join(s.ws, 'one'), 'second and longer\n');
    await s.restore(hash);
    expect([s.read('one'), s.read('two')]).toEqual(['first\n', 'first\n']);
    expect(lstatSync(join(s.ws, 'one')).ino).toBe(lstatSync(join(s.ws, 'two')).ino);
  });

  it('of a file with several names are the old ones when the new ones do not fit', async (context) => {
    if (process.platform === 'win32') context.skip('needs a limit on the size of files');
    const [module] = await bundle(join(s.base, 'out'), ['workspace/checkpoint/disk-entry']);
    s.put('one', 'old\n'.repeat(1000));
    execFileSync('ln', [join(s.ws, 'one'), join(s.ws, 'two')]);
    const script = `
      const { openParent, putEntry } = await import(${JSON.stringify(module)});
      const parent = openParent(${JSON.stringify(s.ws)}, Buffer.from('one'), () => undefined);
      try { putEntry(parent, Buffer.alloc(200_000, 120), 0o100644); console.log('written'); } catch (error) { console.log(error.code); }`;
    const limited = ['-c', 'ulimit -f 64; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script];
    expect(execFileSync('sh', limited, { encoding: 'utf8' })).toBe('EFBIG\n');
    expect(s.read('two')).toBe('old\n'.repeat(1000));
  });

  it('of files git itself reads as settings do not disturb it', async () => {
    s.put('.gitmodules', '[submodule\nbroken');
    s.put('.gitattributes', Buffer.from([0, 1, 2, 0xff]));
    s.put('.gitignore', Buffer.from([0xff, 0x0a, 0x5b, 0x0a]));
    s.put('.mailmap', 'x');
    const hash = await s.hash();
    s.put('.gitmodules', 'other');
    await s.restore(hash);
    expect(s.read('.gitmodules')).toBe('[submodule\nbroken');
  });

  it('leave the repository of the user as it is, also where .git is a file', async () => {
    s.git(['init', '-q']);
    s.put('a.txt', 'v1\n');
    s.git(['add', '.']);
    s.git(['commit', '-q', '-m', 'base']);
    s.put('staged.txt', 's\n');
    s.git(['add', 'staged.txt']);
    const tree = join(s.base, 'linked');
    s.git(['worktree', 'add', '-q', tree]);
    const picture = (folder: string) =>
      execFileSync('find', [folder, '-type', 'f', '-printf', '%p %T@ %s\\n'], { encoding: 'utf8' }).split('\n').sort().join('\n');
    const before = picture(join(s.ws, '.git'));
    const linked = setup({ roots: [tree] }, s);
    for (const one of [s, linked]) {
      const hash = await one.hash();
      writeFileSync(join(one.checkpoints.options.roots[0] ?? '', 'a.txt'), 'v2\n');
      expect((await one.restore(hash, true)).refused).toEqual([]);
    }
    expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('v1\n');
    expect(readFileSync(join(tree, '.git'), 'utf8')).toMatch(/^gitdir: /);
    expect(picture(join(s.ws, '.git'))).toBe(before);
  });
});

it('does not follow a folder that became a link, and does not restore into it', async () => {
  s.put('d/f', 'inside\n');
  const hash = await s.hash();
  rmSync(join(s.ws, 'd'), { recursive: true });
  const outside = join(s.base, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'f'), 'outside\n');
  writeFileSync(join(s.ws, '.gitignore'), 'd\n');
  s.link('d', outside);
  const done = await s.restore(hash);
  expect(readFileSync(join(outside, 'f'), 'utf8')).toBe('outside\n');
  expect(done.refused.map((entry) => entry.path)).toEqual(['d/f']);
  rmSync(join(s.ws, '.gitignore'));
  const again = await s.restore(hash);
  expect(readFileSync(join(outside, 'f'), 'utf8')).toBe('outside\n');
  expect(again.refused).toEqual([]);
  expect(again.removed.map((entry) => entry.path)).toEqual(['d']);
  expect(s.read('d/f')).toBe('inside\n');
  expect(lstatSync(join(s.ws, 'd')).isDirectory()).toBe(true);
});
