import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeUndoBench, type UndoBench } from './bench.js';

let bench: UndoBench;
beforeEach(async () => {
  bench = await makeUndoBench();
});
afterEach(() => bench.remove());

describe('undo', () => {
  it('takes back the last turn with all its files, and redo brings it back', async () => {
    bench.put('a.txt', 'one');
    bench.put('gone.txt', 'old', 0o640);
    await bench.turn('first', { 'a.txt': 'two' });
    await bench.turn('second', { 'a.txt': 'three', 'new/deep/b.txt': 'b', 'gone.txt': null });
    expect([bench.text('a.txt'), bench.text('new/deep/b.txt'), bench.text('gone.txt')]).toEqual(['three', 'b', undefined]);

    const undone = await bench.undoing.undo();
    expect(undone).toMatchObject({ turns: [{ number: 2, text: 'second' }], kept: [], uncovered: [] });
    expect(Object.fromEntries(undone.files.map(({ path, how }) => [path, how]))).toEqual({
      'a.txt': 'restored',
      'new/deep/b.txt': 'removed',
      'gone.txt': 'created',
    });
    expect([bench.text('a.txt'), bench.text('gone.txt'), bench.mode('gone.txt')]).toEqual(['two', 'old', '640']);
    expect(existsSync(join(bench.ws, 'new'))).toBe(false);

    expect((await bench.undoing.redo()).turns).toEqual([{ number: 2, text: 'second' }]);
    expect([bench.text('a.txt'), bench.text('new/deep/b.txt'), bench.text('gone.txt')]).toEqual(['three', 'b', undefined]);
    expect((await bench.undoing.redo()).turns).toEqual([]);

    const both = await bench.undoing.undo({ turns: 2 });
    expect(both.turns.map((turn) => turn.number)).toEqual([2, 1]);
    expect(bench.text('a.txt')).toBe('one');
    expect((await bench.undoing.undo()).turns).toEqual([]);
    expect((await bench.undoing.redo({ times: 9 })).turns.map((turn) => turn.number)).toEqual([1, 2]);
    expect(bench.text('a.txt')).toBe('three');
  });

  it('takes several edits of one file back as one', async () => {
    await bench.turn('t');
    for (const text of ['1', '2', '3', null, '4']) await bench.edit('x', text);
    expect((await bench.undoing.undo()).files).toEqual([{ path: 'x', how: 'removed' }]);
    expect(existsSync(join(bench.ws, 'x'))).toBe(false);
    await bench.undoing.redo();
    expect(bench.text('x')).toBe('4');
  });

  it("a turn that came to nothing can be taken back and brought back, and stands in nobody's way", async () => {
    bench.put('a', '1');
    await bench.turn('one', { b: '1' });
    await bench.turn('two', { a: '2' });
    await bench.edit('a', '1');
    expect((await bench.undoing.undo()).files).toEqual([{ path: 'a', how: 'same' }]);
    expect((await bench.undoing.undo()).turns).toMatchObject([{ number: 1 }]);
    expect((await bench.undoing.redo({ times: 5 })).turns.map((turn) => turn.number)).toEqual([1, 2]);
    expect((await bench.undoing.undo()).turns).toMatchObject([{ number: 2 }]);
  });

  it('forgets what could be brought back when a tool edits anew', async () => {
    await bench.turn('one', { a: '1' });
    await bench.undoing.undo();
    await bench.turn('two', { b: '2' });
    expect((await bench.undoing.redo()).turns).toEqual([]);
    expect((await bench.undoing.undo()).turns).toEqual([{ number: 2, text: 'two' }]);
    expect((await bench.undoing.undo()).turns).toEqual([]);
  });

  it('an edit that was refused leaves no trace and does not clear redo', async () => {
    bench.put('a', '1');
    await bench.turn('one', { a: '2' });
    await bench.undoing.undo();
    const stale = { mtimeMs: 0, size: 1, sha256: '0'.repeat(64) };
    await expect(bench.as('main').writeFile('a', Buffer.from('3'), { expect: stale })).rejects.toMatchObject({ code: 'Stale' });
    await expect(bench.as('main').writeFile('../out', Buffer.from('3'))).rejects.toMatchObject({ code: 'OutsideWorkspace' });
    await expect(bench.as('main').writeFile('.', Buffer.from('3'))).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(bench.as('main').rollback('nothing')).rejects.toMatchObject({ code: 'NotFound' });
    expect(bench.store.state().steps).toHaveLength(1);
    expect((await bench.undoing.redo()).files).toEqual([{ path: 'a', how: 'restored' }]);
    expect(bench.text('a')).toBe('2');
  });

  it('works after a restart: undo, redo and news of them', async () => {
    bench.put('a', '1');
    await bench.turn('do it', { a: '2' });
    bench.store.close();
    const second = await bench.reopen();
    expect((await second.undoing.undo()).turns).toEqual([{ number: 1, text: 'do it' }]);
    second.store.close();
    const third = await bench.reopen();
    expect((await third.undoing.redo()).files).toEqual([{ path: 'a', how: 'restored' }]);
    expect(bench.text('a')).toBe('2');
    const fourth = await bench.reopen();
    expect(fourth.store.beginTurn({ number: 2, text: 'x' }).map((line) => line.kind)).toEqual(['undo', 'redo']);
    expect(fourth.store.beginTurn({ number: 3, text: 'x' })).toEqual([]);
    const fifth = await bench.reopen();
    expect(fifth.store.beginTurn({ number: 4, text: 'x' })).toEqual([]);
  });

  it('teaches the workspace the new bytes, so that they are not stale', async () => {
    bench.put('a', '1');
    await bench.turn('t', { a: '2' });
    await bench.undoing.undo();
    const { state } = await bench.workspace.readFile('a');
    expect(bench.workspace.lastSeen(join(bench.ws, 'a'))?.sha256).toBe(state.sha256);
  });

  it('leaves backups that rollback understands, and none of files that are gone again', async () => {
    bench.put('a', '1');
    await bench.turn('t', { a: '2', b: '1' });
    await bench.edit('b', '2');
    expect(bench.text('b.bak')).toBe('1');
    await bench.undoing.undo();
    expect(bench.text('b.bak')).toBeUndefined();
    await bench.workspace.rollback('a');
    expect(bench.text('a')).toBe('2');
  });

  it('never removes a backup that was there before, or one of the user', async () => {
    bench.put('b.bak', 'mine');
    await bench.turn('t', { b: '1' });
    await bench.edit('b', '2');
    await bench.undoing.undo();
    expect([bench.text('b'), bench.text('b.bak')]).toEqual([undefined, 'mine']);
  });

  it('keeps folders that were there before or hold something', async () => {
    mkdirSync(join(bench.ws, 'here'));
    await bench.turn('t', { 'here/a': '1', 'made/sub/b': '2' });
    bench.put('made/other', 'mine');
    await bench.undoing.undo();
    expect(existsSync(join(bench.ws, 'here'))).toBe(true);
    expect(readdirSync(join(bench.ws, 'made'))).toEqual(['other']);
  });
});

