/** @proc and `exec` with `background`, together as a model uses them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { killAllChildren } from '../../../src/process/children.js';
import { createJobs } from '../../../src/process/jobs/create-jobs.js';
import { callFromUser } from '../../../src/protocol/user-call.js';
import { validateArgs } from '../../../src/protocol/validate.js';
import { procAtom } from '../../../src/tools/atoms/proc.js';
import { execTool } from '../../../src/tools/coder/exec.js';
import type { JsonObject } from '../../../src/types/json.js';
import type { ToolContext } from '../../../src/types/tool.js';
import { eventually } from '../../process/node-parent.js';
import { plainContext } from '../coder/plain-context.js';

const { root, context } = plainContext();
const exec = (cmd: string, more: JsonObject = {}) => execTool.run({ cmd, background: true, ...more }, context);
const proc = async (args: JsonObject) => {
  expect(validateArgs(procAtom, args)).toBeUndefined();
  return procAtom.run(args, context);
};
/** The same where what ends by itself is always waited for, however slow the machine is. */
const jobs = createJobs({ scratch: context.host.scratch, state: join(context.host.scratch, 'patient'), root, watchMs: 30_000 });
const patient: ToolContext = { ...context, host: { ...context.host, jobs } };
const execToEnd = (cmd: string) => execTool.run({ cmd, background: true }, patient);
const idOf = (output: string): string => /^id: (\S+)$/m.exec(output)?.[1] as string;

afterAll(() => killAllChildren());

describe('exec in the background', () => {
  it('answers at once with id, log and what to do next', async () => {
    const result = await exec('echo up; sleep 521');
    expect(result.isError).toBe(false);
    expect(result.output).toMatch(
      /^\$ echo up; sleep 521\nid: j1\nlog: \S+\/output\.log\nRunning in the background \(pid \d+\)\. It ends with this run\. @proc \{"cmd":"output","args":\{"id":"j1"\}\} shows its output; kill ends it\.$/,
    );
    const log = /^log: (.+)$/m.exec(result.output)?.[1] as string;
    expect(log.startsWith(context.host.scratch)).toBe(true);
    expect(await eventually(() => readFileSync(log, 'utf8') === 'up\n')).toBe(true);
    await proc({ cmd: 'kill', id: 'j1' });
  });
  it('tells a failure at once, with its output and without an id', async () => {
    const result = await execToEnd('echo no such port >&2; exit 7');
    expect(result).toMatchObject({ isError: true, code: 'ExitCode:7', display: { kind: 'process', exitCode: 7 } });
    expect(result.output).toMatch(
      /^\$ .+\nno such port\nended, exit code 7: it ended \d+\.\d s after its start and is not in the background$/,
    );
    expect((await procAtom.run({}, patient)).output).toBe('no background jobs');
    expect(await execToEnd('true')).toMatchObject({
      isError: false,
      output: expect.stringContaining('(no output)\nended, exit code 0'),
    });
    expect(await execToEnd('no-such-program-here')).toMatchObject({ code: 'ExitCode:127' });
    expect((await execToEnd('kill -SEGV $$')).output).toContain('exit code 139 (as after signal SEGV)');
  });
  it('starts in dir, obeys timeout, and names both bounds', async () => {
    const result = await exec('sleep 522', { timeout: 0.4 });
    expect(result.output).toContain('It ends with this run or after 0.4 s.');
    const seen = await proc({ cmd: 'output', id: idOf(result.output), wait: 30 });
    expect(seen.output).toContain('ended, killed at its timeout, exit code 143 (as after signal TERM)');
    await expect(exec('true', { dir: '..' })).rejects.toMatchObject({ code: 'OutsideWorkspace' });
  });
  it('wants background with keep, and no timeout', async () => {
    await expect(execTool.run({ cmd: 'ls', keep: true }, context)).rejects.toMatchObject({ code: 'InvalidArgs' });
    await expect(exec('ls', { keep: true, timeout: 5 })).rejects.toMatchObject({ code: 'InvalidArgs' });
    const kept = await exec('sleep 523', { keep: true });
    expect(kept.output).toContain('It is kept: it goes on after this run');
    expect((await proc({ cmd: 'list' })).output).toMatch(/^k1 {2}running, started \d+\.\d s ago, kept: sleep 523$/m);
    expect((await proc({ cmd: 'kill', id: 'k1' })).output).toMatch(/^k1: ended, killed, exit code 143/);
  });
  it('says so where there are no jobs', async () => {
    const { jobs: _jobs, ...host } = context.host;
    await expect(execTool.run({ cmd: 'ls', background: true }, { ...context, host })).rejects.toMatchObject({ code: 'Failed' });
    expect(await procAtom.run({}, { ...context, host })).toMatchObject({ isError: true, code: 'Failed' });
  });
});

