/** A command that prints a gigabyte, through the real program: bounded memory, a log that ends at its cap and says so. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { killAllChildren } from '../../src/process/children.js';
import { createJobs } from '../../src/process/jobs/create-jobs.js';
import { LOG_CAP } from '../../src/process/log-file.js';
import { scrubEnv } from '../../src/process/scrub-env.js';
import { makePlace, type Place, runProgram } from '../helpers/run-program.js';

const GIGABYTE = "head -c 1000000000 /dev/zero | tr '\\0' 'x' | fold -w 100";
let place: Place | undefined;
afterEach(async () => {
  await killAllChildren();
  place?.remove();
});

/** Highest resident memory of a process so far, in megabytes. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

it('exec stays below 200 MB', { timeout: 180_000 }, async (context) => {
  if (process.platform !== 'linux') context.skip('memory is read from /proc');
  place = makePlace();
  let peak = 0;
  const args = [
    'tool',
    '@coder',
    '--json',
    '--',
    JSON.stringify({ cmd: 'exec', args: { cmd: `${GIGABYTE}; echo; echo last >&2; exit 7` } }),
  ];
  const ran = await runProgram(args, {
    place,
    onStart(child) {
      const timer = setInterval(() => {
        peak = Math.max(peak, peakOf(child.pid as number));
      }, 20);
      child.on('exit', () => clearInterval(timer));
    },
  });
  const result = ran.json() as { isError: boolean; errorCode: string; output: string };
  expect(result).toMatchObject({ isError: true, errorCode: 'ExitCode:7' });
  expect(result.output.length).toBeLessThanOrEqual(30_000);
  expect(result.output).toMatch(/\nlast\nexit code: 7, /);
  const [, bytes, log = ''] =
    /only the first (\d+) bytes of the output \(the limit of a log\) are in (\S+)\]/.exec(result.output) ?? [];
  expect(Number(bytes)).toBe(LOG_CAP);
  expect(statSync(log).size).toBeLessThan(LOG_CAP + 200);
  expect(readFileSync(log).subarray(LOG_CAP).toString()).toContain('[log ends here');
  expect(peak).toBeGreaterThan(20);
  expect(peak).toBeLessThan(200);
});

it('a background job keeps to the cap of its log and ends well', { timeout: 180_000 }, async () => {
  place = makePlace();
  const jobs = createJobs({ scratch: join(place.home, 'scratch'), state: join(place.home, 'state'), root: place.workspace });
  const signal = new AbortController().signal;
  const start = { cwd: place.workspace, env: scrubEnv(process.env), keep: false, signal };
  const { id } = await jobs.start({ ...start, command: `${GIGABYTE}; exit 7` });
  for (let round = 0; round < 3; round++) await jobs.look(id, { kind: 'new' }, { waitMs: 60_000, signal });
  const { info, output, outputEnd } = await jobs.look(id, { kind: 'all' }, { waitMs: 0, signal });
  expect(info).toMatchObject({ state: 'ended', exitCode: 7, logBytes: LOG_CAP, logEndedAt: LOG_CAP });
  expect(output.length + outputEnd.length).toBeLessThan(300_000);
});