describe('what the user changed since', () => {
  it('is kept and named; the rest is taken back; force overwrites and redo brings the user back', async () => {
    bench.put('a', '1');
    bench.put('b', '1');
    await bench.turn('t', { a: '2', b: '2' });
    bench.put('a', 'mine');
    const undone = await bench.undoing.undo();
    expect(undone).toMatchObject({ files: [{ path: 'b' }], kept: [{ path: 'a', why: 'changed' }] });
    expect([bench.text('a'), bench.text('b')]).toEqual(['mine', '1']);
    expect((await bench.undoing.undo()).turns).toEqual([]);
    const forced = await bench.undoing.undo({ force: true });
    expect(forced).toMatchObject({ turns: [{ number: 1 }], files: [{ path: 'a', how: 'restored' }], kept: [] });
    expect(bench.text('a')).toBe('1');
    await bench.undoing.redo();
    expect(bench.text('a')).toBe('mine');
    await bench.undoing.redo();
    expect([bench.text('a'), bench.text('b')]).toEqual(['mine', '2']);
  });

  it('stops nobody: a turn of which all was kept is passed over, for redo too, and can be had by name', async () => {
    bench.put('a', '1');
    await bench.turn('one', { b: '1' });
    await bench.turn('two', { a: '2' });
    bench.put('a', 'mine');
    expect(await bench.undoing.undo()).toMatchObject({ turns: [{ number: 2 }], files: [], kept: [{ path: 'a' }] });
    expect(await bench.undoing.undo()).toMatchObject({ turns: [{ number: 1 }], files: [{ path: 'b' }], kept: [] });
    expect(await bench.undoing.undo()).toMatchObject({ turns: [] });
    expect(await bench.undoing.redo({ times: 5 })).toMatchObject({ turns: [{ number: 1 }], files: [{ path: 'b' }] });
    expect(await bench.undoing.undo({ path: 'a', turns: 3 })).toMatchObject({ turns: [{ number: 2 }], kept: [{ path: 'a' }] });
    expect(await bench.undoing.undo({ force: true })).toMatchObject({ turns: [{ number: 2 }], files: [{ path: 'a' }] });
    expect([bench.text('a'), bench.text('b')]).toEqual(['1', '1']);
  });

  it('one file alone, and the newest turn that changed it', async () => {
    await bench.turn('one', { a: '1', b: '1' });
    await bench.turn('two', { b: '2' });
    expect(await bench.undoing.undo({ path: 'a' })).toMatchObject({ turns: [{ number: 1 }], files: [{ path: 'a' }] });
    expect([bench.text('a'), bench.text('b')]).toEqual([undefined, '2']);
    expect(await bench.undoing.undo({ path: join(bench.ws, 'b') })).toMatchObject({ turns: [{ number: 2 }] });
    expect(bench.text('b')).toBe('1');
    expect((await bench.undoing.undo({ path: 'other' })).turns).toEqual([]);
  });

  it('lies between two changes: the later one is taken back, the user stays', async () => {
    bench.put('a', 'A');
    await bench.turn('one', { a: 'B' });
    bench.put('a', 'mine');
    await bench.turn('two', { a: 'C' });
    expect((await bench.undoing.undo()).files).toHaveLength(1);
    expect(bench.text('a')).toBe('mine');
    expect(await bench.undoing.undo()).toMatchObject({ files: [], kept: [{ path: 'a', why: 'changed' }] });
    expect(bench.text('a')).toBe('mine');
    const all = await bench.undoing.takeBack({ from: 1 }, { force: true });
    expect([all.kept, bench.text('a')]).toEqual([[], 'A']);
  });

  it('within one turn: back to what the user wrote, the rest named', async () => {
    bench.put('a', 'A');
    await bench.turn('one', { a: 'B' });
    bench.put('a', 'mine');
    await bench.edit('a', 'C');
    expect(await bench.undoing.undo()).toMatchObject({ files: [{ path: 'a' }], kept: [{ path: 'a', why: 'changed' }] });
    expect(bench.text('a')).toBe('mine');
  });

  it('was taken back by hand already: nothing to do, nothing lost', async () => {
    bench.put('a', '1');
    await bench.turn('t', { a: '2', b: 'x' });
    bench.put('a', '1');
    rmSync(join(bench.ws, 'b'));
    const undone = await bench.undoing.undo();
    expect(undone.files.map((file) => file.how)).toEqual(['same', 'same']);
    expect(undone.kept).toEqual([]);
  });

  it('is a file in the place of one that was removed, or none in the place of one that was changed', async () => {
    bench.put('a', '1');
    bench.put('b', '1');
    await bench.turn('t', { a: null, b: '2' });
    bench.put('a', 'mine');
    rmSync(join(bench.ws, 'b'));
    expect((await bench.undoing.undo()).kept.map((file) => file.why)).toEqual(['changed', 'changed']);
    expect([bench.text('a'), bench.text('b')]).toEqual(['mine', undefined]);
    await bench.undoing.undo({ force: true });
    expect([bench.text('a'), bench.text('b')]).toEqual(['1', '1']);
    await bench.undoing.redo();
    expect([bench.text('a'), bench.text('b')]).toEqual(['mine', undefined]);
  });

  it('stops a redo of that file', async () => {
    bench.put('a', '1');
    bench.put('b', '1');
    await bench.turn('t', { a: '2', b: '2' });
    await bench.undoing.undo();
    bench.put('a', 'mine');
    expect(await bench.undoing.redo()).toMatchObject({ files: [{ path: 'b' }], kept: [{ path: 'a', why: 'changed' }] });
    expect([bench.text('a'), bench.text('b')]).toEqual(['mine', '2']);
    await bench.undoing.undo();
    expect([bench.text('a'), bench.text('b')]).toEqual(['mine', '1']);
  });
});