describe('@proc', () => {
  it('lists state, age, exit code and command; shows new output; kills', async () => {
    const gate = join(root, 'gate');
    const id = idOf((await exec(`echo one; while [ ! -e '${gate}' ]; do sleep 0.02; done; echo two; exit 4`)).output);
    expect((await proc({ cmd: 'list' })).output).toMatch(
      new RegExp(`^${id} {2}running, started \\d+\\.\\d s ago: echo one; while`, 'm'),
    );
    expect((await proc({ cmd: 'output', id })).output).toMatch(new RegExp(`^one\\n${id}: running, started \\d+\\.\\d s ago$`));
    expect((await proc({ cmd: 'output', id })).output).toMatch(/^\(no new output\)\n/);
    writeFileSync(gate, '');
    const last = await proc({ cmd: 'output', id, wait: 30 });
    expect(last.isError).toBe(false);
    expect(last.output).toMatch(new RegExp(`^two\\n${id}: ended, exit code 4, started`));
    expect((await proc({ cmd: 'output', id, all: true })).output).toMatch(/^one\ntwo\n/);
    expect((await proc({ id, tail: 1 })).output).toMatch(/^\.\.\. \[4 bytes before; the log is \S+\] \.\.\.\ntwo\n/);
    expect((await proc({ cmd: 'list' })).output).toMatch(new RegExp(`^${id} {2}ended, exit code 4 after \\d`, 'm'));
    expect((await proc({ cmd: 'kill', id })).output).toBe(`${id} runs no more: ended, exit code 4`);
  });
  it('keeps to its limit and names the log', async () => {
    const id = idOf((await exec('seq 1 200000; sleep 524')).output);
    const { output } = await proc({ cmd: 'output', id });
    expect(output.length).toBeLessThanOrEqual(procAtom.limit);
    expect(output).toMatch(/^1\n2\n/);
    expect(output).toMatch(/bytes left out; the whole output is in \S+output\.log\]/);
    expect(output).toMatch(/\n200000\nj\d+: running/);
    await proc({ cmd: 'kill', id });
  });
  it('names what a job left running, and ends that', async (skippable) => {
    if (process.platform !== 'linux') skippable.skip('marks are read from /proc');
    const started = await execToEnd('nohup setsid sleep 525 >/dev/null 2>&1 &');
    const id = idOf(started.output);
    expect(started.output).toMatch(/\nended, exit code 0; left running: pid \d+\nRunning in the background/);
    expect((await procAtom.run({ cmd: 'kill', id }, patient)).output).toBe(`${id}: ended, exit code 0`);
  });
  it('refuses what does not fit, with what would', async () => {
    const said = async (args: JsonObject) => (await proc(args)).output;
    expect(await said({ cmd: 'output', id: 'j99' })).toMatch(/^error \[NotFound\]: there is no job "j99"; jobs: j1/);
    expect(await said({ cmd: 'output' })).toContain('at /id: is missing');
    expect(await said({ id: 'j1' })).toContain('at /cmd: is missing: "output" shows what the job printed, "kill" ends it');
    expect(await said({ cmd: 'output', id: 'j1', tail: 1, all: true })).toContain('exclude each other');
    expect(await said({ cmd: 'kill', id: 'j1', wait: 1 })).toContain('at /wait: belongs to output, not to kill');
    expect(await said({ cmd: 'list', id: 'j1' })).toContain('at /id: is not for list');
    const wrong: JsonObject[] = [
      { cmd: 'start' },
      { cmd: 'output', id: 'j1', wait: 61 },
      { cmd: 'output', id: 'j1', tail: 0 },
      { id: 7 },
    ];
    for (const bad of wrong) expect(validateArgs(procAtom, bad)).toBeDefined();
  });
  it('only reads, except for kill', () => {
    const looks: JsonObject[] = [{}, { cmd: 'list' }, { cmd: 'output', id: 'j1' }, { id: 'j1' }];
    for (const args of looks) expect(procAtom.facts(args)).toMatchObject({ readOnly: true, order: 'overlap' });
    expect(procAtom.facts({ cmd: 'kill', id: 'j1' })).toMatchObject({
      readOnly: false,
      order: 'alone',
      label: { verb: 'call', object: '@proc kill j1' },
    });
  });
  it('what only the operator sets is no argument of exec', () => {
    const tools = [execTool];
    const said = (...words: string[]) => callFromUser('@coder', words, { tools, agent: 'main', nextId: () => 'u1' });
    for (const call of [
      said('{"cmd":"exec","args":{"cmd":"ls","allow-unsafe":true}}'),
      said('{"cmd":"exec","args":{"cmd":"ls","allowSudo":true}}'),
      said('exec', '--cmd', 'ls', '--allow-sudo'),
    ])
      expect(call).toMatchObject({
        ok: false,
        code: 'InvalidArgs',
        message: expect.stringContaining('only the operator widens'),
      });
  });
  it('is reached in every form of a call', () => {
    const tools = [execTool, procAtom];
    const parsed = (name: string, ...words: string[]) => callFromUser(name, words, { tools, agent: 'main', nextId: () => 'u1' });
    const wanted = { cmd: 'output', id: 'j1' };
    for (const call of [
      parsed('@proc', '{"cmd":"output","args":{"id":"j1"}}'),
      parsed('@proc', '{"cmd":"output","id":"j1"}'),
      parsed('@proc', 'output', 'j1'),
      parsed('@proc', 'output --id j1'),
      parsed('@proc', 'output', '--id', 'j1'),
      parsed('proc', '{"action":"output","job_id":"j1"}'),
      parsed('call_tool', '{"name":"@proc","args":{"cmd":"output","id":"j1"}}'),
      parsed('BashOutput', '{"cmd":"output","bash_id":"j1"}'),
      parsed('@coder', '{"cmd":"proc","args":{"cmd":"output","id":"j1"}}'),
    ])
      expect(call).toMatchObject({ ok: true, call: { tool: '@proc', args: wanted } });
    expect(parsed('@coder exec', '{"command":"ls","run_in_background":true}')).toMatchObject({
      ok: true,
      call: { args: { cmd: 'ls', background: true } },
    });
  });
});

it('writes no log into the workspace', () => {
  expect(existsSync(join(root, 'output.log'))).toBe(false);
});
