import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportHtml } from '../../src/session/export-html.js';
import { openLog } from '../../src/session/log.js';
import { copySession, searchSession, turnsOf, verifySession } from '../../src/session/manage.js';
import { readSession } from '../../src/session/store.js';
import type { AgentEvent } from '../../src/types/event.js';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'chatcli-manage-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const stamp = { agent: 'main', time: 5 } as const;
const turn = (n: number): AgentEvent[] => [
  {
    ...stamp,
    type: 'run-start',
    mode: 'chat',
    task: `task ${n}`,
    provider: 'P',
    model: 'm',
    toolMode: 'text',
    permissionMode: 'default',
    workspace: '/w',
    session: 's',
  },
  {
    ...stamp,
    type: 'message-end',
    message: { id: `u${n}`, role: 'user', origin: 'person', time: 1, parts: [{ type: 'text', text: `task ${n}` }] },
  },
  {
    ...stamp,
    type: 'message-end',
    message: { id: `a${n}`, role: 'assistant', time: 1, parts: [{ type: 'text', text: `Answer ${n} with Pear` }] },
  },
];
const saved = async (id: string, turns: number): Promise<string> => {
  const log = await openLog({ dir, id, workspace: '/w', app: 'test', now: () => 1 });
  for (let n = 1; n <= turns; n++) for (const event of turn(n)) log.append(event);
  await log.close();
  return log.file;
};

describe('copies', () => {
  it('hold all, or end before a turn; the original stays', async () => {
    const file = await saved('one', 3);
    const before = readFileSync(file, 'utf8');
    expect(await copySession({ dir, id: 'one', copy: 'all', now: () => 7 })).toEqual({ turns: 3 });
    expect(await copySession({ dir, id: 'one', copy: 'cut', before: 3, now: () => 7 })).toEqual({ turns: 2 });
    const cut = await readSession(dir, 'cut');
    expect(cut.header).toMatchObject({ id: 'cut', created: 7, workspace: '/w' });
    expect(cut.messages.map(({ id }) => id)).toEqual(['u1', 'a1', 'u2', 'a2']);
    expect(readFileSync(join(dir, 'cut.jsonl'), 'utf8')).not.toContain('task 3');
    expect(turnsOf(await readSession(dir, 'all'))).toHaveLength(3);
    expect(statSync(join(dir, 'cut.jsonl')).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect((await copySession({ dir, id: 'one', copy: 'none', before: 1, now: () => 7 })).turns).toBe(0);
  });
  it('replace nothing and need a session', async () => {
    await saved('one', 1);
    await saved('two', 1);
    await expect(copySession({ dir, id: 'one', copy: 'two', now: () => 7 })).rejects.toMatchObject({ code: 'exists' });
    await expect(copySession({ dir, id: 'none', copy: 'three', now: () => 7 })).rejects.toMatchObject({ code: 'not-found' });
    await expect(copySession({ dir, id: 'one', copy: '../x', now: () => 7 })).rejects.toMatchObject({ code: 'bad-id' });
  });
});

describe('search and verify', () => {
  it('finds words whatever their case', async () => {
    await saved('one', 2);
    expect(await searchSession(dir, 'one', 'pEAR', 10)).toMatchObject([{ role: 'assistant', text: 'Answer 1 with Pear' }, {}]);
    expect(await searchSession(dir, 'one', 'pear', 1)).toHaveLength(1);
    expect(await searchSession(dir, 'one', 'apple', 10)).toEqual([]);
  });
  it('names the lines that cannot be used', async () => {
    const file = await saved('one', 1);
    expect(await verifySession(dir, 'one')).toEqual({ lines: 4, damaged: [], messages: 2, torn: false, header: true });
    appendFileSync(file, 'not json\n{"type":"message-end","agent":"main","time":1,"message":{}}\n{"type":"usa');
    expect(await verifySession(dir, 'one')).toMatchObject({ lines: 7, damaged: [5, 6, 7], messages: 2, torn: true });
    writeFileSync(file, '');
    expect(await verifySession(dir, 'one')).toMatchObject({ header: false, lines: 0 });
  });
});

describe('the HTML page', () => {
  it('stands alone and escapes whatever it holds', async () => {
    await saved('one', 1);
    const state = await readSession(dir, 'one');
    const evil = '</pre><img src=x onerror=alert(1)>\u0000\'"';
    const messages = [
      { id: 'u', role: 'user', time: 1, parts: [{ type: 'text', text: evil }] },
      { id: 'a', role: 'assistant', time: 1, parts: [{ type: 'call', id: 'c', name: evil, input: evil }] },
      { id: 't', role: 'tool', time: 1, parts: [{ type: 'result', id: 'c', name: 'x', text: evil, isError: false }] },
    ] as const;
    const page = exportHtml({ ...state, title: evil, messages }, { user: 'U', assistant: 'A', result: 'R', untitled: '-' });
    expect(page).not.toContain('<img');
    expect(page.split('&lt;/pre&gt;&lt;img src=x onerror=alert(1)&gt;\ufffd&#39;&quot;')).toHaveLength(7);
    expect(page).toContain("default-src 'none'");
  });
});