describe('workers', () => {
  it('take back one share of a turn, and only what nothing else lies on', async () => {
    bench.put('a', '0');
    bench.put('b', '0');
    await bench.turn('t');
    await bench.edit('a', 'w1', 'w1');
    await bench.edit('b', 'w1', 'w1');
    await bench.edit('b', 'w2', 'w2');
    expect(bench.undoing.undoable({ agent: 'w1' })).toMatchObject([{ number: 1, files: [{ path: 'a' }, { path: 'b' }] }]);
    const part = await bench.undoing.takeBack({ agent: 'w1', turn: 1 });
    expect(part).toMatchObject({ files: [{ path: 'a' }], kept: [{ path: 'b', why: 'later' }] });
    expect([bench.text('a'), bench.text('b')]).toEqual(['0', 'w2']);
    await bench.undoing.takeBack({ agent: 'w2' });
    await bench.undoing.takeBack({ agent: 'w1' });
    expect([bench.text('a'), bench.text('b')]).toEqual(['0', '0']);
    expect(bench.undoing.undoable().flatMap((turn) => turn.files.map((file) => file.applied))).toEqual([false, false, false]);
  });

  it('rewind is one transaction over all turns since, and one redo', async () => {
    bench.put('a', '0');
    for (const n of [1, 2, 3, 4]) await bench.turn(`t${n}`, { a: String(n), [`f${n}`]: 'x' });
    const report = await bench.undoing.takeBack({ from: 2 });
    expect(report.turns.map((turn) => turn.number)).toEqual([4, 3, 2]);
    expect([bench.text('a'), readdirSync(bench.ws).filter((name) => name.startsWith('f'))]).toEqual(['1', ['f1']]);
    await bench.undoing.redo();
    expect(bench.text('a')).toBe('4');
  });
});

