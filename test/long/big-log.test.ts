/** A log of 2 GB: read and search stay small, our process and ripgrep together. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '../helpers/program.js';
import { makePlace, type Place } from '../helpers/run-program.js';

const LIMIT_KB = 200 * 1024;
const SIZE = 2_000_000_000;
let place: Place;
let main = '';
let lines = 0;

beforeAll(async () => {
  main = await program();
  place = makePlace();
  const rows = Array.from(
    { length: 400_000 },
    (_, i) => `2026-01-01T00:00:${i % 60} level=info request id=${i} handled in 12 ms\n`,
  );
  const block = Buffer.from(rows.join(''));
  const fd = openSync(join(place.workspace, 'big.log'), 'w');
  for (let written = 0; written < SIZE; written += block.length) {
    writeSync(fd, block);
    lines += rows.length;
  }
  writeSync(fd, 'the very last line holds a NEEDLE\n');
  lines++;
  closeSync(fd);
}, 300_000);
afterAll(() => place.remove());

/** Highest memory in KB of a process and of the programs it started, as the system counts it. */
function peakOf(pid: number): number {
  try {
    const own = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean);
    return own + children.reduce((sum, child) => sum + peakOf(Number(child)), 0);
  } catch {
    return 0;
  }
}

async function call(args: object): Promise<{ output: string; peak: number }> {
  const env = { PATH: process.env.PATH ?? '', HOME: place.home };
  const child: ChildProcess = spawn(process.execPath, [main, 'tool', '@coder', '--', JSON.stringify(args)], {
    cwd: place.workspace,
    env,
  });
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, peakOf(child.pid ?? 0))), 10);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  return { output, peak };
}

describe('a log of 2 GB', () => {
  it.for([
    ['its end', { cmd: 'read', args: { file: 'big.log', tail: 20 } }, () => /NEEDLE/],
    ['a place deep in it', { cmd: 'read', args: { file: 'big.log', start: 20_000_000, end: 20_000_002 } }, () => /20000002 \|/],
    ['its beginning', { cmd: 'read', args: { file: 'big.log' } }, () => /continue with --start/],
    ['one hit', { cmd: 'search', args: { term: 'needle' } }, () => new RegExp(`> *${lines} \\| the very last line`)],
    ['too many hits', { cmd: 'search', args: { term: 'level=info' } }, () => /first 100 matches/],
    ['a pattern', { cmd: 'search', args: { term: 'NEE.*E$', regex: true, dir: 'big.log' } }, () => new RegExp(`> *${lines} \\|`)],
    ['lines', { cmd: 'search', args: { term: 'a\nNEEDLE' } }, () => /No matches/],
  ] as const)('%s', { timeout: 120_000 }, async ([, args, wanted], context) => {
    if (!existsSync('/proc/self/status')) context.skip('memory is measured through /proc, which is not there');
    const { output, peak } = await call(args);
    expect(output).toMatch(wanted());
    expect(peak).toBeGreaterThan(20_000);
    expect(peak).toBeLessThan(LIMIT_KB);
  });
});
