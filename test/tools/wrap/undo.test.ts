import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execTool } from '../../../src/tools/coder/exec.js';
import { patchTool } from '../../../src/tools/coder/patch.js';
import { rollbackTool } from '../../../src/tools/coder/rollback.js';
import { writeTool } from '../../../src/tools/coder/write.js';
import { withUndo } from '../../../src/tools/wrap/undo.js';
import type { Undoing } from '../../../src/types/undo.js';
import { openCheckpoints } from '../../../src/workspace/checkpoint/checkpoints.js';
import type { TreeStore } from '../../../src/workspace/checkpoint/types.js';
import { openUndoStore, type UndoStore } from '../../../src/workspace/undo/store.js';
import { createUndoing } from '../../../src/workspace/undo/undoing.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
let store: UndoStore;
let undoing: Undoing;
let trees: readonly TreeStore[];
beforeEach(async () => {
  bench = await makeBench();
  store = openUndoStore({ folder: join(bench.state, 'sessions', 's.undo') });
  undoing = createUndoing({ store, workspace: bench.workspace });
  const places = { home: bench.home, state: bench.state, env: { PATH: process.env['PATH'] ?? '' } };
  trees = [openCheckpoints({ roots: [bench.ws], ...places }).states(bench.ws)];
  store.beginTurn({ number: 1, text: 't' });
});
afterEach(() => bench.remove());

const wrap = () => ({ store, trees: () => trees, readsOnly: (command: string) => command.startsWith('cat ') });
const exec = (cmd: string) => bench.run(withUndo(execTool, wrap()), { cmd });
const text = (path: string) => (existsSync(join(bench.ws, path)) ? readFileSync(join(bench.ws, path), 'utf8') : undefined);

describe('file tools', () => {
  it('are recorded under agent and tool, refused calls are not', async () => {
    bench.put('a', 'one\n');
    await bench.run(withUndo(patchTool, wrap()), { file: 'a', search: 'one', replace: 'two' });
    await bench.run(withUndo(patchTool, wrap()), { file: 'a', search: 'nowhere', replace: 'x' });
    await bench.run(withUndo(writeTool, wrap()), { file: 'b', content: 'new\n' });
    await bench.run(withUndo(rollbackTool, wrap()), { file: 'a' });
    const [turn] = undoing.undoable();
    expect(turn?.files).toEqual([
      { path: 'a', agent: 'main', tool: '@coder patch', applied: true },
      { path: 'b', agent: 'main', tool: '@coder write', applied: true },
      { path: 'a', agent: 'main', tool: '@coder rollback', applied: true },
    ]);
    expect((await undoing.undo()).kept).toEqual([]);
    expect([text('a'), text('b')]).toEqual(['one\n', undefined]);
  });
});

describe('files a command changed', () => {
  it('stand in its result, and are told with their state; what was there before is not among them', async () => {
    bench.put('a', 'one\n');
    bench.put('gone', 'g\n');
    bench.put('same', 's\n');
    const told: [string, string, boolean][] = [];
    const changed = (agent: string, real: string, sha256: string | undefined) =>
      void told.push([agent, real.slice(bench.ws.length + 1), sha256 !== undefined]);
    const tool = withUndo(execTool, { ...wrap(), changed });
    const result = await bench.run(tool, { cmd: 'sed -i s/one/two/ a; rm gone; mkdir d; echo n > d/new; exit 1' });
    expect(result.isError).toBe(true);
    expect([...(result.changed ?? [])].sort()).toEqual(['a', 'd/new', 'gone'].map((path) => join(bench.ws, path)));
    expect(told.sort()).toEqual([
      ['main', 'a', true],
      ['main', 'd/new', true],
      ['main', 'gone', false],
    ]);
    expect((await bench.run(tool, { cmd: 'true' })).changed ?? []).toEqual([]);
  });
});