describe('odd files', () => {
  it('bytes, links, modes and names come through', async () => {
    const bytes = Buffer.from([0, 255, 254, 10, 13, 0, 128]);
    bench.put('bin', bytes);
    bench.put('run.sh', 'a', 0o755);
    bench.put('target', 'one');
    bench.link('link', 'target');
    bench.put('h1', 'hard');
    linkSync(join(bench.ws, 'h1'), join(bench.ws, 'h2'));
    await bench.turn('t', { bin: 'text', 'run.sh': 'b', link: 'two', h1: 'x', h2: 'y', 'ü \n".txt': 'z' });
    expect(await bench.undoing.undo()).toMatchObject({ kept: [] });
    expect(readFileSync(join(bench.ws, 'bin')).equals(bytes)).toBe(true);
    expect([bench.text('run.sh'), bench.mode('run.sh')]).toEqual(['a', '755']);
    expect([bench.text('target'), bench.text('link')]).toEqual(['one', 'one']);
    expect([bench.text('h1'), bench.text('h2'), statSync(join(bench.ws, 'h1')).nlink]).toEqual(['hard', 'hard', 2]);
    expect(existsSync(join(bench.ws, 'ü \n".txt'))).toBe(false);
    await bench.undoing.redo();
    expect([bench.text('h1'), bench.text('h2'), bench.text('target')]).toEqual(['y', 'y', 'two']);
  });

  it('a change of the mode alone goes back, unless the user chose another one', async () => {
    for (const name of ['a', 'b']) bench.put(name, 'x', 0o644);
    await bench.turn('t');
    for (const path of ['a', 'b']) {
      const { bytes, state } = await bench.workspace.readFile(path);
      await bench.as('main').changeFiles([{ path, bytes, expect: state, mode: 0o755 }]);
    }
    expect([bench.mode('a'), bench.mode('b')]).toEqual(['755', '755']);
    chmodSync(join(bench.ws, 'b'), 0o600);
    await bench.undoing.undo();
    expect([bench.mode('a'), bench.mode('b')]).toEqual(['644', '600']);
    await bench.undoing.redo();
    expect(bench.mode('a')).toBe('755');
  });

  it('a mode the user set stays when bytes are taken back', async () => {
    bench.put('a', '1', 0o644);
    await bench.turn('t', { a: '2' });
    chmodSync(join(bench.ws, 'a'), 0o600);
    await bench.undoing.undo();
    expect([bench.text('a'), bench.mode('a')]).toEqual(['1', '600']);
  });

  it('what stands in the way is left alone, also with force', async () => {
    bench.put('a', '1');
    bench.put('d/b', '1');
    await bench.turn('t', { a: '2', 'd/b': '2', c: '1' });
    rmSync(join(bench.ws, 'a'));
    mkdirSync(join(bench.ws, 'a'));
    mkdirSync(join(bench.base, 'outside'));
    writeFileSync(join(bench.base, 'outside', 'b'), '2');
    renameSync(join(bench.ws, 'd'), join(bench.ws, 'moved'));
    symlinkSync(join(bench.base, 'outside'), join(bench.ws, 'd'));
    const undone = await bench.undoing.undo({ force: true });
    expect(undone).toMatchObject({ files: [{ path: 'c', how: 'removed' }] });
    expect(undone.kept.map((file) => file.why)).toEqual(['refused', 'refused']);
    expect(readFileSync(join(bench.base, 'outside', 'b'), 'utf8')).toBe('2');
    expect(bench.text('moved/b')).toBe('2');
  });

  it('a link the user put in the place of the file is not written through', async () => {
    bench.put('a', '1');
    await bench.turn('t', { a: '2' });
    rmSync(join(bench.ws, 'a'));
    bench.put('other', '2');
    symlinkSync('other', join(bench.ws, 'a'));
    expect((await bench.undoing.undo({ force: true })).kept).toMatchObject([{ path: 'other', why: 'refused' }]);
    expect(bench.text('other')).toBe('2');
  });

  it('files in an added folder, and a rollback, are taken back', async () => {
    bench.put('a', '1');
    await bench.turn('one', { a: '2' });
    await bench.turn('two');
    await bench.as('main', '@coder rollback').rollback('a');
    expect(bench.text('a')).toBe('1');
    expect(await bench.undoing.undo()).toMatchObject({ turns: [{ number: 2 }], files: [{ path: 'a' }], kept: [] });
    expect(bench.text('a')).toBe('2');
    mkdirSync(join(bench.base, 'more'));
    const wider = await bench.open({ addDirs: [join(bench.base, 'more')] });
    const { recordingWorkspace } = await import('../../../src/workspace/undo/recording.js');
    const { createUndoing } = await import('../../../src/workspace/undo/undoing.js');
    bench.store.beginTurn({ number: 3, text: 'three' });
    const recorded = recordingWorkspace(wider, bench.store, { agent: 'main', tool: 't', call: 'c' });
    await recorded.writeFile(join(bench.base, 'more/x'), Buffer.from('x'));
    expect((await bench.undoing.undo()).kept).toMatchObject([{ why: 'refused' }]);
    expect(
      (await createUndoing({ store: bench.store, workspace: wider }).undo({ path: join(bench.base, 'more/x') })).files,
    ).toHaveLength(1);
    expect(existsSync(join(bench.base, 'more/x'))).toBe(false);
  });

  it('a personal file that was approved is taken back', async () => {
    const env = bench.put('.env', 'A=1');
    bench.workspace.grant(env);
    await bench.turn('t', { '.env': 'A=2' });
    const later = await bench.reopen();
    // To look at it opens it for nobody.
    expect((await later.undoing.diff()).files).toMatchObject([{ path: '.env', kind: 'missing', diff: '' }]);
    await expect(later.workspace.readFile('.env')).rejects.toMatchObject({ code: 'Sensitive' });
    expect((await bench.undoing.diff()).files).toMatchObject([{ path: '.env', kind: 'text' }]);
    expect((await later.undoing.undo()).files).toEqual([{ path: '.env', how: 'restored' }]);
    expect(bench.text('.env')).toBe('A=1');
  });
});
