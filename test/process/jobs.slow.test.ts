/** Background jobs on real processes: how they start, print, end, and what is told of them afterwards. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { killAllChildren } from '../../src/process/children.js';
import { createJobs, MOST_JOBS } from '../../src/process/jobs/create-jobs.js';
import { scrubEnv } from '../../src/process/scrub-env.js';
import type { JobInfo, JobPart, JobStart, Jobs } from '../../src/types/job.js';
import { eventually, isAlive } from './node-parent.js';

const base = mkdtempSync(join(tmpdir(), 'jobs-'));
const env = scrubEnv(process.env);
const signal = new AbortController().signal;
let places = 0;

function newJobs(
  more: { readonly logCap?: number; readonly watchMs?: number; readonly state?: string; readonly root?: string } = {},
): Jobs {
  places += 1;
  return createJobs({ scratch: join(base, `scratch${places}`), state: join(base, `state${places}`), root: base, ...more });
}
const jobs = newJobs();
/** Waits for the end of what ends by itself, however slow the machine is. */
const patient = newJobs({ watchMs: 30_000 });
const start = (command: string, more: Partial<JobStart> = {}, on = jobs): Promise<JobInfo> =>
  on.start({ command, cwd: base, env, keep: false, signal, ...more });
const look = (id: string, part: JobPart = { kind: 'new' }, waitMs = 0, on = jobs) => on.look(id, part, { waitMs, signal });
const text = async (id: string, part?: JobPart, waitMs?: number, on?: Jobs) => (await look(id, part, waitMs, on)).output;
const infoOf = async (id: string, on = jobs) => (await on.list()).find((info) => info.id === id) as JobInfo;

afterAll(async () => {
  await killAllChildren();
  // What a failed test kept must not stay.
  const kept = newJobs({ state: join(base, 'kept') });
  for (const info of await kept.list()) await kept.kill(info.id, { signal });
  rmSync(base, { recursive: true, force: true });
});

describe.concurrent('starting', () => {
  it('returns while the command runs, with an id and a log', async () => {
    const info = await start('echo up; pwd; sleep 501');
    expect(info).toMatchObject({
      id: expect.stringMatching(/^j\d+$/),
      state: 'running',
      keep: false,
      leftover: [],
      command: 'echo up; pwd; sleep 501',
    });
    expect(await eventually(() => readFileSync(info.logFile, 'utf8') === `up\n${base}\n`)).toBe(true);
    expect(statSync(info.logFile).mode & 0o077).toBe(0);
    await jobs.kill(info.id, { signal });
  });
  it('tells at once what ends at once', async () => {
    expect(await start('echo broken >&2; exit 3', {}, patient)).toMatchObject({ state: 'ended', exitCode: 3 });
    expect(await start('no-such-program-here', {}, patient)).toMatchObject({ state: 'ended', exitCode: 127 });
    expect(await start('exit 0', {}, patient)).toMatchObject({ state: 'ended', exitCode: 0 });
  });
  it('gives the command no input, no terminal, and keeps the order of its streams', async () => {
    const info = await start(
      'cat; for i in 1 2 3; do echo o$i; echo e$i >&2; done; (exec </dev/tty) 2>/dev/null || echo no tty',
      {},
      patient,
    );
    expect(await text(info.id, { kind: 'all' }, 0, patient)).toBe('o1\ne1\no2\ne2\no3\ne3\nno tty\n');
  });
  it('takes command lines of any length, with quotes, dollars and line ends', async () => {
    const info = await start(`x='${'word '.repeat(60_000)}'; echo \${#x} "$0" 'a $HOME'\ncat <<'E'\nbody $x\nE\n`, {}, patient);
    expect(await text(info.id, { kind: 'all' }, 0, patient)).toMatch(/^300000 \S+ a \$HOME\nbody \$x\n$/);
    const dash = await start('-e', {}, patient);
    expect(dash.exitCode).toBe(127);
  });
  it('starts nothing in a folder that is gone, and leaves nothing', async () => {
    const on = newJobs();
    await expect(start('true', { cwd: join(base, 'nowhere') }, on)).rejects.toMatchObject({ code: 'NotFound' });
    expect(await on.list()).toEqual([]);
    expect(readdirSync(join(base, `scratch${places}`))).toEqual([]);
  });
  it('stops on abort', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const note = join(base, 'aborted-pid');
    await expect(start(`echo $$ > ${note}; sleep 502`, { signal: controller.signal }, patient)).rejects.toMatchObject({
      code: 'Aborted',
    });
    // On a slow machine it may have been stopped before its first word.
    if (existsSync(note)) expect(isAlive(Number(readFileSync(note, 'utf8')))).toBe(false);
    expect((await patient.list()).filter((info) => info.command.includes('sleep 502') && info.state === 'running')).toEqual([]);
  });
});

