/** exec on a real shell: what the model reads, the codes, and the bounds. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { killAllChildren } from '../../../src/process/children.js';
import { execTool } from '../../../src/tools/coder/exec.js';
import type { JsonObject } from '../../../src/types/json.js';
import type { Confinement, SandboxPort, SandboxReport } from '../../../src/types/sandbox.js';
import { plainContext } from './plain-context.js';

const { root, context, progress, abort } = plainContext({ env: { OPENAI_MODEL: 'm' } });
mkdirSync(join(root, 'sub'));
const exec = (cmd: string, more: Record<string, string | number> = {}) => execTool.run({ cmd, ...more }, context);

afterAll(() => killAllChildren());

describe('the sandbox', () => {
  const asked: Confinement[] = [];
  const reports: SandboxReport[] = [];
  /** Confines nothing, and says what it is told to say. */
  const sandbox = (canOffer: boolean): SandboxPort => ({
    canOffer,
    async confine({ file, args }, use) {
      asked.push(use);
      return {
        file,
        args,
        handles: [],
        release: () => undefined,
        ended: () => undefined,
        report: () => reports.at(-1) ?? { planted: [] },
      };
    },
  });
  const run = (args: JsonObject, canOffer = true) =>
    execTool.run(args, { ...context, host: { ...context.host, sandbox: sandbox(canOffer) } });

  it('is left with outside alone, and gets the agent only when asked for', async () => {
    await run({ cmd: 'true' });
    await run({ cmd: 'true', agent: true });
    await run({ cmd: 'true', background: true, agent: true });
    expect(asked.map((use) => use.agent ?? false)).toEqual([false, true, true]);
    await run({ cmd: 'true', outside: true });
    await run({ cmd: 'true', outside: true, background: true });
    expect(asked).toHaveLength(3);
    await expect(run({ cmd: 'true', outside: true, agent: true })).rejects.toMatchObject({ code: 'InvalidArgs' });
  });
  it('has the last word in the result; what would help is offered where a person can be asked', async () => {
    reports.push({ refusal: { kind: 'read-only', text: 'Sandbox: no.' }, planted: ['Sandbox: gone.'] });
    const offer = 'If it must be: exec with outside: true runs it without the sandbox; the user is asked first.';
    expect((await run({ cmd: 'false' })).output).toMatch(
      new RegExp(`exit code: 1, [\\d.]+ s\nSandbox: no\\.\nSandbox: gone\\.\n${offer}$`),
    );
    expect((await run({ cmd: 'false' }, false)).output).toMatch(/Sandbox: no\.\nSandbox: gone\.$/);
    expect((await run({ cmd: 'false', background: true })).output).toMatch(/in the background\nSandbox: no\.\n/);
    reports.push({ refusal: { kind: 'keys', text: 'Sandbox: keys.' }, planted: [] });
    expect((await run({ cmd: 'false' })).output).toContain('agent: true passes the SSH agent');
    reports.push({ refusal: { kind: 'own', text: 'Sandbox: ours.' }, planted: [] });
    expect((await run({ cmd: 'false' })).output).toMatch(/Sandbox: ours\.$/);
    reports.push({ planted: [] });
  });
});

