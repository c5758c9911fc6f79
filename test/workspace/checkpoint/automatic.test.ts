/** When automatic snapshots are taken, when not, and that they never stand in the way. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from '../../../src/base/file-lock.js';
import { type Automatic, createAutomatic } from '../../../src/workspace/checkpoint/automatic.js';
import type { CheckpointOptions } from '../../../src/workspace/checkpoint/checkpoints.js';
import { LOCK_FILE, STATE_FILE } from '../../../src/workspace/checkpoint/place.js';
import { pauseAfter, readSettings } from '../../../src/workspace/checkpoint/settings.js';
import { ENV, noSignal, type Setup, setup } from './setup.js';

let s: Setup;
let clock: number;
beforeEach(() => {
  clock = Date.parse('2024-05-06T07:08:09.500Z');
  s = setup({ now: () => clock });
});
afterEach(() => s.remove());

interface Session {
  readonly automatic: Automatic;
  readonly warnings: string[];
  before(label?: string): Promise<void>;
}

/** What one process has. */
function session(options: Partial<CheckpointOptions> = {}): Session {
  const warnings: string[] = [];
  const { checkpoints } = setup({ now: () => clock, ...options }, s);
  const automatic = createAutomatic(checkpoints, { warn: (code, text) => warnings.push(`${code}: ${text}`) });
  return { automatic, warnings, before: (label = 'write a.txt') => automatic.before(label, [], noSignal()) };
}

