import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadToolState, saveToolState, type ToolState, toolStateFile, toolStateId } from '../../src/session/tool-state.js';
import type { PlanTask } from '../../src/types/tool.js';
import type { FileState } from '../../src/types/workspace.js';
import { tempDir } from './temp.js';

const state = (n: number): FileState => ({ mtimeMs: n + 0.5, size: n, sha256: n.toString(16).padStart(64, '0') });
const task = (id: number): PlanTask => ({ id, description: `task ${id}`, status: 'pending', attempts: 0 });
const make = (plan: PlanTask[], seen: Record<string, FileState>): ToolState => ({ plan, seen });
const NONE = make([], {});
const KEY = toolStateId({ session: 'my session/../../x', workspace: '/w' });

describe('the state of direct tool calls', () => {
  it('comes back as it was saved, in a private file of a safe name', async () => {
    const dir = tempDir();
    await saveToolState(dir, KEY, make([task(1)], { '/w/a': state(1) }));
    expect(await loadToolState(dir, KEY)).toEqual(make([task(1)], { '/w/a': state(1) }));
    const file = toolStateFile(dir, KEY);
    expect(dirname(file)).toBe(join(dir, 'sessions'));
    expect(file).toMatch(/tool-[0-9a-f]{32}\.json$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(dir, 'sessions'))).toHaveLength(1);
  });

  it('is empty where a pipe stands in its place, and takes that place when it is saved', async () => {
    const dir = tempDir();
    const file = toolStateFile(dir, KEY);
    mkdirSync(dirname(file), { recursive: true });
    for (const path of [file, `${file}.lock`]) spawnSync('mkfifo', [path]);
    expect(await loadToolState(dir, KEY)).toEqual(NONE);
    await saveToolState(dir, KEY, make([task(1)], {}));
    expect(await loadToolState(dir, KEY)).toEqual(make([task(1)], {}));
    expect(readdirSync(dirname(file))).toHaveLength(1);
  });

  it('keeps sessions and folders apart', async () => {
    const dir = tempDir();
    await saveToolState(dir, toolStateId({ session: '/w', workspace: '/w' }), make([task(1)], {}));
    expect(await loadToolState(dir, toolStateId({ workspace: '/w' }))).toEqual(NONE);
    expect(await loadToolState(dir, toolStateId({ session: '/w2', workspace: '/w' }))).toEqual(NONE);
  });

  it('keeps what another process saved meanwhile', async () => {
    const dir = tempDir();
    const start = make([task(1)], { '/old': state(1), '/gone': state(2) });
    await saveToolState(dir, KEY, start);
    await saveToolState(dir, KEY, make([task(1)], { '/old': state(5), '/gone': state(2), '/mine': state(3) }), start);
    await saveToolState(dir, KEY, make([task(2)], { '/old': state(1), '/other': state(4) }), start);
    expect(await loadToolState(dir, KEY)).toEqual(make([task(2)], { '/old': state(5), '/mine': state(3), '/other': state(4) }));
  });

  it('loses nothing when many save at once', async () => {
    const dir = tempDir();
    await Promise.all(Array.from({ length: 6 }, (_, i) => saveToolState(dir, KEY, make([], { [`/f${i}`]: state(i) }))));
    expect(Object.keys((await loadToolState(dir, KEY)).seen)).toHaveLength(6);
  });

  it('is empty when the file is damaged, and skips damaged entries', async () => {
    const dir = tempDir();
    mkdirSync(join(dir, 'sessions'));
    const file = toolStateFile(dir, KEY);
    for (const bad of ['', '{', 'null', '[]', '{"plan":7,"seen":[]}', Buffer.from([0xff, 0xfe])]) {
      writeFileSync(file, bad);
      expect(await loadToolState(dir, KEY)).toEqual(NONE);
    }
    writeFileSync(
      file,
      JSON.stringify({ plan: [{ id: 'x' }], seen: { '/a': state(1), '/b': { size: -1 }, '/c': null, __proto__: 1 } }),
    );
    expect(await loadToolState(dir, KEY)).toEqual(make([], { '/a': state(1) }));
    await saveToolState(dir, KEY, make([task(3)], {}));
    expect((await loadToolState(dir, KEY)).plan).toEqual([task(3)]);
  });

  it('never reads or writes through a link', async () => {
    const dir = tempDir();
    mkdirSync(join(dir, 'sessions'));
    const victim = join(dir, 'victim');
    writeFileSync(victim, JSON.stringify({ plan: [task(1)], seen: {} }));
    symlinkSync(victim, toolStateFile(dir, KEY));
    expect(await loadToolState(dir, KEY)).toEqual(NONE);
    await saveToolState(dir, KEY, make([task(2)], {}));
    expect(readFileSync(victim, 'utf8')).toContain('task 1');
    expect((await loadToolState(dir, KEY)).plan).toEqual([task(2)]);
  });

  it('forgets the oldest paths first', async () => {
    const dir = tempDir();
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`/f${i}`, state(i)]));
    await saveToolState(dir, KEY, make([], many));
    await saveToolState(dir, KEY, make([], { ...many, '/f0': state(9), '/new': state(1) }), make([], many));
    const { seen } = await loadToolState(dir, KEY);
    expect(Object.keys(seen)).toHaveLength(5000);
    expect(['/f0' in seen, '/new' in seen, '/f1' in seen]).toEqual([true, true, false]);
  });
});
