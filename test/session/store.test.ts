import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLog } from '../../src/session/log.js';
import { deleteSession, latestSession, listSessions, readSession } from '../../src/session/store.js';
import { runStart, said, say, tempDir, text } from './temp.js';

async function make(dir: string, id: string, workspace: string, words: string, at: number): Promise<void> {
  const log = await openLog({ dir, id, workspace, app: 'x', now: () => at });
  log.append(runStart(workspace, words));
  log.append(said(say('user', [text(words)])));
  await log.close();
  utimesSync(log.file, at / 1000, at / 1000);
}

describe('the session store', () => {
  it('lists newest first, by workspace, and finds the latest', async () => {
    const dir = tempDir();
    await make(dir, 'b', '/one', 'older', 1_000_000);
    await make(dir, 'a', '/one', 'newer', 3_000_000);
    await make(dir, 'c', '/two', 'elsewhere', 2_000_000);
    expect((await listSessions(dir)).map((s) => [s.id, s.title])).toEqual([
      ['a', 'newer'],
      ['c', 'elsewhere'],
      ['b', 'older'],
    ]);
    expect((await listSessions(dir, { workspace: '/one', limit: 1 })).map((s) => s.id)).toEqual(['a']);
    expect((await latestSession(dir, '/two'))?.id).toBe('c');
    expect(await latestSession(dir, '/three')).toBeUndefined();
    expect(await listSessions(join(dir, 'absent'))).toEqual([]);
  });

  it('lists what it cannot understand as damaged and never follows links or enters folders', async () => {
    const dir = tempDir();
    await make(dir, 'good', '/one', 'fine', 9_000_000);
    writeFileSync(join(dir, 'rubbish.jsonl'), Buffer.from([0xff, 0xfe, 0, 10, 1]));
    writeFileSync(join(dir, 'empty.jsonl'), '');
    writeFileSync(join(dir, 'newer.jsonl'), '{"type":"session","version":9}\n');
    mkdirSync(join(dir, 'folder.jsonl'));
    symlinkSync(join(dir, 'good.jsonl'), join(dir, 'link.jsonl'));
    writeFileSync(join(dir, 'tool-0011.json'), '{}');
    writeFileSync(join(dir, '.hidden.jsonl'), '');
    const list = await listSessions(dir);
    expect(list.filter((s) => s.damaged === undefined).map((s) => s.id)).toEqual(['good']);
    expect(
      list
        .filter((s) => s.damaged !== undefined)
        .map((s) => s.id)
        .sort(),
    ).toEqual(['empty', 'folder', 'link', 'newer', 'rubbish']);
    expect((await latestSession(dir, ''))?.id).toBeUndefined();
  });

  it('reads a large session without a whole copy in a list', async () => {
    const dir = tempDir();
    await make(dir, 'big', '/one', 'a title', 1_000_000);
    const log = await openLog({ dir, id: 'big', workspace: '/one', app: 'x', now: () => 1 });
    for (let i = 0; i < 50; i++) log.append(said(say('assistant', [text(`${i} ${'é'.repeat(60_000)}`)])));
    await log.close();
    const [summary] = await listSessions(dir);
    expect(summary).toMatchObject({ id: 'big', title: 'a title' });
    expect(summary?.size).toBeGreaterThan(6_000_000);
    const state = await readSession(dir, 'big');
    expect(state.messages).toHaveLength(51);
    expect(state.messages[50]?.parts[0]).toMatchObject({ text: `49 ${'é'.repeat(60_000)}` });
  });

  it('reads what is there and says what is not', async () => {
    const dir = tempDir();
    await expect(readSession(dir, 'none')).rejects.toMatchObject({ code: 'not-found' });
    await expect(readSession(dir, '../x')).rejects.toMatchObject({ code: 'bad-id' });
    writeFileSync(join(dir, 'newer.jsonl'), '{"type":"session","version":9}\n');
    await expect(readSession(dir, 'newer')).rejects.toMatchObject({ code: 'newer' });
    mkdirSync(join(dir, 'folder.jsonl'));
    await expect(readSession(dir, 'folder')).rejects.toMatchObject({ name: 'SessionFault' });
  });

  it('deletes what is closed and refuses what is open', async () => {
    const dir = tempDir();
    const log = await openLog({ dir, id: 's', workspace: '/w', app: 'x', now: () => 1 });
    await expect(deleteSession(dir, 's')).rejects.toMatchObject({ code: 'locked' });
    await log.close();
    expect(await deleteSession(dir, 's')).toBe(true);
    expect(await deleteSession(dir, 's')).toBe(false);
    expect(await listSessions(dir)).toEqual([]);
    await expect(deleteSession(dir, 'a/b')).rejects.toMatchObject({ code: 'bad-id' });
  });
});
