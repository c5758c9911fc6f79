/** `patch` with a unified diff: which files it means, and files made, removed, renamed and made executable. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { patchTool } from '../../../src/tools/coder/patch.js';
import { rollbackTool } from '../../../src/tools/coder/rollback.js';
import { ABC, BODY, DONE, unified, useDiffBench } from './diff-bench.js';

const use = useDiffBench();

describe('names', () => {
  const one = (old: string, now: string) => `--- ${old}\n+++ ${now}\n@@ -1 +1 @@\n-a\n+b\n`;
  it.each([
    ['src/x.txt', 'src/x.txt', 'src/x.txt'],
    ['a/x.txt', 'b/x.txt', 'x.txt'],
    ['a/a/x.txt', 'b/a/x.txt', 'a/x.txt'],
    ['i/x.txt', 'w/x.txt', 'x.txt'],
    ['./x.txt', './x.txt', 'x.txt'],
    ['a/x.txt\t2024-01-01 10:00:00.0 +0100', 'b/x.txt\t2024-01-01 10:00:00.0 +0100', 'x.txt'],
    ['x.txt.orig', 'x.txt', 'x.txt'],
    ['a/x.txt 2024-01-01 10:00:00', 'b/x.txt 2024-01-01 10:00:01', 'x.txt'],
    ['a/my file.txt\t', 'b/my file.txt\t', 'my file.txt'],
    ['/tmp/x.txt', 'x.txt', 'x.txt'],
    ['"a/\\303\\274\\t.md"', '"b/\\303\\274\\t.md"', '\u00fc\t.md'],
    ['a/~/x', 'b/~/x', '~/x'],
    ['a/$HOME.txt', 'b/$HOME.txt', '$HOME.txt'],
    ['a/x.txt', 'a/x.txt', 'x.txt'],
    ['old/src/x.txt', 'new/src/x.txt', 'src/x.txt'],
  ])('%s and %s mean %s', async (old, now, file) => {
    await use.done({ [file]: 'a\n', 'other.txt': 'a\n' }, one(old, now), { [file]: 'b\n', 'other.txt': 'a\n' });
  });
  it('that could be two files are refused', async () => {
    await use.refused({ 'a/x': 'a\n', x: 'a\n' }, one('a/x', 'a/x'), 'Conflict', 'a/x or x, and both exist');
    await use.done({}, { file: 'x', diff: one('a/x', 'a/x') }, { 'a/x': 'a\n', x: 'b\n' });
    await use.refused({}, one('a/x', 'b/y'), 'Conflict', 'different files');
    await use.refused({}, one('a/nope', 'b/nope'), 'NotFound', /nope does not exist \(line 1 of the diff\)/);
  });
  it('file chooses among them, or is where the hunks of a single file go', async () => {
    const two = one('a/x', 'b/x') + one('a/y', 'b/y');
    await use.done(
      { x: 'a\n', y: 'a\n', z: 'a\n' },
      { file: './y', diff: two },
      { x: 'a\n', y: 'b\n', z: 'a\n' },
      'also changes x',
    );
    await use.refused({}, { file: 'z', diff: two }, 'InvalidArgs', /z is none of the files of the diff \(x, y\)/);
    await use.done({}, { file: 'z', diff: one('a/q', 'b/q') }, { x: 'a\n', y: 'b\n', z: 'b\n' }, 'the diff names q');
  });
  it('outside, absolute, .git and links are refused by name', async () => {
    const make = (name: string) => `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;
    await use.refused({}, make('../out.txt'), 'OutsideWorkspace', 'out.txt');
    await use.refused({}, make('.git/hooks/pre-commit'), 'Sensitive', '.git/hooks/pre-commit');
    await use.refused({}, one('/etc/hostname', '/etc/hostname'), 'OutsideWorkspace', '/etc/hostname');
    use.bench.link('out', '../home');
    expect((await use.bench.run(patchTool, { diff: make('out/x') })).code).toBe('OutsideWorkspace');
  });
});

describe('whole files', () => {
  const head = (name: string, rest: string) => `diff --git a/${name} b/${name}\n${rest}`;
  const mode = (name: string) => (lstatSync(join(use.bench.ws, name)).mode & 0o777).toString(8);
  it('are made, with their folders and their mode', async () => {
    await use.done(
      {},
      '--- /dev/null\n+++ b/n/d/f.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n',
      { 'n/d/f.txt': 'one\ntwo' },
      /^Created n\/d\/f\.txt/,
    );
    await use.done({}, head('run.sh', 'new file mode 100755\n--- /dev/null\n+++ b/run.sh\n@@ -0,0 +1 @@\n+echo\n'), {
      'n/d/f.txt': 'one\ntwo',
      'run.sh': 'echo\n',
    });
    expect(mode('run.sh')).toBe((0o777 & ~process.umask()).toString(8));
    await use.done({}, head('e', 'new file mode 100644\nindex 0000000..e69de29\n'), {
      'n/d/f.txt': 'one\ntwo',
      'run.sh': 'echo\n',
      e: '',
    });
  });
  it('are made where a plain diff says that nothing was there', () =>
    use.done({}, unified('n.txt', '+a\n', '@@ -0,0 +1 @@'), { 'n.txt': 'a\n' }));
  it('are not made over others', async () => {
    const make = (text: string) => `--- /dev/null\n+++ b/x.txt\n@@ -0,0 +1 @@\n+${text}\n`;
    await use.refused({ 'x.txt': 'keep\n' }, make('new'), 'Conflict', 'x.txt exists already; to change it');
    await use.refused({}, make('keep'), 'Conflict', 'the change seems to be made');
  });
  it('are removed only when they hold what the diff removes', async () => {
    const remove = '--- a/x.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n';
    await use.refused(ABC, remove, 'Conflict', 'more content than the diff removes');
    await use.refused({}, '--- a/x.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-q\n-c\n', 'Conflict', 'does not fit');
    await use.refused({}, head('x.txt', 'deleted file mode 100644\n'), 'Conflict', 'more content');
    await use.done({}, remove.replace('-b\n', '-b\n-c\n'), {}, /^Deleted x\.txt/);
    expect(readFileSync(join(use.bench.ws, 'x.txt.bak'), 'utf8')).toBe('a\nb\nc\n');
    await use
      .refused({}, '--- a/x.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', 'NotFound', 'seems to be removed already')
      .catch(() => undefined);
  });
  const rename = (from: string, to: string, rest = 'similarity index 100%\n') =>
    `diff --git a/${from} b/${to}\n${rest}rename from ${from}\nrename to ${to}\n`;
  it('are renamed, swapped, copied', async () => {
    use.bench.put('x.txt', 'x\n', 0o755);
    await use.done(
      { 'y.txt': 'y\n' },
      rename('x.txt', 'd/z.txt'),
      { 'd/z.txt': 'x\n', 'y.txt': 'y\n' },
      'Renamed x.txt to d/z.txt',
    );
    expect(mode('d/z.txt')).toBe('755');
    await use.done({}, rename('d/z.txt', 'y.txt') + rename('y.txt', 'd/z.txt'), { 'd/z.txt': 'y\n', 'y.txt': 'x\n' });
    await use.done({}, rename('y.txt', 'c.txt').replaceAll('rename', 'copy'), {
      'd/z.txt': 'y\n',
      'y.txt': 'x\n',
      'c.txt': 'x\n',
    });
    await use.done({ 'p.txt': 'a\n' }, rename('p.txt', 'q.txt') + unified('q.txt', '-a\n+b\n', '@@ -1 +1 @@'), {
      'd/z.txt': 'y\n',
      'y.txt': 'x\n',
      'c.txt': 'x\n',
      'q.txt': 'b\n',
    });
    await use.refused({}, rename('y.txt', 'c.txt'), 'Conflict', 'c.txt exists already');
    await use.refused({}, rename('gone.txt', 'c.txt'), 'NotFound', 'seems to be renamed already');
  });
  it('keep and get the executable bit', async () => {
    use.bench.put('x.sh', 'a\n', 0o640);
    const both = head('x.sh', 'old mode 100644\nnew mode 100755\n--- a/x.sh\n+++ b/x.sh\n@@ -1 +1 @@\n-a\n+b\n');
    await use.done({}, both, { 'x.sh': 'b\n' }, 'now executable');
    expect(mode('x.sh')).toBe('750');
    await use.done({}, head('x.sh', 'old mode 100755\nnew mode 100644\n'), { 'x.sh': 'b\n' }, 'no longer executable');
    expect(mode('x.sh')).toBe('640');
    await use.refused({}, head('x.sh', 'old mode 100755\nnew mode 100644\n'), 'InvalidArgs', 'nothing would change');
  });
  it.each([
    ['GIT binary patch\nliteral 5\nabc\n', 'binary'],
    ['Binary files a/x.txt and b/x.txt differ\n', 'binary'],
    ['new file mode 120000\n', 'symbolic links'],
    ['index 1..2 120000\n', 'symbolic links'],
    ['old mode 100644\nnew mode 160000\n', 'submodules'],
    ['new file mode 040000\n', 'no mode of a file'],
    ['Submodule x 123..456:\n', 'submodules'],
    ['index 1,2..3\n', 'no index line'],
  ])('%j is refused', (rest, says) => use.refused(ABC, head('x.txt', rest), 'InvalidArgs', says));
  it('a merge is refused', () =>
    use.refused(
      ABC,
      'diff --cc x.txt\nindex 1,2..3\n--- a/x.txt\n+++ b/x.txt\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n++b\n',
      'InvalidArgs',
      'combined diff',
    ));
  it('that are links are not removed through the link', async () => {
    use.bench.put('t.txt', 'a\n');
    use.bench.link('l.txt', 't.txt');
    await use.refused({}, '--- a/l.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', 'InvalidArgs', 'symbolic link');
    await use.done({}, unified('l.txt', '-a\n+b\n', '@@ -1 +1 @@'), { 't.txt': 'b\n', 'l.txt': 'b\n' });
  });
  it('several are changed all or none, and each comes back with rollback', async () => {
    const two = unified('x.txt', BODY) + unified('y.txt', '-q\n+Q\n', '@@');
    await use.refused({ ...ABC, 'y.txt': 'other\n' }, two, 'Conflict', 'y.txt');
    await use.refused({}, unified('x.txt', BODY) + unified('nope.txt', '-q\n+Q\n', '@@'), 'NotFound', 'nope.txt');
    const result = await use.done(
      { ...ABC, 'y.txt': 'q\n' },
      two,
      { ...DONE, 'y.txt': 'Q\n' },
      /^Patched 2 files:\n- Patched x\.txt: line 2/,
    );
    expect(result.changed).toEqual([join(use.bench.ws, 'x.txt'), join(use.bench.ws, 'y.txt')]);
    expect(result.display).toMatchObject({
      kind: 'diff',
      changes: [{ path: 'x.txt', before: 'a\nb\nc\n', added: 1 }, { path: 'y.txt' }],
    });
    for (const file of ['x.txt', 'y.txt']) expect((await use.bench.run(rollbackTool, { file })).isError).toBe(false);
    expect(use.files()).toEqual({ ...ABC, 'y.txt': 'q\n' });
  });
  it('named twice are changed twice', () =>
    use.done(ABC, unified('x.txt', ' a\n-b\n+B\n', '@@') + unified('x.txt', ' B\n-c\n+C\n', '@@'), { 'x.txt': 'a\nB\nC\n' }));
});
