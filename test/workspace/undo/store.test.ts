import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolFault } from '../../../src/types/tool.js';
import type { Workspace } from '../../../src/types/workspace.js';
import { parseLine } from '../../../src/workspace/undo/lines.js';
import { recordingWorkspace } from '../../../src/workspace/undo/recording.js';
import { openUndoStore } from '../../../src/workspace/undo/store.js';
import { bundle } from '../bundle.js';
import { makeUndoBench, type UndoBench } from './bench.js';

let bench: UndoBench;
beforeEach(async () => {
  bench = await makeUndoBench();
});
afterEach(() => bench.remove());

const logOf = (one: UndoBench) => join(one.folder, 'log.jsonl');
const objectsOf = (one: UndoBench) => readdirSync(join(one.folder, 'objects'));

describe('the store on disk', () => {
  it('is made with the first change, for its owner only, each content once', async () => {
    await bench.turn('nothing yet');
    expect(existsSync(bench.folder)).toBe(false);
    bench.put('a', 'same');
    bench.put('b', 'same');
    await bench.turn('t', { a: '1', b: '2' });
    expect(objectsOf(bench)).toHaveLength(1);
    const modes = [
      bench.folder,
      join(bench.folder, 'objects'),
      logOf(bench),
      join(bench.folder, 'objects', objectsOf(bench)[0] ?? ''),
    ];
    expect(modes.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['700', '700', '600', '600']);
  });

  it('holds nothing of a write of the same bytes', async () => {
    bench.put('a', '1');
    await bench.turn('t', { a: '1' });
    expect(existsSync(bench.folder)).toBe(false);
  });

  it('keeps turns apart from what the user said beyond the first line', async () => {
    await bench.turn(`  ${'ü'.repeat(200)}\nsecond line`, { a: '1' });
    expect(bench.store.state().turns).toMatchObject([{ number: 1, text: 'ü'.repeat(80) }]);
  });
});

describe('a damaged store', () => {
  beforeEach(async () => {
    bench.put('a', '1');
    await bench.turn('one', { a: '2' });
    await bench.turn('two', { a: '3' });
    bench.store.close();
  });

  it('reads every log cut off at any byte, and goes on behind the cut', async () => {
    const whole = readFileSync(logOf(bench));
    const cuts = [0, 1, whole.length - 1, ...Array.from({ length: 16 }, (_, i) => Math.floor((whole.length * i) / 16))];
    for (const cut of cuts) {
      writeFileSync(logOf(bench), whole.subarray(0, cut));
      const again = await bench.reopen();
      bench.put('a', '3');
      await again.turn('three', { b: String(cut) });
      const last = again.store.state().steps.at(-1);
      expect([cut, last?.file.path, last?.turn.text]).toEqual([cut, join(bench.ws, 'b'), 'three']);
      expect((await again.undoing.undo()).files).toEqual([{ path: 'b', how: 'removed' }]);
      again.store.close();
      rmSync(join(bench.ws, 'b'), { force: true });
    }
  });

  it('passes over lines that are no lines', async () => {
    appendFileSync(logOf(bench), '{"type":"edit"}\nnull\n[]\n\u0000\n{"type":"taken","id":"x"}\n"text"\n');
    const again = await bench.reopen();
    expect((await again.undoing.undo({ turns: 2 })).turns).toHaveLength(2);
    expect(bench.text('a')).toBe('1');
  });

  it('never restores bytes that are not those of before', async () => {
    for (const name of objectsOf(bench)) writeFileSync(join(bench.folder, 'objects', name), 'X');
    const again = await bench.reopen();
    expect(await again.undoing.undo()).toMatchObject({ files: [], kept: [{ path: 'a', why: 'missing' }] });
    rmSync(join(bench.folder, 'objects'), { recursive: true });
    expect(await again.undoing.undo({ path: 'a' })).toMatchObject({ kept: [{ path: 'a', why: 'missing' }] });
    expect(bench.text('a')).toBe('3');
  });

  it('writes a damaged object anew when its bytes come again', async () => {
    for (const name of objectsOf(bench)) truncateSync(join(bench.folder, 'objects', name), 0);
    const again = await bench.reopen();
    bench.put('a', '1');
    await again.turn('three', { a: '9' });
    expect((await again.undoing.undo()).files).toHaveLength(1);
    expect(bench.text('a')).toBe('1');
  });

  it('refuses lines with paths or hashes of a wrong form', () => {
    const file = { path: '/x', before: null, after: null };
    const line = { type: 'edit', id: '1', time: 1, turn: 't', agent: 'a', call: 'c', tool: 't', files: [file] };
    expect(parseLine(JSON.stringify(line))).toEqual(line);
    const before = { sha256: 'a'.repeat(64), size: 1, mode: 0o644, kept: true };
    for (const bad of [
      { sha256: '../../etc/passwd', size: 1, mode: 0, kept: true },
      { ...before, sha256: '' },
      { ...before, size: -1 },
      { ...before, mode: 0o100644 },
      { ...before, kept: 'yes' },
    ])
      expect(parseLine(JSON.stringify({ ...line, files: [{ ...file, before: bad }] })), JSON.stringify(bad)).toBeUndefined();
  });
});