describe.concurrent('looking', () => {
  it('shows what is new, then what is newer', async () => {
    const gate = join(base, 'gate');
    const { id, logFile } = await start(`echo one; while [ ! -e ${gate} ]; do sleep 0.02; done; echo two; sleep 504`);
    expect(await eventually(() => readFileSync(logFile, 'utf8') === 'one\n')).toBe(true);
    expect(await text(id)).toBe('one\n');
    expect(await text(id)).toBe('');
    writeFileSync(gate, '');
    expect(await eventually(() => readFileSync(logFile, 'utf8').includes('two'))).toBe(true);
    expect(await text(id)).toBe('two\n');
    expect(await text(id, { kind: 'all' })).toBe('one\ntwo\n');
    expect(await look(id, { kind: 'tail', lines: 1 })).toMatchObject({ output: 'two\n', before: 4 });
    expect(await text(id, { kind: 'tail', lines: 99 })).toBe('one\ntwo\n');
    await jobs.kill(id, { signal });
  });
  it('waits for the end, and no longer', async () => {
    const { id } = await start('sleep 0.6; echo late; exit 5');
    const seen = await look(id, { kind: 'new' }, 30_000);
    expect(seen).toMatchObject({ output: 'late\n', info: { state: 'ended', exitCode: 5 } });
    const endless = await start('sleep 505');
    expect((await look(endless.id, { kind: 'new' }, 100)).info.state).toBe('running');
    await jobs.kill(endless.id, { signal });
  });
  it('is stopped by an abort', async () => {
    const { id } = await start('sleep 506');
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const waiting = jobs.look(id, { kind: 'new' }, { waitMs: 60_000, signal: controller.signal });
    await expect(waiting).rejects.toMatchObject({ code: 'Aborted' });
    expect((await infoOf(id)).state).toBe('running');
    await jobs.kill(id, { signal });
  });
  it('keeps a letter whose rest has not come for the next look', async () => {
    const gate = join(base, 'gate2');
    const { id, logFile } = await start(
      `printf 'a\\303'; while [ ! -e ${gate} ]; do sleep 0.02; done; printf '\\251 \\377.'; sleep 507`,
    );
    expect(await eventually(() => statSync(logFile).size === 2)).toBe(true);
    expect(await text(id)).toBe('a');
    writeFileSync(gate, '');
    expect(await eventually(() => statSync(logFile).size > 3)).toBe(true);
    await jobs.kill(id, { signal });
    expect(await text(id)).toMatch(/^é \ufffd\./);
  });
  it('removes colours and NULs, and shows both ends of much', async () => {
    const { id } = await start("printf '\\033[31mred\\033[0m\\000!\\n'; seq 1 400000");
    const all = await look(id, { kind: 'all' }, 20_000);
    expect(all.output.startsWith('red!\n1\n2\n')).toBe(true);
    expect(all.outputEnd.endsWith('\n399999\n400000\n')).toBe(true);
    expect(all.output.length + all.outputEnd.length).toBeLessThan(300_000);
    expect(all.omittedBytes).toBe(all.info.logBytes - all.output.length - all.outputEnd.length - '\u001b[31m\u001b[0m\0'.length);
    expect(await text(id, { kind: 'tail', lines: 3 })).toBe('399998\n399999\n400000\n');
  });
  it('ends the log at its cap, and the command well', async () => {
    const on = newJobs({ logCap: 100_000 });
    const { id } = await start('head -c 3000000 /dev/zero | tr "\\0" x; echo; echo done >&2; exit 4', {}, on);
    const { info } = await look(id, { kind: 'all' }, 20_000, on);
    expect(info).toMatchObject({ state: 'ended', exitCode: 4, logBytes: 99_840, logEndedAt: 99_840 });
  });
  it('knows no other id, and names those there are', async () => {
    await expect(look('j999')).rejects.toMatchObject({ code: 'NotFound', message: expect.stringContaining('jobs: ') });
    await expect(look('../j1')).rejects.toMatchObject({ code: 'NotFound' });
    await expect(newJobs().kill('j1', { signal })).rejects.toMatchObject({ code: 'NotFound' });
  });
});

