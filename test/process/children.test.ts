/** Children end with us, also when we are killed without a word. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createJobs } from '../../src/process/jobs/create-jobs.js';
import { build, eventually, folder, isAlive, parent } from './node-parent.js';

const RUNNING = `let text = '';
run('sleep 401 & setsid sleep 402 & trap "" TERM HUP; (sleep 403) & echo $! $$; while :; do sleep 0.2; done', {
  onOutput: (chunk) => { text += chunk; if (text.includes('\\n')) { say(text.trim().split(' ')); text = ''; } },
});`;

describe('children', async () => {
  const module = await build();

  it.each(['SIGKILL', 'SIGTERM'] as const)('die when we get %s', async (signal) => {
    const started = await parent(module, RUNNING);
    expect(started.pids.length).toBe(2);
    expect(started.pids.every(isAlive)).toBe(true);
    started.kill(signal);
    await started.ended;
    expect(await eventually(() => !started.pids.some(isAlive))).toBe(true);
  });

  it('die although they left the group and the session', async (context) => {
    if (process.platform !== 'linux') context.skip('marks are read from /proc');
    const started = await parent(
      module,
      `const o = await run('setsid sh -c "echo \\\\$\\\\$; exec sleep 404" & sleep 0.3');\nsay([Number(o.output)]);\nsetInterval(() => {}, 1000);`,
    );
    expect(started.pids.every(isAlive)).toBe(true);
    started.kill('SIGKILL');
    await started.ended;
    expect(await eventually(() => !started.pids.some(isAlive))).toBe(true);
  });

  it('jobs die with us, kept ones do not', async () => {
    const started = await parent(
      module,
      `const jobs = createJobs({ scratch: ${JSON.stringify(join(folder, 's'))}, state: ${JSON.stringify(join(folder, 'st'))}, root: '/' });
const start = (keep) => jobs.start({ command: "trap '' TERM HUP; (setsid sleep 406 &) ; while :; do sleep 0.2; done", cwd: '/', env: { PATH: process.env.PATH }, keep, signal: new AbortController().signal });
const [a, b] = [await start(false), await start(true)];
say([a.pid, b.pid]);
setInterval(() => {}, 1000);`,
    );
    const [job, kept] = started.pids as [number, number];
    expect(started.pids.every(isAlive)).toBe(true);
    started.kill('SIGKILL');
    await started.ended;
    expect(await eventually(() => !isAlive(job))).toBe(true);
    const later = createJobs({ scratch: join(folder, 's2'), state: join(folder, 'st'), root: '/' });
    expect(await later.list()).toMatchObject([{ id: 'k1', state: 'running', pid: kept }]);
    const ended = await later.kill('k1', { signal: new AbortController().signal });
    expect(ended).toMatchObject({ state: 'ended', leftover: [] });
    expect(isAlive(kept)).toBe(false);
  });

  it('do not keep us alive, and end when we end', async () => {
    const started = await parent(module, `const o = await run('sleep 405 & echo $!');\nsay([Number(o.output)]);`);
    expect(await started.ended).toBe(0);
    expect(await eventually(() => !started.pids.some(isAlive))).toBe(true);
  });

  it('are asked before they are killed', async () => {
    const note = join(folder, 'asked');
    const started = await parent(
      module,
      `const o = await run(${JSON.stringify(`(trap 'echo asked > ${note}; exit' TERM; echo up; while :; do sleep 0.05; done) & sleep 0.3`)});
say(o.leftover);
await killAllChildren({ graceMs: 5000 });`,
    );
    await started.ended;
    expect(readFileSync(note, 'utf8')).toBe('asked\n');
    expect(started.pids.some(isAlive)).toBe(false);
  });
});