describe('what cannot be kept', () => {
  it('is named: a file over the limit is changed all the same', async () => {
    bench = await bench.reopen({ largest: 10 });
    bench.put('big', 'x'.repeat(11));
    bench.put('small', 'x');
    await bench.turn('t', { big: 'y', small: 'y' });
    expect(bench.text('big')).toBe('y');
    const undone = await bench.undoing.undo();
    expect(undone).toMatchObject({ files: [{ path: 'small' }], kept: [{ path: 'big', why: 'missing' }] });
    expect(await bench.undoing.undo({ path: 'big', force: true })).toMatchObject({ kept: [{ why: 'missing' }] });
    expect(bench.text('big')).toBe('y');
  });

  it('is not overwritten: what stands there now is too large to be kept', async () => {
    bench = await bench.reopen({ largest: 10 });
    bench.put('a', '1');
    await bench.turn('t', { a: 'x'.repeat(20) });
    expect(await bench.undoing.undo({ force: true })).toMatchObject({ files: [], kept: [{ path: 'a', why: 'missing' }] });
    expect(bench.text('a')).toHaveLength(20);
  });

  it.each([
    ['a file', (path: string) => writeFileSync(path, 'x')],
    ['a dangling link', (path: string) => symlinkSync('/nowhere/at/all', path)],
  ])('a store folder that is %s: edits work, it is told once', async (_name, make) => {
    mkdirSync(join(bench.state, 'sessions'), { recursive: true });
    make(bench.folder);
    const faults: string[] = [];
    bench = await bench.reopen({ onFault: (reason) => faults.push(reason) });
    await bench.turn('t', { a: '1', b: '2' });
    await bench.edit('a', '3');
    expect(bench.text('a')).toBe('3');
    expect(faults).toHaveLength(1);
    expect(bench.undoing.fault()).toBeDefined();
    expect(await bench.undoing.undo()).toMatchObject({ turns: [], files: [] });
    expect(bench.text('a')).toBe('3');
  });

  it('a log that is a link is not written through', async () => {
    mkdirSync(bench.folder, { recursive: true });
    const target = bench.put('victim', 'x');
    symlinkSync(target, logOf(bench));
    const faults: string[] = [];
    bench = await bench.reopen({ onFault: (reason) => faults.push(reason) });
    await bench.turn('t', { a: '1' });
    expect([bench.text('a'), bench.text('victim'), faults]).toEqual(['1', 'x', ['ENXIO']]);
  });

  it('a log that cannot be read is not an empty one: it is told, and no bytes are thrown away', async (context) => {
    bench.put('a', 'x'.repeat(1000));
    await bench.turn('one', { a: 'y'.repeat(1000) });
    await bench.turn('two', { a: 'z'.repeat(1000) });
    bench.store.close();
    for (const name of objectsOf(bench)) utimesSync(join(bench.folder, 'objects', name), 1, 1);
    const bytes = readFileSync(logOf(bench));
    const faults: string[] = [];
    bench = await bench.reopen({ quota: 2500, longestLog: bytes.length - 1, onFault: (reason) => faults.push(reason) });
    if (objectsOf(bench).length !== 2) context.skip('the store did not keep two contents');
    await bench.turn('three', { a: 'w'.repeat(1000) });
    expect([objectsOf(bench).length, faults, bench.text('a')]).toEqual([2, ['EFBIG'], 'w'.repeat(1000)]);
    expect(await bench.undoing.undo()).toMatchObject({ turns: [], files: [] });
    expect(bench.undoing.fault()).toBe('EFBIG');
    expect(readFileSync(logOf(bench)).equals(bytes)).toBe(true);
    const again = await bench.reopen({ quota: 9000, longestLog: 1024 * 1024 });
    expect((await again.undoing.undo({ turns: 2, force: true })).files).toHaveLength(1);
    expect(bench.text('a')).toBe('x'.repeat(1000));
  });

  it('a log that is full takes no more changes, while those it holds can be taken back', async () => {
    const faults: string[] = [];
    bench = await bench.reopen({ longestLog: 20_000, onFault: (reason) => faults.push(reason) });
    await bench.turn('t');
    for (let n = 0; faults.length === 0 && n < 200; n++) await bench.edit(`f${n}`, 'x');
    expect(faults).toEqual(['EFBIG']);
    expect(statSync(logOf(bench)).size).toBeLessThanOrEqual(20_000);
    expect(await bench.undoing.undo({ path: 'f0' })).toMatchObject({ files: [{ path: 'f0', how: 'removed' }] });
    expect(statSync(logOf(bench)).size).toBeLessThanOrEqual(20_000);
  });

  it('recording that works again works again', async () => {
    mkdirSync(join(bench.state, 'sessions'), { recursive: true });
    writeFileSync(bench.folder, 'x');
    await bench.turn('t', { a: '1' });
    rmSync(bench.folder);
    await bench.turn('u', { b: '1' });
    expect(bench.undoing.fault()).toBeUndefined();
    expect(await bench.undoing.undo()).toMatchObject({ files: [{ path: 'b' }] });
  });
});