describe.concurrent('ending', () => {
  it('keeps the exit code, the time, and takes it off the list when asked', async () => {
    const { id, logFile } = await start('sleep 0.4; exit 9');
    await look(id, { kind: 'new' }, 20_000);
    const info = await infoOf(id);
    expect(info).toMatchObject({ state: 'ended', exitCode: 9 });
    expect((info.endedAt as number) - info.startedAt).toBeGreaterThan(200);
    await jobs.forget(id);
    expect(existsSync(logFile)).toBe(false);
    expect(await infoOf(id)).toBeUndefined();
  });
  it('kills the whole group, politely first', async () => {
    const note = join(base, 'asked');
    const { id } = await start(`trap 'echo asked > ${note}; exit 6' TERM; sleep 508 & while :; do sleep 0.05; done`);
    expect(await jobs.kill(id, { signal })).toMatchObject({ state: 'ended', exitCode: 6, endedBy: 'kill', leftover: [] });
    expect(readFileSync(note, 'utf8')).toBe('asked\n');
  });
  it('kills what ignores the polite signal, and what left the group', async (context) => {
    if (process.platform !== 'linux') context.skip('marks are read from /proc');
    const { id, logFile } = await start(
      "trap '' TERM INT HUP; (setsid sh -c 'trap \"\" TERM; echo $$; while :; do sleep 0.1; done' &) ; while :; do sleep 0.1; done",
    );
    expect(await eventually(() => statSync(logFile).size > 1)).toBe(true);
    const stray = Number(await text(id));
    expect(isAlive(stray)).toBe(true);
    const info = await jobs.kill(id, { signal });
    expect(info).toMatchObject({ state: 'ended', exitCode: 137, endedBy: 'kill', leftover: [] });
    expect(isAlive(stray) || isAlive(info.pid)).toBe(false);
  });
  it('names what a job left behind, and kill ends that too', async (context) => {
    if (process.platform !== 'linux') context.skip('marks are read from /proc');
    const info = await start('nohup setsid sleep 509 >/dev/null 2>&1 & echo $!', {}, patient);
    expect(info).toMatchObject({ state: 'ended', exitCode: 0 });
    expect(info.leftover).toHaveLength(1);
    expect(await patient.kill(info.id, { signal })).toMatchObject({ leftover: [], exitCode: 0 });
    expect((await infoOf(info.id, patient)).endedBy).toBeUndefined();
  });
  it('ends at its own deadline', async () => {
    const { id } = await start('echo up; sleep 510', { timeoutMs: 400 });
    const seen = await look(id, { kind: 'new' }, 30_000);
    expect(seen.info).toMatchObject({ state: 'ended', exitCode: 143, endedBy: 'timeout' });
  });
  it('tells a job that vanished from one that ended', async () => {
    const info = await start('sleep 511');
    process.kill(-info.pid, 'SIGKILL');
    expect(await eventually(() => !isAlive(info.pid))).toBe(true);
    const lost = await infoOf(info.id);
    expect(lost.state).toBe('lost');
    expect(lost.exitCode).toBeUndefined();
  });
});