describe('commands', () => {
  it('are taken back with all they changed, made and removed', async () => {
    bench.put('a', 'one\n');
    bench.put('gone', 'g\n', 0o600);
    bench.put('run.sh', 'x\n', 0o644);
    const result = await exec("sed -i s/one/two/ a; rm gone; echo n > 'new ü'; chmod 755 run.sh; exit 3");
    expect(result.code).toBe('ExitCode:3');
    const undone = await undoing.undo();
    expect(undone).toMatchObject({ kept: [], uncovered: [] });
    expect([text('a'), text('gone'), text('new ü')]).toEqual(['one\n', 'g\n', undefined]);
    expect(bench.workspace.lastSeen(join(bench.ws, 'a'))).toBeDefined();
    const { mode } = await bench.workspace.readFile('run.sh');
    expect(mode).toBe(0o644);
    expect((await undoing.redo()).kept).toEqual([]);
    expect([text('a'), text('gone'), text('new ü')]).toEqual(['two\n', undefined, 'n\n']);
  });

  it('that only read are not looked at', async () => {
    bench.put('a', 'one\n');
    let looks = 0;
    const [tree] = trees;
    if (!tree) throw new Error('no tree');
    const counted = { ...tree, tree: (signal?: AbortSignal) => tree.tree(signal).finally(() => looks++) };
    trees = [counted];
    await exec('cat a');
    expect(looks).toBe(0);
    await exec('echo x');
    expect(looks).toBe(2);
    expect(await undoing.undo()).toMatchObject({ turns: [], uncovered: [] });
  });

  it('beside another agent do not take its edits for their own', async () => {
    bench.put('a', 'one\n');
    bench.put('b', 'one\n');
    const running = exec('echo two > b; touch started; sleep 1');
    while (!existsSync(join(bench.ws, 'started'))) await new Promise((resolve) => setTimeout(resolve, 10));
    const context = { ...bench.context, agent: 'w1' };
    await withUndo(writeTool, wrap()).run({ file: 'a', content: 'worker\n' }, context);
    await running;
    const files = undoing.undoable().flatMap((turn) => turn.files.map(({ path, agent }) => `${path} ${agent}`));
    expect(files.sort()).toEqual(['a w1', 'b main', 'started main']);
    await undoing.takeBack({ agent: 'main' });
    expect([text('a'), text('b')]).toEqual(['worker\n', 'one\n']);
  });

  it('are told with what was changed while they ran, whoever did it; it goes back only as the look found it', async () => {
    for (const name of ['mine', 'later', 'theirs']) bench.put(name, 'one\n');
    const running = exec('echo two > theirs; touch started; while [ ! -e go ]; do sleep 0.02; done');
    while (!existsSync(join(bench.ws, 'started'))) await new Promise((resolve) => setTimeout(resolve, 10));
    bench.put('mine', 'saved by the user\n');
    bench.put('later', 'saved by the user\n');
    bench.put('go', '');
    await running;
    bench.put('later', 'saved again\n');
    const undone = await undoing.undo();
    const during = expect.stringContaining('@coder exec echo two > theirs');
    expect(undone.files).toContainEqual({ path: 'mine', how: 'restored', during });
    expect(undone.files).toContainEqual({ path: 'theirs', how: 'restored', during });
    expect(undone.kept).toEqual([{ path: 'later', why: 'changed' }]);
    expect([text('later'), text('mine')]).toEqual(['saved again\n', 'one\n']);
    await undoing.redo();
    expect(text('mine')).toBe('saved by the user\n');
  });

  it('do not get what was saved before they began or after they had ended', async () => {
    for (const name of ['before', 'after', 'theirs']) bench.put(name, 'one\n');
    const [tree] = trees;
    if (!tree) throw new Error('no tree');
    let looks = 0;
    trees = [
      {
        ...tree,
        async tree(signal) {
          if (++looks === 2) {
            await sleep(30);
            bench.put('after', 'mine\n');
          }
          const found = await tree.tree(signal);
          if (looks === 1) {
            bench.put('before', 'mine\n');
            await sleep(60);
          }
          return found;
        },
      },
    ];
    await exec('echo two > theirs');
    const undone = await undoing.undo();
    expect(undone.files.map((file) => file.path)).toEqual(['theirs']);
    expect(undone.uncovered).toEqual(['@coder exec echo two > theirs']);
    expect([text('before'), text('after'), text('theirs')]).toEqual(['mine\n', 'mine\n', 'one\n']);
  });

  it('have their old bytes fetched all at once', async () => {
    for (const name of ['a', 'b', 'c']) bench.put(name, `${name}\n`);
    const [tree] = trees;
    if (!tree) throw new Error('no tree');
    const asked: number[] = [];
    const contents: TreeStore['contents'] = (ids, ...rest) => {
      asked.push(ids.length);
      return tree.contents(ids, ...rest);
    };
    trees = [{ ...tree, contents }];
    await exec('echo x > a; rm b; echo z > c; echo new > d');
    expect(asked).toEqual([3]);
    await undoing.undo();
    expect(['a', 'b', 'c', 'd'].map(text)).toEqual(['a\n', 'b\n', 'c\n', undefined]);
  });

  it('are named when what they changed is not known', async () => {
    trees = [];
    bench.put('a', 'one\n');
    await exec('echo two > a');
    expect(await undoing.undo()).toMatchObject({ turns: [], uncovered: ['@coder exec echo two > a'] });
    const failing = {
      root: bench.ws,
      tree: async () => undefined,
      unrecorded: () => undefined,
      changesBetween: async () => [],
      contents: async () => undefined,
    };
    trees = [failing];
    await exec('echo three > a');
    await bench.run(withUndo(writeTool, wrap()), { file: 'b', content: 'x' });
    expect((await undoing.undo()).uncovered).toHaveLength(2);
  });

  it('are named when they made what cannot be taken back file by file', async () => {
    bench.put('a', 'one\n');
    await exec('ln -s a link; echo two > a');
    expect(await undoing.undo()).toMatchObject({ files: [{ path: 'a' }], uncovered: [expect.stringContaining('ln -s')] });
    expect(text('a')).toBe('one\n');
  });

  it('may be stopped: what they did until then is recorded', async () => {
    const stop = new AbortController();
    bench.put('a', 'one\n');
    const running = withUndo(execTool, wrap()).run(
      { cmd: 'echo two > a; touch started; sleep 30' },
      { ...bench.context, signal: stop.signal },
    );
    while (!existsSync(join(bench.ws, 'started'))) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort('interrupted');
    await running;
    const undone = await undoing.undo();
    // On a slow machine the second look does not come in time, and is said so.
    if (undone.files.length > 0) expect(text('a')).toBe('one\n');
    else expect(undone.uncovered).toHaveLength(1);
  });

  const git = (...words: string[]) =>
    execFileSync('git', ['-C', bench.ws, '-c', 'user.name=u', '-c', 'user.email=u@x', ...words]);
  const ignoring = (): void => {
    git('init', '-q');
    bench.put('.gitignore', 'ig\nbuild/\n');
    bench.put('sub/.gitignore', '*.o\n');
    for (const name of ['ig', 'build/out', 'sub/x.o']) bench.put(name, 'mine\n');
    bench.put('a', 'one\n');
  };
  const mine = () => [text('ig'), text('build/out'), text('sub/x.o')];

  it.each([
    ['emptied', ': > .gitignore; : > sub/.gitignore'],
    ['removed', 'rm .gitignore sub/.gitignore'],
    ['changed', "echo other > .gitignore; echo '!x.o' >> sub/.gitignore"],
    ['replaced, with the files in them written anew', 'rm .gitignore; cp ig t; mv t ig; cp build/out t; mv t build/out'],
  ])('leave alone what was ignored before the rules were %s', async (_, command) => {
    ignoring();
    await exec(`${command}; echo two > a; mkdir d; echo new > d/b`);
    const undone = await undoing.undo();
    expect(undone.uncovered).toEqual([expect.stringContaining('@coder exec')]);
    expect(mine()).toEqual(['mine\n', 'mine\n', 'mine\n']);
    expect([text('a'), text('d/b'), text('.gitignore'), text('sub/.gitignore')]).toEqual([
      'one\n',
      undefined,
      'ig\nbuild/\n',
      '*.o\n',
    ]);
  });

  it('leave alone what was ignored before a switch of branches, and before info/exclude was changed', async () => {
    ignoring();
    git('checkout', '-q', '-b', 'ruled');
    git('add', '.');
    git('commit', '-q', '-m', 'c');
    git('checkout', '-q', '-b', 'free');
    git('rm', '-q', '-r', '.gitignore', 'sub/.gitignore');
    git('commit', '-q', '-m', 'c');
    git('checkout', '-q', 'ruled');
    await exec('git checkout -q free');
    await undoing.undo();
    expect(mine()).toEqual(['mine\n', 'mine\n', 'mine\n']);
    bench.put('.git/info/exclude', 'local\n');
    bench.put('local', 'mine\n');
    await exec(': > .git/info/exclude; echo x > made');
    await undoing.undo();
    expect([text('local'), text('made')]).toEqual(['mine\n', undefined]);
  });

  it('do not lose what new rules leave out', async () => {
    ignoring();
    await exec('echo a >> .gitignore');
    expect(await undoing.undo()).toMatchObject({ files: [{ path: '.gitignore' }], kept: [] });
    expect(text('a')).toBe('one\n');
  });

  it('have their moves taken back, but not those from where nothing is watched', async () => {
    ignoring();
    bench.put('dir/one', '1\n');
    await sleep(40);
    await exec('mv dir moved; mv ig seen');
    const undone = await undoing.undo();
    expect(undone.uncovered).toHaveLength(1);
    expect([text('dir/one'), text('moved/one'), text('seen')]).toEqual(['1\n', undefined, 'mine\n']);
  });

  it('that make or end a repository in a folder are named, and its files stay', async () => {
    bench.put('lib/x', 'mine\n');
    bench.put('a', 'one\n');
    await exec('git init -q lib; echo theirs >> lib/x; echo two > a');
    const undone = await undoing.undo();
    expect(undone).toMatchObject({ files: [{ path: 'a' }], kept: [], uncovered: [expect.stringContaining('git init')] });
    store.beginTurn({ number: 2, text: 't' });
    await exec('rm -rf lib/.git; cp lib/x t; mv t lib/x; echo new > b');
    expect(await undoing.undo()).toMatchObject({ files: [{ path: 'b' }], uncovered: [expect.stringContaining('rm -rf')] });
    expect([text('lib/x'), text('a'), text('b')]).toEqual(['mine\ntheirs\n', 'one\n', undefined]);
    store.beginTurn({ number: 3, text: 't' });
    await exec('git init -q fresh; echo x > fresh/x');
    expect((await undoing.undo()).uncovered).toEqual([expect.stringContaining('git init -q fresh')]);
  });

  it('leave ignored files to the user', async () => {
    bench.put('.gitignore', 'out/\n');
    bench.put('out/x', 'one\n');
    await exec('echo two > out/x');
    expect((await undoing.undo()).files).toEqual([]);
    expect(text('out/x')).toBe('two\n');
  });
});
