import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { treeAtom } from '../../../src/tools/atoms/tree.js';
import { treeTool } from '../../../src/tools/coder/tree.js';
import { writeTool } from '../../../src/tools/coder/write.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const tree = async (args: Parameters<Bench['run']>[1], tool = treeTool) => (await bench.run(tool, args)).output;

describe('tree', () => {
  it('is indented, sorted, with folders and links marked', async () => {
    bench.put('src/lib/b.ts', '');
    bench.put('src/a.ts', '');
    bench.put('README.md', '');
    bench.link('link', 'src');
    mkdirSync(join(bench.ws, 'empty'));
    expect(await tree({})).toBe('./\n  README.md\n  empty/\n  link -> src\n  src/\n    a.ts\n    lib/\n      b.ts\n');
    expect(await tree({ dir: 'src/lib' })).toBe('src/lib/\n  b.ts\n');
    expect(await tree({ dir: 'empty' })).toBe('empty/\n  (empty)\n');
    expect(await bench.run(treeTool, {})).toMatchObject({ isError: false, display: { kind: 'tree', root: '.', entries: 7 } });
  });

  it('skips repositories, packages, hidden and ignored entries', async () => {
    for (const path of [
      '.git/config',
      'node_modules/x/y.js',
      'vendor/z.go',
      'pkg/node_modules/q.js',
      '.hidden/h',
      'dist/o.js',
      'keep.log',
      'sub/a.log',
      'sub/note.tmp',
      'sub/ok.txt',
    ])
      bench.put(path, '');
    bench.put('.gitignore', 'dist/\n*.log\n!keep.log\n');
    bench.put('sub/.chatignore', '*.tmp\n');
    expect(await tree({})).toBe('./\n  keep.log\n  pkg/\n  sub/\n    ok.txt\n');
    expect(await tree({ include_hidden: true })).toContain('  .gitignore\n  .hidden/\n    h\n');
    expect(await tree({ include_hidden: true })).not.toContain('config');
    expect(await tree({ dir: 'node_modules' })).toContain('y.js');
    expect(await tree({ dir: 'dist' })).toContain('o.js');
  });

  it('filters files by glob and drops folders without one', async () => {
    for (const path of ['a.go', 'b.ts', 'x/c.go', 'x/y/d.tsx', 'z/e.txt']) bench.put(path, '');
    expect(await tree({ glob: '*.go' })).toBe('./\n  a.go\n  x/\n    c.go\n');
    expect(await tree({ glob: '*.{ts,tsx}' })).toBe('./\n  b.ts\n  x/\n    y/\n      d.tsx\n');
    expect(await tree({ glob: '.go,x/**/*.tsx' })).toBe('./\n  a.go\n  x/\n    c.go\n    y/\n      d.tsx\n');
    expect(await tree({ glob: '*.rs' })).toContain('no file matches *.rs');
  });

  it('excludes names and globs, in a list or with commas', async () => {
    for (const path of ['a/x.ts', 'b/x.ts', 'c/x.ts', 'c/y.js', 'top.js']) bench.put(path, '');
    expect(await tree({ exclude: 'a, b' })).toBe('./\n  c/\n    x.ts\n    y.js\n  top.js\n');
    expect(await tree({ exclude: ['a', '*.js', 'c/x.ts'] })).toBe('./\n  b/\n    x.ts\n  c/\n');
    expect(await tree({ exclude: 'b' }, treeAtom)).toContain('a/');
  });

  it('obeys depth and its limits', async () => {
    bench.put('1/2/3/4/5/6/7/deep.txt', '');
    expect(await tree({}, treeAtom)).toBe('./\n  1/\n    2/\n      3/\n... [1 folder at depth 3 not opened] ...\n');
    expect((await tree({})).split('\n').filter((line) => /\d\/$/.test(line))).toHaveLength(6);
    expect(await tree({ depth: 20 })).toContain('deep.txt');
    for (const depth of [0, 21, -1]) expect((await bench.run(treeAtom, { depth })).code).toBe('InvalidArgs');
  });

  it('stops at max_entries, nearest entries first', async () => {
    for (let i = 0; i < 30; i++) bench.put(`a/f${String(i).padStart(2, '0')}`, '');
    bench.put('z.txt', '');
    const output = await tree({ max_entries: 10 });
    expect(output).toContain('  z.txt\n');
    expect(output.split('\n').filter((line) => line.startsWith('    f'))).toHaveLength(8);
    expect(output).toContain('LIMITED TO 10 ENTRIES');
  });

  it('hides backups made here, not those of others', async () => {
    bench.put('a.txt', 'x');
    bench.put('mine.bak', 'x');
    await bench.run(writeTool, { file: 'a.txt', content: 'y' });
    expect(await tree({})).toBe('./\n  a.txt\n  mine.bak\n');
  });

  it('stays inside, and opens no guarded folder', async () => {
    bench.put('../outside/x', '');
    bench.link('out', '../outside');
    bench.put('.chatcli/hooks/h.sh', '');
    bench.put('a\nb', '');
    expect((await bench.run(treeTool, { dir: '../outside' })).code).toBe('OutsideWorkspace');
    expect((await bench.run(treeTool, { dir: 'out' })).code).toBe('OutsideWorkspace');
    expect((await bench.run(treeTool, { dir: 'none' })).code).toBe('NotFound');
    expect((await bench.run(treeTool, { dir: 'a\nb' })).code).toBe('ENOTDIR');
    expect(await tree({ include_hidden: true })).toBe('./\n  .chatcli/ [not listed]\n  a\\nb\n  out -> ../outside\n');
  });

  it('takes globs as a list, and the same fields by both names', async () => {
    for (const path of ['a.go', 'b.ts', 'c.md']) bench.put(path, '');
    expect(await tree({ glob: ['*.go', '*.ts'] })).toBe('./\n  a.go\n  b.ts\n');
    expect(await tree({ glob: ['*', '!*.md'] })).toBe('./\n  a.go\n  b.ts\n');
    expect(Object.keys(treeAtom.schema.properties)).toEqual(Object.keys(treeTool.schema.properties));
    expect(treeAtom.fieldAliases).toEqual(treeTool.fieldAliases);
    expect([treeTool, treeAtom].map(({ schema }) => schema.properties['depth']?.default)).toEqual([6, 3]);
  });

  it('ends where links lead in circles, and names what cannot be listed', async (context) => {
    bench.put('a/b/x', '');
    bench.link('a/up', '..');
    bench.link('a/b/self', '.');
    expect(await tree({ depth: 20 })).toBe('./\n  a/\n    b/\n      self -> .\n      x\n    up -> ..\n');
    if (process.getuid?.() === 0) context.skip('root may list every folder');
    mkdirSync(join(bench.ws, 'shut'), { mode: 0o000 });
    expect(await tree({})).toContain('  shut/\n    [cannot be listed]\n');
  });

  it('shows the first of a folder of thousands in one line each', async () => {
    for (let i = 0; i < 3000; i++) bench.put(`many/f${String(i).padStart(4, '0')}`, '');
    bench.put('many/\u001b[31mred', '');
    const output = await tree({ dir: 'many' });
    expect(output).toContain('many/\n  \\x1b[31mred\n  f0000\n');
    expect(output).toContain('  f1998\n... [LIMITED TO 2000 ENTRIES;');
    expect(await tree({ dir: 'many', max_entries: 5000 })).toContain('  f2999\n');
  });
});
