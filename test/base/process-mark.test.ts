/** A mark tells a living process from a later one with the same number. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isRunning, ownMark } from '../../src/base/process-mark.js';

describe('a mark of a process', () => {
  it('knows this one, and not one that has ended, begun later or booted elsewhere', () => {
    const own = ownMark();
    expect(isRunning(own)).toBe(true);
    expect(isRunning({ pid: own.pid, start: own.start })).toBe(true);
    expect(isRunning({ pid: process.ppid, start: '' })).toBe(true);
    expect(isRunning({ pid: own.pid, start: '', token: own.token })).toBe(true);
    expect(isRunning({ pid: own.pid, start: '', token: 'another' })).toBe(false);
    expect(isRunning({ pid: spawnSync(process.execPath, ['-e', '']).pid, start: '' })).toBe(false);
    for (const pid of [0, -1, 1.5, Number.NaN]) expect(isRunning({ pid, start: '' })).toBe(false);
    if (own.start === '') return;
    expect(isRunning({ ...own, start: `${own.start}0` })).toBe(false);
    expect(isRunning({ ...own, start: `x${own.start}` })).toBe(false);
  });

  it.runIf(existsSync('/proc/self/stat'))('counts a process that ended and was not collected as gone', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const pid = await new Promise<number>((told) => parent.stdout.once('data', (text: Buffer) => told(Number(text))));
      const state = () => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
      while (state() !== 'Z') await new Promise((turn) => setImmediate(turn));
      expect(isRunning({ pid, start: '' })).toBe(false);
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