describe('exec', () => {
  it('echoes the command, shows the output, ends with code and time', async () => {
    const result = await exec('echo \'wow!\' "hey!"');
    expect(result.output).toMatch(/^\$ echo 'wow!' "hey!"\nwow! hey!\nexit code: 0, \d+\.\d+ s$/);
    expect(result).toMatchObject({ isError: false, display: { kind: 'process', exitCode: 0 } });
    expect(result.code).toBeUndefined();
    expect((await exec('true')).output).toMatch(/^\$ true\n\(no output\)\nexit code: 0, /);
    expect((await exec('printf x')).output).toMatch(/\nx\nexit code: 0, /);
    expect(progress.join('')).toContain('hey!');
  });
  it('reports failures by code, signals as a shell does', async () => {
    expect(await exec('echo out; exit 3')).toMatchObject({ isError: true, code: 'ExitCode:3' });
    const killed = await exec('echo alive; kill -SEGV $$');
    expect(killed).toMatchObject({ isError: true, code: 'ExitCode:139', display: { signal: 'SIGSEGV' } });
    expect(killed.output).toMatch(/alive\nkilled by signal SEGV \(exit code 139\), /);
    expect(await exec('no-such-program-here')).toMatchObject({ code: 'ExitCode:127' });
  });
  it('kills at the timeout and keeps what was printed', async () => {
    const result = await exec("echo be''gin; sleep 331", { timeout: 0.5 });
    expect(result).toMatchObject({ isError: true, code: 'Timeout' });
    expect(result.output).toMatch(/\nbegin\nkilled after 0\.5 s \(timeout/);
  });
  it('starts every call in the workspace, or in dir', async () => {
    expect((await exec('cd sub && pwd')).output).toContain(`\n${root}/sub\n`);
    expect((await exec('pwd')).output).toContain(`\n${root}\nexit`);
    expect((await exec('pwd', { dir: 'sub' })).output).toContain(`\n${root}/sub\n`);
    await expect(exec('pwd', { dir: '..' })).rejects.toMatchObject({ code: 'OutsideWorkspace' });
    await expect(exec('pwd', { dir: 'nowhere' })).rejects.toMatchObject({ code: 'NotFound' });
  });
  it('refuses what is no command', async () => {
    for (const cmd of ['', '  \n\t ', 'echo \0 x']) await expect(exec(cmd)).rejects.toMatchObject({ code: 'InvalidArgs' });
  });
  it('leaves entities, quotes and dollar signs to the shell', async () => {
    await exec("echo 'x &amp; y &lt;z&gt; $HOME \\n' > e.txt");
    expect(readFileSync(join(root, 'e.txt'), 'utf8')).toBe('x &amp; y &lt;z&gt; $HOME \\n\n');
  });
  it('names what runs on and does not wait for it', async () => {
    const result = await exec("sleep 332 </dev/null >/dev/null & echo star''ted2");
    expect(result.isError).toBe(false);
    expect(result.output).toMatch(/\nstarted2\nstill running in the background: pid \d+ \(ends with this run\).*\nexit code: 0/);
  });
  it('bounds much output, keeps both ends, names the whole', async () => {
    const result = await exec('seq 1 2000000');
    expect(result.isError).toBe(false);
    expect(result.output.length).toBeLessThanOrEqual(execTool.limit);
    expect(result.output.length).toBeGreaterThan(execTool.limit - 1000);
    expect(result.output).toMatch(/^\$ seq 1 2000000\n1\n2\n3\n/);
    expect(result.output).toMatch(/\n1999999\n2000000\nexit code: 0/);
    const log = /the whole output is in (\S+)\]/.exec(result.output)?.[1] as string;
    expect(log.startsWith(context.host.scratch)).toBe(true);
    expect(readFileSync(log, 'utf8').length).toBe(14_888_896);
  });
  it('cuts no letter in half', async () => {
    writeFileSync(join(root, 'm.txt'), `x${'é'.repeat(400_000)}`);
    const result = await exec('cat m.txt');
    expect(result.output).not.toContain('\ufffd');
    expect(result.output).toContain('ééé');
  });
  it('shows progress bars as they end, and no binary', async () => {
    const bar = await exec("for i in $(seq 1 300); do printf '%s%%\\r' $i; done; printf 'done\\n'");
    expect(bar.output).toMatch(/\n\[300 earlier states of this line left out\]\ndone\nexit code: 0/);
    expect((await exec("printf 'a\\r\\nb\\r\\n'")).output).toContain('\na\r\nb\r\n');
    const binary = await exec("echo before; head -c 60000 /dev/zero | tr '\\0' '\\377'; echo; echo after");
    expect(binary.output).toMatch(/\nbefore\n\[\d+ characters left out: not UTF-8 text/);
    expect(binary.output).toMatch(/\nafter\nthe output as it came is in \S+\.log\nexit code: 0/);
    expect(readFileSync(/ is in (\S+)/.exec(binary.output)?.[1] as string).length).toBe(60_014);
    expect((await exec('head -c 5000 /dev/zero')).output).toContain('\n(5000 bytes of output, none of them text)\n');
  });
  it('takes what is no whole command as the shell does', async () => {
    expect((await exec('echo a\\')).output).toContain('\na\\\n');
    expect((await exec('echo b # comment')).output).toContain('\nb\nexit code: 0');
    expect((await exec('cat <<E\nunclosed')).output).toContain('\nunclosed\n');
    expect(await exec("echo 'unclosed")).toMatchObject({ isError: true, code: 'ExitCode:2' });
    expect(await exec('exec >&- 2>&-; sleep 0.1; exit 3')).toMatchObject({ code: 'ExitCode:3' });
    expect((await exec('mkdir "g o"; cd "g o"; rmdir "../g o"; echo here; exit 4')).output).toContain('\nhere\n');
  });
  it('leaves no log behind when all fitted', async () => {
    const before = readdirSync(context.host.scratch).length;
    const result = await exec("printf 'é%.0s' $(seq 1 20000)");
    expect(result.output).toContain('é'.repeat(20_000));
    expect(readdirSync(context.host.scratch)).toHaveLength(before);
  });
  it('runs a command line of any length and repeats only its beginning', async () => {
    const result = await exec(`x='${'word '.repeat(60_000)}'; echo \${#x}`);
    expect(result.output).toContain('\n300000\n');
    expect(result.output.length).toBeLessThan(1000);
  });
  it('repeats no control character of a command', async () => {
    expect((await exec('true \u001b[31m\u0007x')).output).toMatch(/^\$ true x\n/);
  });
  it('is judged by its command and runs alone', () => {
    expect(execTool.facts({ cmd: 'ls\nrm x', dir: 'sub' })).toEqual({
      readOnly: false,
      reads: ['sub'],
      writes: [],
      order: 'alone',
      label: { verb: 'run', object: 'ls ... (2 lines)' },
      command: 'ls\nrm x',
      snapshot: true,
    });
  });
  it('stops on abort', async () => {
    setTimeout(() => abort.abort(), 200);
    const result = await exec('echo up; sleep 333; touch never');
    expect(result).toMatchObject({ isError: true, code: 'Aborted' });
    expect(result.output).toMatch(/\nup\nstopped after 0\.\d+ s \(aborted\)$/);
    expect(existsSync(join(root, 'never'))).toBe(false);
  });
});