describe('a file that changes under our hands', () => {
  /** The workspace, with a program that is faster than the first `times` looks. */
  const hurried = (path: string, times: number): Workspace => {
    let count = 0;
    return {
      ...bench.workspace,
      async readFile(name, options) {
        const read = await bench.workspace.readFile(name, options);
        if (count++ < times) bench.put(path, `theirs ${count}`);
        return read;
      },
    };
  };

  it('a write without expectation records what it replaced', async () => {
    bench.put('a', '0');
    bench.store.beginTurn({ number: 1, text: 't' });
    const author = { agent: 'main', tool: 't', call: 'c' };
    await recordingWorkspace(hurried('a', 2), bench.store, author).writeFile('a', Buffer.from('ours'));
    expect(bench.text('a')).toBe('ours');
    expect((await bench.undoing.undo()).kept).toEqual([]);
    expect(bench.text('a')).toBe('theirs 2');
  });

  it('a write with one is refused, and nothing is recorded', async () => {
    bench.put('a', '0');
    const { state } = await bench.workspace.readFile('a');
    const author = { agent: 'main', tool: 't', call: 'c' };
    const recorded = recordingWorkspace(hurried('a', 9), bench.store, author);
    await expect(recorded.writeFile('a', Buffer.from('ours'), { expect: state })).rejects.toMatchObject({ code: 'Stale' });
    expect(bench.store.state().steps).toEqual([]);
  });

  it('many writers of one file at once all come through, and all can be taken back', async () => {
    bench.put('a', 'start');
    await bench.turn('t');
    await Promise.all(Array.from({ length: 25 }, (_, n) => bench.as(`w${n}`).writeFile('a', Buffer.from(`text ${n}`))));
    expect(bench.store.state().steps).toHaveLength(25);
    expect(await bench.undoing.undo()).toMatchObject({ kept: [], files: [{ path: 'a' }] });
    expect(bench.text('a')).toBe('start');
  });

  it('a transaction with a file that is in the way records the others, and its refusal leaves nothing', async () => {
    bench.put('a', '1');
    mkdirSync(join(bench.ws, 'd'));
    const { state } = await bench.workspace.readFile('a');
    const author = { agent: 'main', tool: 't', call: 'c' };
    /** The folder goes just before the change is made. */
    const quick: Workspace = {
      ...bench.workspace,
      changeFiles(targets) {
        rmSync(join(bench.ws, 'd'), { recursive: true, force: true });
        return bench.workspace.changeFiles(targets);
      },
    };
    const targets = [
      { path: 'a', bytes: Buffer.from('2'), expect: state },
      { path: 'd', bytes: Buffer.from('2'), expect: 'absent' as const },
    ];
    await expect(recordingWorkspace(bench.workspace, bench.store, author).changeFiles(targets)).rejects.toThrow();
    expect(bench.store.state().steps).toEqual([]);
    bench.store.beginTurn({ number: 1, text: 't' });
    await recordingWorkspace(quick, bench.store, author).changeFiles(targets);
    expect(bench.store.state().steps.map((step) => step.file.path)).toEqual([join(bench.ws, 'a'), join(bench.ws, 'd')]);
    expect(await bench.undoing.undo()).toMatchObject({ kept: [], files: [{ path: 'a' }, { path: 'd', how: 'removed' }] });
    expect(bench.text('a')).toBe('1');
  });

  it('a stale transaction that comes to fit is recorded too', async () => {
    bench.put('a', '1');
    bench.put('b', '1');
    const [a, b] = [await bench.workspace.readFile('a'), await bench.workspace.readFile('b')];
    bench.put('b', 'theirs');
    const quick: Workspace = {
      ...bench.workspace,
      changeFiles(targets) {
        bench.put('b', '1');
        return bench.workspace.changeFiles(targets);
      },
    };
    bench.store.beginTurn({ number: 1, text: 't' });
    await recordingWorkspace(quick, bench.store, { agent: 'main', tool: 't', call: 'c' }).changeFiles([
      { path: 'a', bytes: Buffer.from('2'), expect: a.state },
      { path: 'b', bytes: Buffer.from('2'), expect: b.state },
    ]);
    expect(await bench.undoing.undo()).toMatchObject({ files: [{ path: 'a' }], kept: [{ path: 'b', why: 'missing' }] });
    expect([bench.text('a'), bench.text('b')]).toEqual(['1', '2']);
  });

  it('an undo looks again', async () => {
    bench.put('a', '0');
    await bench.turn('t', { a: '1' });
    const { createUndoing } = await import('../../../src/workspace/undo/undoing.js');
    const workspace = { ...bench.workspace, ...hurried('a', 1) };
    expect(await createUndoing({ store: bench.store, workspace }).undo()).toMatchObject({
      kept: [{ path: 'a', why: 'changed' }],
    });
    expect(bench.text('a')).toBe('theirs 1');
  });
});

