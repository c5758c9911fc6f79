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
import type { FileState } from '../../src/types/workspace.js';
import { type AgentViews, createAgentViews } from '../../src/workspace/agent-view.js';
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
    views,
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

describe('what a command changed', () => {
  it('is told as a conflict by name to whoever read the file before', async () => {
    put(with_({}));
    const { read, write, patch, views } = agents();
    await read('coder', { file: 'f.txt' });
    put(with_({ 3: 'by a command\n' }));
    const { state, located } = await workspace.readFile('f.txt');
    views.changed('shell', located.real, state.sha256);
    const lost = await patch('coder', { file: 'f.txt', search: 'line 3\n', replace: 'x\n' });
    expect(lost.isError).toBe(true);
    const second = await write('coder', { file: 'f.txt', content: with_({ 3: 'mine\n' }) });
    expect(second).toMatchObject({ isError: true, code: 'Conflict' });
    expect(second.output).toContain('changed by the agent shell of this run');
    expect(text()).toBe(with_({ 3: 'by a command\n' }));
    // Changed again by someone who is nobody's agent: no name is given.
    put(with_({ 3: 'by the user\n' }));
    expect(await write('coder', { file: 'f.txt', content: 'x' })).toMatchObject({ code: 'Stale' });
  });

  it("is nobody's any more when the file is gone", async () => {
    put('a\n');
    const { views } = agents();
    const { state, located } = await workspace.readFile('f.txt');
    views.changed('shell', located.real, state.sha256);
    expect(views.changedBy('coder', located.real, state)).toBe('shell');
    expect(views.changedBy('shell', located.real, state)).toBeUndefined();
    views.changed('shell', located.real, undefined);
    expect(views.changedBy('coder', located.real, state)).toBeUndefined();
  });
});

describe('what is kept for merging', () => {
  const readAs = async (views: AgentViews, agent: string) => (await views.of(agent, workspace).readFile('f.txt')).state;
  const writeAs = (views: AgentViews, agent: string, content: string, expect: FileState) =>
    views.of(agent, workspace).writeFile('f.txt', Buffer.from(content), { expect });

  it('is nothing for the main agent while nobody works beside it', async () => {
    put(with_({}));
    const views = createAgentViews('main');
    const seen = await readAs(views, 'main');
    await writeAs(views, 'coder', with_({ 2: 'two\n' }), seen);
    // The base is not known, so it cannot be merged; nothing is lost either.
    await expect(writeAs(views, 'main', with_({ 15: 'fifteen\n' }), seen)).rejects.toMatchObject({ code: 'Conflict' });
    expect(text()).toBe(with_({ 2: 'two\n' }));
    // Now that one does, it is merged.
    const again = await readAs(views, 'main');
    await writeAs(views, 'coder', with_({ 2: 'zwei\n' }), again);
    await writeAs(views, 'main', with_({ 2: 'two\n', 15: 'fifteen\n' }), again);
    expect(text()).toBe(with_({ 2: 'zwei\n', 15: 'fifteen\n' }));
  });

  it('is let go with the last worker, and what a worker saw with it; who changed what stays known', async () => {
    put(with_({}));
    const views = createAgentViews('main');
    const seen = await readAs(views, 'coder');
    views.of('coder', workspace).noteRead?.(join(root, 'f.txt'), seen);
    expect(views.of('coder', workspace).lastSeen?.(join(root, 'f.txt'))).toEqual(seen);
    const written = await writeAs(views, 'coder', with_({ 2: 'two\n' }), seen);
    views.forget('coder');
    expect(views.of('coder', workspace).lastSeen?.(join(root, 'f.txt'))).toBeUndefined();
    expect(views.changedBy('main', written.located.real, (await workspace.readFile('f.txt')).state)).toBe('coder');
    await expect(writeAs(views, 'coder-2', with_({ 15: 'fifteen\n' }), seen)).rejects.toMatchObject({ code: 'Conflict' });
  });

  it('has one limit for all agents: the oldest go first', async () => {
    put(with_({}));
    const views = createAgentViews('main');
    const first = await readAs(views, 'coder');
    for (let n = 0; n < 5; n++) {
      writeFileSync(join(root, 'large.txt'), `${n}${'x'.repeat(7 * 1024 * 1024)}`);
      await views.of(`file-${n}`, workspace).readFile('large.txt');
    }
    await writeAs(views, 'other', with_({ 2: 'two\n' }), first);
    await expect(writeAs(views, 'coder', with_({ 15: 'fifteen\n' }), first)).rejects.toMatchObject({ code: 'Conflict' });
  });
});