const subjects = async () => (await s.checkpoints.list(noSignal())).map((entry) => entry.subject);
const change = (text: string) => s.put('a.txt', text);
/** A file where git must find a folder: every snapshot fails. */
function spoil(): void {
  mkdirSync(s.shadow, { recursive: true });
  for (const name of ['objects', 'info']) rmSync(join(s.shadow, name), { recursive: true, force: true });
  writeFileSync(join(s.shadow, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(s.shadow, 'info'), 'not a folder');
}

describe('automatic snapshots', () => {
  it('are taken at most every 15 seconds, by all processes together', async () => {
    const [one, two] = [session(), session()];
    change('1');
    await one.before();
    change('2');
    clock += 14_999;
    await one.before('patch a.txt');
    await two.before('patch a.txt');
    expect(await subjects()).toEqual(['checkpoint before write a.txt (2024-05-06T07:08:09Z)']);
    clock += 1;
    await two.before('exec npm test');
    await one.before();
    expect(await subjects()).toEqual([
      'checkpoint before exec npm test (2024-05-06T07:08:24Z)',
      'checkpoint before write a.txt (2024-05-06T07:08:09Z)',
    ]);
  });

  it('of calls side by side are one, and all wait for it', async () => {
    const one = session();
    change('1');
    let ended = 0;
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        await one.before();
        ended++;
        expect((await subjects()).length).toBe(1);
      }),
    );
    expect([ended, (await subjects()).length]).toEqual([5, 1]);
  });

  it('are none when nothing changed', async () => {
    const one = session();
    change('1');
    await one.before();
    clock += 60_000;
    await one.before();
    expect((await subjects()).length).toBe(1);
  });

  it('back off after failures, for all processes, and end for a session after three with one line', async () => {
    change('1');
    spoil();
    const one = session();
    const failures = () => (JSON.parse(readFileSync(join(s.shadow, STATE_FILE), 'utf8')) as { failures: number }).failures;
    await one.before();
    expect(failures()).toBe(1);
    clock += pauseAfter(1) - 1;
    await one.before();
    await session().before();
    expect(failures()).toBe(1);
    clock += 1;
    await one.before();
    expect(failures()).toBe(2);
    expect(one.warnings).toEqual([]);
    clock += pauseAfter(2);
    await one.before();
    expect(failures()).toBe(3);
    expect(one.warnings).toEqual([expect.stringMatching(/^checkpoint-off: .*3 failures in a row/)]);
    rmSync(s.shadow, { recursive: true });
    clock += 60 * 60_000;
    await one.before();
    expect([existsSync(s.shadow), one.warnings.length]).toEqual([false, 1]);
    await session().before();
    expect((await subjects()).length).toBe(1);
  });

  it('begin to count anew after one that succeeded', async () => {
    change('1');
    const one = session();
    for (let round = 0; round < 2; round++) {
      spoil();
      for (let i = 0; i < 2; i++) {
        await one.before();
        clock += 3600_000;
      }
      rmSync(s.shadow, { recursive: true });
      await one.before();
      clock += 3600_000;
    }
    expect([one.warnings, (await subjects()).length]).toEqual([[], 1]);
  });

  it('that the user stopped count neither as failures nor as taken', async () => {
    change('1');
    const one = session();
    await one.automatic.before('write a.txt', [], AbortSignal.abort());
    await one.before();
    expect((await subjects()).length).toBe(1);
  });

  it('give up at their deadline while another process is busy, which is no failure', async () => {
    change('1');
    await s.create();
    change('2');
    const lock = takeLock(join(s.shadow, LOCK_FILE), 'other');
    const one = session({ env: { ...ENV, CHATCLI_CODER_CHECKPOINT_TIMEOUT: '1' } });
    await one.before();
    expect((await subjects()).length).toBe(1);
    if (lock.held) lock.release();
    clock += 15_000;
    await one.before();
    expect((await subjects()).length).toBe(2);
  });

  it('are off by the switch, while create still works', async () => {
    for (const word of ['0', 'false', 'OFF', 'no']) {
      const one = session({ env: { ...ENV, CHATCLI_CODER_CHECKPOINTS: word } });
      change(word);
      await one.before();
      expect(await subjects()).toEqual([]);
    }
    const off = setup({ env: { ...ENV, CHATCLI_CODER_CHECKPOINTS: 'off' } }, s);
    expect((await off.create()).fresh).toBe(true);
  });

  it('are never taken of home or what holds it: one line, once', async () => {
    const one = session({ roots: [s.base] });
    await one.before();
    clock += 60_000;
    await one.before();
    expect(one.warnings).toEqual([expect.stringMatching(/^checkpoint-excluded: .*home/)]);
    expect(existsSync(join(s.state, 'checkpoints'))).toBe(false);
  });

  it('are silently none without git', async () => {
    const one = session({ env: { PATH: s.base } });
    change('1');
    await one.before();
    expect([one.warnings, existsSync(s.shadow)]).toEqual([[], false]);
  });

  it('are taken of the folder that is written in, and of all before a command', async () => {
    const other = join(s.base, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'o.txt'), 'o');
    change('1');
    const roots = [s.ws, other];
    const both = setup({ roots, now: () => clock }, s).checkpoints;
    const one = session({ roots });
    await one.automatic.before('write', [join(other, 'o.txt')], noSignal());
    expect((await both.list(noSignal())).map((entry) => entry.root)).toEqual([other]);
    clock += 15_000;
    await one.before('exec x');
    expect((await both.list(noSignal())).map((entry) => entry.root).sort()).toEqual([other, s.ws].sort());
  });
});

it('the settings are read as the documentation has them', () => {
  const of = (text: string) => readSettings({ CHATCLI_CODER_CHECKPOINT_TIMEOUT: text });
  expect([readSettings({}).automaticMs, readSettings({}).explicitMs]).toEqual([10_000, 60_000]);
  expect([of('5').automaticMs, of('5').explicitMs]).toEqual([5000, 5000]);
  expect(of('100000').automaticMs).toBe(600_000);
  for (const text of ['', '0', '-3', '1.5', 'ten', '5s', '1e3']) expect(of(text).automaticMs, text).toBe(10_000);
  expect([0, 1, 2, 3, 7, 50].map(pauseAfter)).toEqual([15_000, 30_000, 60_000, 120_000, 1_800_000, 1_800_000]);
});
