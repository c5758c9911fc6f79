/** Commands and jobs that run in the sandbox of a session: as ever, and with what the sandbox has to say. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { killAllChildren } from '../../../src/process/children.js';
import type { CommandOptions, CommandOutcome } from '../../../src/process/command-types.js';
import { createJobs } from '../../../src/process/jobs/create-jobs.js';
import { describeEnd, endCode } from '../../../src/process/outcome-text.js';
import { runCommand } from '../../../src/process/run-command.js';
import {
  openSessionSandbox,
  type SessionSandbox,
  type SessionSandboxOptions,
} from '../../../src/process/sandbox/session-sandbox.js';
import { type Confinement, makeConfinement, whyNot } from './confined.js';

const reason = await whyNot();
const places: Confinement[] = [];
afterAll(async () => {
  await killAllChildren();
  for (const place of places) place.remove();
});

const real = (name: string, run: () => Promise<void>) =>
  it(name, async (context) => {
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    await run();
  });

interface Session {
  readonly place: Confinement;
  readonly box: SessionSandbox;
  readonly missing: string[];
  readonly notes: string[];
  run(command: string, extra?: Partial<CommandOptions>): Promise<CommandOutcome>;
}

function session(extra: Partial<SessionSandboxOptions> = {}): Session {
  const place = makeConfinement();
  places.push(place);
  const missing: string[] = [];
  const notes: string[] = [];
  const box = openSessionSandbox({
    mode: 'auto',
    roots: [place.workspace],
    home: place.home,
    state: place.state,
    temp: tmpdir(),
    uid: process.getuid?.() ?? -1,
    readable: [],
    writable: [],
    env: place.env,
    platform: process.platform,
    canOffer: false,
    onMissing: (why) => missing.push(why),
    onNote: (note) => notes.push(note),
    ...extra,
  });
  const base = { cwd: place.workspace, env: place.env, signal: new AbortController().signal, timeoutMs: 20_000, sandbox: box };
  return { place, box, missing, notes, run: (command, more) => runCommand({ ...base, ...more, command } as CommandOptions) };
}

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}

/** Places below a folder that this process holds open. */
const heldIn = (folder: string) =>
  readdirSync('/proc/self/fd').filter((name) => linkOf(`/proc/self/fd/${name}`).startsWith(folder)).length;

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

async function eventually(condition: () => boolean): Promise<boolean> {
  for (let i = 0; i < 250 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 20));
  return condition();
}