describe('all jobs of a run', () => {
  it('runs so many and no more', async () => {
    const on = newJobs();
    const started = await Promise.allSettled(Array.from({ length: MOST_JOBS + 3 }, () => start('sleep 503', {}, on)));
    expect(started.filter((one) => one.status === 'fulfilled')).toHaveLength(MOST_JOBS);
    expect(started.find((one) => one.status === 'rejected')?.reason).toMatchObject({ code: 'Failed' });
    await on.kill('j1', { signal });
    expect((await start('sleep 503', {}, on)).state).toBe('running');
    await killAllChildren();
    expect((await on.list()).filter((info) => info.state === 'running')).toEqual([]);
  });
  it('ends with the run', async () => {
    const on = newJobs();
    const info = await start("trap '' HUP; (sleep 512 &) ; sleep 513", {}, on);
    await killAllChildren();
    const ended = await infoOf(info.id, on);
    expect(ended).toMatchObject({ state: 'ended', leftover: [] });
  });
});

describe('kept jobs', () => {
  const state = join(base, 'kept');
  const first = newJobs({ state });

  it('outlive the end of a run and are found by the next one in the same workspace', async () => {
    const info = await start('echo kept; sleep 514', { keep: true }, first);
    expect(info).toMatchObject({ id: 'k1', keep: true, state: 'running' });
    expect(info.logFile.startsWith(state)).toBe(true);
    await killAllChildren();
    expect(isAlive(info.pid)).toBe(true);
    const later = newJobs({ state });
    expect(await later.list()).toMatchObject([{ id: 'k1', state: 'running', command: 'echo kept; sleep 514' }]);
    expect(await eventually(() => readFileSync(info.logFile, 'utf8') === 'kept\n')).toBe(true);
    expect(await text('k1', { kind: 'new' }, 0, later)).toBe('kept\n');
    expect(await newJobs({ state, root: '/elsewhere' }).list()).toEqual([]);
    expect(await later.kill('k1', { signal })).toMatchObject({ state: 'ended', exitCode: 143, endedBy: 'kill' });
    expect(await first.list()).toMatchObject([{ id: 'k1', state: 'ended', exitCode: 143 }]);
  });
  it('never takes a number twice', async () => {
    const started = await Promise.all([
      start('sleep 515', { keep: true }, first),
      start('sleep 515', { keep: true }, newJobs({ state })),
    ]);
    expect(new Set(['k1', ...started.map((info) => info.id)]).size).toBe(3);
    for (const info of started) await first.kill(info.id, { signal });
  });
  it('is never mistaken for a process that got its number', async () => {
    const info = await start('sleep 516', { keep: true }, first);
    await first.kill(info.id, { signal });
    const victim = await start('sleep 517');
    const folder = join(state, 'jobs', info.id);
    rmSync(join(folder, 'exit'));
    const record = JSON.parse(readFileSync(join(folder, 'job.json'), 'utf8'));
    writeFileSync(join(folder, 'job.json'), JSON.stringify({ ...record, process: { ...record.process, pid: victim.pid } }));
    const later = newJobs({ state });
    expect((await infoOf(info.id, later)).state).not.toBe('running');
    await later.kill(info.id, { signal });
    writeFileSync(join(folder, 'job.json'), JSON.stringify({ ...record, process: { pid: victim.pid, start: '' } }));
    await later.kill(info.id, { signal });
    expect(isAlive(victim.pid)).toBe(true);
    await jobs.kill(victim.id, { signal });
  });
  it('passes over records that are damaged, and drops those that ended long ago', async () => {
    const info = await start('exit 1', { keep: true }, newJobs({ state, watchMs: 30_000 }));
    for (const content of ['', '{', 'null', '[]', '{"id":"k9","command":7}', JSON.stringify({ id: info.id })])
      for (const name of ['k77', 'x', 'k0', 'k1e3']) {
        const folder = join(state, 'jobs', name);
        rmSync(folder, { recursive: true, force: true });
        writeFolder(folder, content);
        expect((await first.list()).map((one) => one.id)).not.toContain(name);
      }
    const record = join(state, 'jobs', info.id, 'job.json');
    const old = { ...JSON.parse(readFileSync(record, 'utf8')), startedAt: 0 };
    writeFileSync(record, JSON.stringify(old));
    utimesSync(join(state, 'jobs', info.id, 'exit'), 0, 0);
    expect((await first.list()).map((one) => one.id)).not.toContain(info.id);
    expect(existsSync(join(state, 'jobs', info.id))).toBe(false);
  });
  it('drops those of other workspaces too, and folders of starts that came to no end', async () => {
    const own = join(base, 'pruned');
    const there = newJobs({ state: own, root: '/elsewhere', watchMs: 30_000 });
    const ended = await start('exit 0', { keep: true }, there);
    const far = await start('exit 0', { keep: true }, there);
    const fresh = await start('exit 0', { keep: true }, there);
    const folder = (id: string) => join(own, 'jobs', id);
    const edit = (id: string, change: (record: { process: object }) => object) => {
      const file = join(folder(id), 'job.json');
      const record = JSON.parse(readFileSync(file, 'utf8'));
      writeFileSync(file, JSON.stringify({ ...record, ...change(record) }));
    };
    const twoWeeksAgo = Date.now() - 14 * 24 * 3600_000;
    for (const info of [ended, far]) {
      edit(info.id, () => ({ startedAt: twoWeeksAgo }));
      utimesSync(join(folder(info.id), 'exit'), twoWeeksAgo / 1000, twoWeeksAgo / 1000);
    }
    edit(far.id, (record) => ({ process: { ...record.process, pid: 7, start: 'b0ot:1', place: 'another-host pid:[1]' } }));
    for (const name of ['k50', 'k51', 'mine']) mkdirSync(folder(name));
    for (const name of ['k50', 'mine']) utimesSync(folder(name), twoWeeksAgo / 1000, twoWeeksAgo / 1000);
    await newJobs({ state: own }).list();
    expect(readdirSync(join(own, 'jobs')).sort()).toEqual([far.id, fresh.id, 'k51', 'mine'].sort());
  });
  it('are found by what their supervisor noted, and are written down before they run', async () => {
    const own = join(base, 'noted');
    const info = await start(`cat ${join(own, 'jobs')}/k1/job.json; sleep 518`, { keep: true }, newJobs({ state: own }));
    const later = newJobs({ state: own });
    expect(await later.list()).toMatchObject([{ id: 'k1', state: 'running', pid: info.pid }]);
    expect(await eventually(() => readFileSync(info.logFile, 'utf8').includes('"id":"k1"'))).toBe(true);
    expect(await later.kill('k1', { signal })).toMatchObject({ state: 'ended', exitCode: 143, endedBy: 'kill' });
  });
  it('knows the cap of its log in a later run', async () => {
    const own = join(base, 'capped');
    const info = await start('yes | head -c 20000', { keep: true }, newJobs({ state: own, logCap: 8192, watchMs: 30_000 }));
    expect(info.logEndedAt).toBe(8192);
    const later = newJobs({ state: own });
    writeFileSync(info.logFile, 'x'.repeat(9000));
    expect((await infoOf('k1', later)).logEndedAt).toBe(8192);
  });
});

it('a job ends although it cannot be noted why', async () => {
  const info = await start('sleep 519');
  // A folder in the way of the note: as a full disk, it takes no file of that name.
  mkdirSync(join(info.logFile, '..', 'ended-by.new'));
  expect(await jobs.kill(info.id, { signal })).toMatchObject({ state: 'ended', exitCode: 143 });
  expect(isAlive(info.pid)).toBe(false);
});

function writeFolder(folder: string, content: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'job.json'), content);
}