describe('a transaction that is refused', () => {
  it('is told with its reason; nothing changed, nothing is recorded, and it can be tried again', async () => {
    bench.put('a', '1');
    await bench.turn('t', { a: '2', b: '2' });
    const { createUndoing } = await import('../../../src/workspace/undo/undoing.js');
    const changeFiles = async () => {
      throw new ToolFault('EACCES', 'cannot change a: permission denied (EACCES)');
    };
    const refusing = createUndoing({ store: bench.store, workspace: { ...bench.workspace, changeFiles } });
    expect(await refusing.undo()).toMatchObject({ turns: [{ number: 1 }], files: [], fault: expect.stringContaining('EACCES') });
    expect([bench.text('a'), bench.text('b')]).toEqual(['2', '2']);
    expect((await bench.undoing.redo()).turns).toEqual([]);
    expect((await bench.undoing.undo()).files).toHaveLength(2);
    expect((await refusing.redo()).fault).toContain('EACCES');
    expect((await bench.undoing.redo()).files).toHaveLength(2);
  });
});

describe('two processes with one session', () => {
  it('see each other', async () => {
    const other = await bench.reopen();
    await bench.turn('one', { a: '1' });
    await other.turn('two', { b: '1' });
    await bench.edit('a', '2');
    expect(bench.store.state().steps).toHaveLength(3);
    expect((await other.undoing.undo()).turns).toMatchObject([{ text: 'one' }]);
    expect([bench.text('a'), bench.text('b')]).toEqual([undefined, '1']);
  });
});

describe('a process killed while it edits and undoes', () => {
  it('leaves a log and objects that agree: everything can be taken back to the start', async () => {
    const [open, recording, store, undoing] = await bundle(join(bench.base, 'out'), [
      'workspace/open-workspace',
      'workspace/undo/recording',
      'workspace/undo/store',
      'workspace/undo/undoing',
    ]);
    const script = `
      const { openWorkspace } = await import(${JSON.stringify(open)});
      const { recordingWorkspace } = await import(${JSON.stringify(recording)});
      const { openUndoStore } = await import(${JSON.stringify(store)});
      const { createUndoing } = await import(${JSON.stringify(undoing)});
      const workspace = await openWorkspace(${JSON.stringify({ root: bench.ws, home: bench.home, state: bench.state, scratch: bench.scratch })});
      const store = openUndoStore({ folder: ${JSON.stringify(bench.folder)} });
      const recorded = recordingWorkspace(workspace, store, { agent: 'main', tool: 't', call: 'c' });
      const undoing = createUndoing({ store, workspace });
      console.log('ready');
      for (let i = 0; ; i++) {
        store.beginTurn({ number: i + 1, text: 'turn ' + i });
        await recorded.writeFile('a', Buffer.from(process.pid + ' a ' + i));
        await recorded.writeFile('new/' + process.pid + '-' + i, Buffer.from('n'));
        if (i % 3 === 2) await undoing.undo();
        if (i % 6 === 5) await undoing.redo();
      }`;
    bench.put('a', 'start');
    for (let round = 0; round < 4; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
      await new Promise((ready) => child.stdout.once('data', ready));
      await sleep(15 + ((round * 13) % 40));
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      await gone;
    }
    const after = await bench.reopen();
    const report = await after.undoing.takeBack({});
    expect(report).toMatchObject({ kept: [] });
    expect(bench.text('a')).toBe('start');
    // An empty folder may be left when the kill came between file and folder.
    expect(existsSync(join(bench.ws, 'new')) ? readdirSync(join(bench.ws, 'new')) : []).toEqual([]);
    expect(openUndoStore({ folder: bench.folder }).state().open).toEqual([]);
  });
});