describe('a command', () => {
  real('ends as ever, in the folder it is given, with nothing left open', async () => {
    const { place, run } = session();
    mkdirSync(join(place.workspace, 'sub'));
    const done = await run('pwd; exit 7', { cwd: join(place.workspace, 'sub') });
    expect(done).toMatchObject({ exitCode: 7, output: `${place.workspace}/sub\n`, leftover: [], sandbox: { planted: [] } });
    execFileSync('git', ['init', '-q'], { cwd: place.workspace, env: place.env });
    await run('true');
    expect(heldIn(place.workspace)).toBe(0);
  });

  real('tells a death by signal as a shell does', async () => {
    const outcome = await session().run('kill -KILL $$');
    expect(endCode(outcome)).toBe('ExitCode:137');
    expect(describeEnd(outcome, 1)).toMatch(/^exit code: 137 \(as after signal KILL\), /);
  });

  real('is ended at its deadline and by an abort, with all it started', async () => {
    const { place, run } = session();
    const pids = () => readFileSync(join(place.workspace, 'pids'), 'utf8').trim().split('\n').length;
    const late = await run('sleep 611 & sleep 612 & jobs -p > pids; wait', { timeoutMs: 700, graceMs: 200 });
    expect(late).toMatchObject({ exitCode: null, timedOut: true, leftover: [] });
    expect(pids()).toBe(2);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 600);
    const stopped = await run('touch "$HOME/x"; sleep 613', { signal: abort.signal });
    expect(stopped).toMatchObject({ exitCode: null, aborted: true });
    expect(stopped.sandbox).toEqual({ planted: [] });
    const sleepers = () =>
      readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && /^sleep\0(611|612|613)\0/.test(read(`/proc/${pid}/cmdline`)));
    expect(await eventually(() => sleepers().length === 0)).toBe(true);
  });

  real('names what it left running, not the sandbox around it', async () => {
    const { run } = session();
    const outcome = await run('sleep 621 & echo started');
    expect(outcome.leftover).toHaveLength(1);
    expect(read(`/proc/${outcome.leftover[0]}/cmdline`)).toBe('sleep\u0000621\u0000');
    const hidden = await run('env -i setsid sleep 622 >/dev/null 2>&1 & echo');
    expect(hidden.leftover.length).toBeGreaterThan(0);
    await killAllChildren();
    expect(await eventually(() => [...outcome.leftover, ...hidden.leftover].every((pid) => !isAlive(pid)))).toBe(true);
  });

  real('may be longer than an argument, wherever its script lies', async () => {
    const { place } = session();
    const inState = join(place.state, 'tmp');
    mkdirSync(inState);
    const { run } = session({ state: place.state, home: place.home, roots: [place.workspace] });
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = inState;
    try {
      const outcome = await run(`: ${'x'.repeat(200_000)}\necho long`, { cwd: place.workspace });
      expect(outcome).toMatchObject({ exitCode: 0, output: 'long\n' });
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });

  real('says what was refused, also when it was written to standard error alone', async () => {
    const { run } = session();
    for (const streams of ['merged', 'split'] as const) {
      const outcome = await run('touch "$HOME/x"', { streams });
      expect(outcome.sandbox?.refusal).toMatchObject({ kind: 'read-only', text: expect.stringContaining('~/x is read-only') });
    }
  });

  real('read-only: the workspace too', async () => {
    const { run } = session();
    expect((await run('touch x', { confine: { readOnly: true } })).exitCode).toBe(1);
    expect((await run('touch x')).exitCode).toBe(0);
  });

  real('cannot redirect git: what it plants is gone afterwards, and said', async () => {
    const { place, run } = session();
    execFileSync('git', ['init', '-q'], { cwd: place.workspace, env: place.env });
    const outcome = await run('echo ../evil > .git/commondir');
    expect(outcome.sandbox?.planted).toHaveLength(1);
    expect(existsSync(join(place.workspace, '.git/commondir'))).toBe(false);
  });

  real('what stays in the background cannot do it later either', async () => {
    const { place, run, box } = session();
    execFileSync('git', ['init', '-q'], { cwd: place.workspace, env: place.env });
    const planted = join(place.workspace, '.git/commondir');
    await run('(while [ ! -e go ]; do sleep 0.05; done; echo ../evil > .git/commondir; touch done; sleep 631) & echo');
    writeFileSync(join(place.workspace, 'go'), '');
    expect(await eventually(() => existsSync(join(place.workspace, 'done')))).toBe(true);
    expect(existsSync(planted)).toBe(true);
    expect((await run('ls .git/commondir')).output).toContain('No such file');
    writeFileSync(planted, '../evil\n');
    await killAllChildren();
    box.close();
    expect(existsSync(planted)).toBe(false);
  });

  it('runs as ever where it is switched off, and nothing is said', async () => {
    const { missing, run, place } = session({ mode: 'off' });
    const outcome = await run('touch "$HOME/x"');
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome.sandbox).toBeUndefined();
    expect(existsSync(join(place.home, 'x'))).toBe(true);
    expect(missing).toEqual([]);
  });

  it('runs without one where none works, which is said once; strict refuses', async () => {
    const none = session({ platform: 'win32' });
    for (let i = 0; i < 2; i++) expect(await none.run('echo ran')).toMatchObject({ exitCode: 0, output: 'ran\n' });
    expect(none.missing).toEqual(['there is no sandbox for Windows']);
    const strict = session({ platform: 'win32', mode: 'strict' });
    await expect(strict.run('touch ran')).rejects.toMatchObject({ code: 'Blocked' });
    expect(existsSync(join(strict.place.workspace, 'ran'))).toBe(false);
    expect(strict.missing).toEqual([]);
  });
});

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

describe('a job', () => {
  const jobsOf = ({ place }: Session) => {
    const scratch = join(place.state, 'scratch');
    mkdirSync(scratch, { recursive: true });
    return createJobs({ scratch, state: place.state, root: place.workspace, watchMs: 2000 });
  };
  const startOf = ({ place, box }: Session, command: string, keep = false) => ({
    command,
    cwd: place.workspace,
    env: place.env,
    keep,
    signal: new AbortController().signal,
    sandbox: box,
  });
  const signal = new AbortController().signal;

  for (const keep of [false, true])
    real(`${keep ? 'kept' : 'of the run'}: confined, its end noted, a long command line too`, async () => {
      const at = session();
      // More places to hand over than a shell has descriptors of one digit.
      for (const name of ['.', 'a', 'b', 'c', 'd'])
        execFileSync('git', ['init', '-q', name], { cwd: at.place.workspace, env: at.place.env });
      const jobs = jobsOf(at);
      const command = `: ${'x'.repeat(150_000)}\ntouch "$HOME/x" || exit 5`;
      const info = await jobs.start(startOf(at, command, keep));
      expect(info).toMatchObject({ state: 'ended', exitCode: 5, leftover: [] });
      const look = await jobs.look(info.id, { kind: 'all' }, { waitMs: 0, signal });
      expect(look.sandbox?.refusal?.text).toContain('~/x is read-only here');
      expect(existsSync(join(at.place.home, 'x'))).toBe(false);
    });

  real('is killed with all it started, the sandbox with it', async () => {
    const at = session();
    const jobs = jobsOf(at);
    const info = await jobs.start(startOf(at, 'sleep 641 & env -i setsid sleep 642 & echo up; wait'));
    expect(info.state).toBe('running');
    const sleepers = () =>
      readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && /^sleep\0(641|642)\0/.test(read(`/proc/${pid}/cmdline`)));
    expect(await eventually(() => sleepers().length === 2)).toBe(true);
    const look = await jobs.look(info.id, { kind: 'all' }, { waitMs: 0, signal });
    expect(look).toMatchObject({ output: 'up\n', sandbox: { planted: [] } });
    const ended = await jobs.kill(info.id, { signal });
    expect(ended).toMatchObject({ state: 'ended', endedBy: 'kill', leftover: [] });
    expect(await eventually(() => sleepers().length === 0)).toBe(true);
  });
});
