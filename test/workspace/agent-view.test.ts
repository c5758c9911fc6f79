/** Two agents on one file, on real files: nobody's change is lost, and what cannot be joined is said. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { multipatchTool } from '../../src/tools/coder/multipatch.js';
import { patchTool } from '../../src/tools/coder/patch.js';
import { readTool } from '../../src/tools/coder/read.js';
import { writeTool } from '../../src/tools/coder/write.js';
import { withAgentView } from '../../src/tools/wrap/agent-view.js';
import { withUndo } from '../../src/tools/wrap/undo.js';
import type { JsonObject } from '../../src/types/json.js';
import type { Tool, ToolResult } from '../../src/types/tool.js';
import { createAgentViews } from '../../src/workspace/agent-view.js';
import { type OpenWorkspace, openWorkspace } from '../../src/workspace/open-workspace.js';
import { openUndoStore } from '../../src/workspace/undo/store.js';
import { createUndoing } from '../../src/workspace/undo/undoing.js';

let base = '';
let root = '';
let workspace: OpenWorkspace;
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'views-'));
  root = join(base, 'ws');
  for (const dir of ['ws', 'home', 'state', 'scratch']) mkdirSync(join(base, dir));
  workspace = await openWorkspace({ root, home: join(base, 'home'), state: join(base, 'state'), scratch: join(base, 'scratch') });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const LINES = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`);
const put = (text: string) => writeFileSync(join(root, 'f.txt'), text);
const text = () => readFileSync(join(root, 'f.txt'), 'utf8');
const with_ = (changes: Readonly<Record<number, string>>) => LINES.map((line, i) => changes[i + 1] ?? line).join('');

function agents() {
  const views = createAgentViews('main');
  const store = openUndoStore({ folder: join(base, 'undo') });
  store.beginTurn({ number: 1, text: 't' });
  const wrap = (tool: Tool) => withUndo(withAgentView(tool, views), { store, trees: () => [], readsOnly: () => false });
  const call =
    (tool: Tool) =>
    (agent: string, args: JsonObject): Promise<ToolResult> => {
      const plan = { get: () => [], set: () => undefined };
      const host = { childEnv: {}, home: join(base, 'home'), scratch: join(base, 'scratch'), state: join(base, 'state') };
      const signal = new AbortController().signal;
      return wrap(tool).run(args, { workspace, host, plan, agent, signal, progress: () => undefined });
    };
  const undoing = createUndoing({ store, workspace });
  return {
    read: call(readTool),
    write: call(writeTool),
    patch: call(patchTool),
    multipatch: call(multipatchTool),
    undoing,
    store,
  };
}

describe('a file two agents change', () => {
  it('gets both changes when they are apart, and one undo takes both back', async () => {
    put(with_({}));
    const { read, write, undoing, store } = agents();
    await Promise.all([read('coder', { file: 'f.txt' }), read('coder-2', { file: 'f.txt' })]);
    expect((await write('coder', { file: 'f.txt', content: with_({ 2: 'two\n' }) })).isError).toBe(false);
    const second = await write('coder-2', { file: 'f.txt', content: with_({ 15: 'fifteen\n' }) });
    expect(second.output).toContain('the agent coder had changed the file meanwhile; both changes are in it now');
    expect(text()).toBe(with_({ 2: 'two\n', 15: 'fifteen\n' }));
    expect(await undoing.undo()).toMatchObject({ kept: [] });
    expect(text()).toBe(with_({}));
    store.close();
  });

  it('stays as the first left it when the changes meet; the second is told both sides', async () => {
    put(with_({}));
    const { read, write } = agents();
    await Promise.all([read('coder', { file: 'f.txt' }), read('coder-2', { file: 'f.txt' })]);
    await write('coder', { file: 'f.txt', content: with_({ 5: 'mine\n' }) });
    const second = await write('coder-2', { file: 'f.txt', content: with_({ 5: 'other\n' }) });
    expect(second).toMatchObject({ isError: true, code: 'Conflict' });
    expect(second.output).toMatch(/changed by the agent coder of this run[\s\S]*lines 5 to 5[\s\S]*Yours:\nother\nTheirs:\nmine/);
    expect(text()).toBe(with_({ 5: 'mine\n' }));
  });

  it('takes exact patches of both, and calls it a conflict where one has lost its place', async () => {
    put(with_({}));
    const { read, patch, multipatch } = agents();
    await Promise.all([read('coder', { file: 'f.txt' }), read('coder-2', { file: 'f.txt' })]);
    await patch('coder', { file: 'f.txt', search: 'line 3\n', replace: 'three\n' });
    expect((await patch('coder-2', { file: 'f.txt', search: 'line 9\n', replace: 'nine\n' })).isError).toBe(false);
    const lost = await patch('coder-2', { file: 'f.txt', search: 'line 3\n', replace: 'drei\n' });
    // What it patched over it has not read.
    expect(lost.isError).toBe(true);
    const list = await multipatch('coder', { edits: [{ file: 'f.txt', search: 'line 9\n', replace: 'neun\n' }] });
    expect(list).toMatchObject({ isError: true, code: 'Conflict' });
    expect(list.output).toContain('It was the agent coder-2 of this run that changed f.txt.');
    expect(text()).toBe(with_({ 3: 'three\n', 9: 'nine\n' }));
  });

  it('is stale, not in conflict, when the user changed it', async () => {
    put(with_({}));
    const { read, write } = agents();
    await read('coder', { file: 'f.txt' });
    put(with_({ 1: 'user\n' }));
    expect(await write('coder', { file: 'f.txt', content: 'x\n' })).toMatchObject({ code: 'Stale' });
    expect(text()).toBe(with_({ 1: 'user\n' }));
  });

  it('is known to an agent only by what that agent read', async () => {
    put(with_({}));
    const { read, write } = agents();
    await read('coder', { file: 'f.txt' });
    put('user\n');
    // Never read by this one: that is not stale.
    expect((await write('coder-2', { file: 'f.txt', content: 'new\n' })).isError).toBe(false);
    expect(await write('coder', { file: 'f.txt', content: 'x\n' })).toMatchObject({ code: 'Conflict' });
  });
});
