import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeUndoBench, type UndoBench } from './bench.js';

let bench: UndoBench;
beforeEach(async () => {
  bench = await makeUndoBench();
});
afterEach(() => bench.remove());

const only = async (options?: Parameters<UndoBench['undoing']['diff']>[0]) => {
  const { files } = await bench.undoing.diff(options);
  expect(files).toHaveLength(1);
  return files[0];
};

describe('diff', () => {
  it('compares the start of the session with now, and a turn with what it left', async () => {
    bench.put('a', 'one\ntwo\n');
    await bench.turn('first', { a: 'ONE\ntwo\n' });
    await bench.turn('second', { a: 'ONE\nTWO\n', 'd/new': 'x\n' });
    expect(await bench.undoing.diff()).toMatchObject({ dropped: 0, uncovered: [] });
    expect((await only({ path: 'a' }))?.diff).toBe('--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-one\n-two\n+ONE\n+TWO\n');
    expect((await only({ turn: 1 }))?.diff).toBe('--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n');
    const last = await bench.undoing.diff({ turn: 'last' });
    expect([last.turn, last.files.map((file) => file.path)]).toEqual([{ number: 2, text: 'second' }, ['a', 'd/new']]);
    expect(last.files[1]?.diff).toBe('--- /dev/null\n+++ b/d/new\n@@ -0,0 +1,1 @@\n+x\n');
    expect((await bench.undoing.diff({ turn: 7 })).files).toEqual([]);
    await bench.undoing.undo();
    expect((await bench.undoing.diff({ turn: 'last' })).turn?.number).toBe(1);
    await bench.undoing.undo();
    expect((await bench.undoing.diff()).files).toEqual([]);
  });

  it('gives what git applies, and takes back', async () => {
    bench.put('a', 'one\ntwo');
    bench.put('gone', 'x\n');
    bench.put('end', 'x\n');
    await bench.turn('t', { a: 'one\n2\nthree', gone: null, 'd/new': 'y', end: 'x' });
    const { files } = await bench.undoing.diff();
    const patch = files.map((file) => file.diff).join('');
    const git = (...words: string[]) => spawnSync('git', ['apply', ...words], { cwd: bench.ws, input: patch, encoding: 'utf8' });
    expect(git('-R')).toMatchObject({ status: 0, stderr: '' });
    expect(['a', 'gone', 'd/new', 'end'].map(bench.text)).toEqual(['one\ntwo', 'x\n', undefined, 'x\n']);
    expect(git()).toMatchObject({ status: 0, stderr: '' });
    expect(['a', 'gone', 'd/new', 'end'].map(bench.text)).toEqual(['one\n2\nthree', undefined, 'y', 'x']);
  });

  it('says when someone else changed the file too', async () => {
    bench.put('a', 'one\n');
    await bench.turn('t', { a: 'two\n' });
    expect(await only()).toMatchObject({ alsoOthers: false });
    bench.put('a', 'two\nmine\n');
    expect(await only()).toMatchObject({ alsoOthers: true, diff: expect.stringContaining('+mine') });
    bench.put('a', 'one\n');
    expect((await bench.undoing.diff()).files).toEqual([]);
  });

  it('sums up what is no text, too large, gone, or only a mode', async () => {
    bench.put('bin', Buffer.from([0, 1, 2, 0, 0, 0]));
    bench.put('mode', 'x', 0o644);
    bench.put('odd', 'x');
    bench.put('big', 'x');
    await bench.turn('t', { bin: 'text', odd: 'y', big: 'z'.repeat(2 * 1024 * 1024 + 1) });
    const { bytes, state } = await bench.workspace.readFile('mode');
    await bench.as('main').changeFiles([{ path: 'mode', bytes, expect: state, mode: 0o755 }]);
    rmSync(join(bench.ws, 'odd'));
    mkdirSync(join(bench.ws, 'odd'));
    const { files } = await bench.undoing.diff();
    expect(files.map(({ path, kind }) => [path, kind])).toEqual([
      ['big', 'large'],
      ['bin', 'binary'],
      ['mode', 'mode'],
      ['odd', 'missing'],
    ]);
    expect(files.map((file) => file.sizes[0])).toEqual([1, 6, 1, 1]);
    expect(files[2]?.modes).toEqual([0o644, 0o755]);
    chmodSync(join(bench.ws, 'mode'), 0o644);
    expect((await bench.undoing.diff({ path: 'mode' })).files).toEqual([]);
  });

  it('shows text of other encodings as text', async () => {
    bench.put('wide', Buffer.from('\ufeffold\n', 'utf16le'));
    bench.put('legacy', Buffer.from([0xe9, 0x0a]));
    await bench.turn('t', { legacy: 'e\n' });
    await bench.as('main').writeFile('wide', Buffer.from('\ufeffnew\n', 'utf16le'));
    const { files } = await bench.undoing.diff();
    expect(files[0]?.diff).toContain('-\\xE9\n+e\n');
    expect(files[1]?.diff).toContain('old\n+');
  });

  it('begins after what was forgotten, and says so', async () => {
    bench = await bench.reopen({ quota: 3000 });
    for (let n = 0; n < 6; n++) await bench.turn(`t${n}`, { a: String(n).repeat(1000) });
    const report = await bench.undoing.diff();
    expect(report.dropped).toBeGreaterThan(0);
    expect(report.files).toHaveLength(1);
  });
});
