/** Real commands: how they end, what is kept of what they print, and what is said about what they leave behind. */
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { killAllChildren } from '../../src/process/children.js';
import type { CommandOptions, CommandOutcome } from '../../src/process/command-types.js';
import { runCommand } from '../../src/process/run-command.js';
import { scrubEnv } from '../../src/process/scrub-env.js';
import { ToolFault } from '../../src/types/tool.js';

const cwd = mkdtempSync(join(tmpdir(), 'run-command-'));
const env = scrubEnv(process.env);

function run(command: string, extra: Partial<CommandOptions> = {}): Promise<CommandOutcome> {
  return runCommand({ cwd, env, signal: new AbortController().signal, timeoutMs: 20_000, ...extra, command } as CommandOptions);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}

async function eventually(condition: () => boolean): Promise<boolean> {
  for (let i = 0; i < 200 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 20));
  return condition();
}

afterAll(() => killAllChildren());

describe('how it ends', () => {
  it('reports exit codes and signals', async () => {
    expect(await run('exit 7')).toMatchObject({ exitCode: 7, timedOut: false, aborted: false, leftover: [] });
    expect(await run('true')).toMatchObject({ exitCode: 0, output: '' });
    const killed = await run('echo alive; kill -SEGV $$');
    expect(killed).toMatchObject({ exitCode: null, signal: 'SIGSEGV', output: 'alive\n' });
  });
  it('takes a line that begins with a dash as a command', async () => {
    expect((await run('-i')).exitCode).toBe(127);
  });
  it('closes standard input and has no terminal', async () => {
    expect((await run('cat; echo after; (exec </dev/tty) 2>/dev/null || echo no tty')).output).toBe('after\nno tty\n');
  });
  it('starts in the folder it is given, free of rc files and of functions in the environment', async () => {
    const hostile = {
      ...env,
      BASH_ENV: '/dev/stderr',
      CDPATH: '/',
      'BASH_FUNC_ls%%': '() { echo fake; }',
      PS4: '$(echo bad)',
      SHELLOPTS: 'xtrace',
    };
    const outcome = await run('pwd; echo "$PWD"; type -t ls; echo "[$CDPATH$BASH_ENV]"; shopt -q login_shell || echo plain', {
      env: hostile,
    });
    expect(outcome.output).toBe(`${cwd}\n${cwd}\nfile\n[]\nplain\n`);
  });
  it('hands no open file of ours down', async (context) => {
    if (process.platform !== 'linux') context.skip('reads /proc');
    // What a parent of ours left open for everyone is none of our own.
    const own = (await run('ls -l /proc/self/fd')).output.split('\n').filter((line) => line.includes('chatcli-pipe'));
    expect(own).toHaveLength(2);
  });
  it('runs a program with arguments and no shell', async () => {
    const options = { cwd, env, signal: new AbortController().signal, file: '/bin/echo', args: ['$HOME', '; echo x', '*'] };
    expect((await runCommand(options)).output).toBe('$HOME ; echo x *\n');
  });
  it('keeps standard error apart when asked', async () => {
    const outcome = await run('echo out; echo err >&2', { streams: 'split' });
    expect(outcome).toMatchObject({ output: 'out\n', errorOutput: 'err\n' });
  });
  it('says why a program cannot be started', async () => {
    const base = { cwd, env, signal: new AbortController().signal, args: [] };
    await expect(runCommand({ ...base, file: '/no/such/program' })).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(runCommand({ ...base, file: '/bin/true', cwd: '/no/such/folder' })).rejects.toMatchObject({ code: 'NotFound' });
    await expect(runCommand({ ...base, file: '/bin/true', args: ['x'.repeat(3_000_000)] })).rejects.toMatchObject({
      code: 'E2BIG',
    });
    await expect(runCommand({ ...base, file: '/bin/true', args: ['a\0b'] })).rejects.toBeInstanceOf(ToolFault);
  });
  it('runs command lines longer than an argument may be', async () => {
    const outcome = await run(`x='${'word '.repeat(60_000)}'; echo \${#x}; cat <<'E'\nbody\nE\nexit 3`);
    expect(outcome).toMatchObject({ output: '300000\nbody\n', exitCode: 3 });
  });
});

describe('deadline and abort', () => {
  it('ends the whole group at the deadline and keeps what was printed', async () => {
    const outcome = await run('echo begin; sleep 321 & echo $!; sleep 321', { timeoutMs: 400 });
    expect(outcome).toMatchObject({ timedOut: true, exitCode: null, leftover: [] });
    const [first, pid] = outcome.output.split('\n');
    expect(first).toBe('begin');
    expect(isAlive(Number(pid))).toBe(false);
  });
  it('kills what ignores the polite signal', async () => {
    const outcome = await run("trap '' TERM INT HUP; echo armed; while :; do sleep 0.1; done", { timeoutMs: 300, graceMs: 200 });
    expect(outcome).toMatchObject({ timedOut: true, signal: 'SIGKILL', output: 'armed\n' });
  });
  it('reaches children that left the group', async (context) => {
    if (process.platform !== 'linux') context.skip('reads /proc');
    const outcome = await run('setsid sleep 322 & sleep 0.2; pgrep -f "^sleep 322"; sleep 322', { timeoutMs: 900, graceMs: 300 });
    const pid = Number(outcome.output.trim().split('\n')[0]);
    expect(pid).toBeGreaterThan(1);
    expect(await eventually(() => !isAlive(pid))).toBe(true);
  });
  it('lets a program finish its work between the signals', async () => {
    const outcome = await run("trap 'echo cleaned; exit 9' TERM; echo up; while :; do sleep 0.05; done", { timeoutMs: 300 });
    expect(outcome).toMatchObject({ timedOut: true, exitCode: null });
    expect(outcome.output).toMatch(/^up\n[\s\S]*cleaned\n$/);
  });
  it('returns from an abort although nothing wants to end', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    const outcome = await run("trap '' TERM; echo $$; sleep 323 & while :; do sleep 0.1; done", { signal: controller.signal });
    expect(outcome).toMatchObject({ aborted: true, timedOut: false, exitCode: null });
    expect(isAlive(Number(outcome.output.trim()))).toBe(false);
  });
  it('an abort cuts the grace of a deadline short', async () => {
    const controller = new AbortController();
    // The shell must have set its trap when the deadline comes, also on a busy machine.
    setTimeout(() => controller.abort(), 3000);
    const outcome = await run("trap '' TERM; while :; do sleep 0.1; done", {
      signal: controller.signal,
      timeoutMs: 2000,
      graceMs: 600_000,
    });
    expect(outcome).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
  });
  it('does not start when it was aborted before', async () => {
    const file = join(cwd, 'never');
    const outcome = await run(`touch ${file}`, { signal: AbortSignal.abort() });
    expect(outcome.aborted).toBe(true);
    expect(existsSync(file)).toBe(false);
  });
  it('takes a deadline longer than a timer can hold', async () => {
    expect(await run('sleep 0.1; echo done', { timeoutMs: 2 ** 40 })).toMatchObject({ exitCode: 0, output: 'done\n' });
  });
});

describe('what is left behind', () => {
  it('returns when the shell ends although a child holds the output, and names the child', async () => {
    const outcome = await run('sleep 324 & echo $!');
    expect(outcome.exitCode).toBe(0);
    expect(outcome.leftover).toEqual([Number(outcome.output.trim())]);
    await killAllChildren();
    expect(isAlive(outcome.leftover[0] as number)).toBe(false);
  });
  it('names a child that closed all its streams', async () => {
    const outcome = await run('sleep 325 </dev/null >/dev/null 2>&1 & echo $!');
    expect(outcome.leftover).toEqual([Number(outcome.output.trim())]);
    await killAllChildren();
  });
  it('lets it go on printing into the log', async () => {
    const logFile = join(cwd, 'background.log');
    const outcome = await run('(echo one; sleep 0.6; echo two; sleep 326) & sleep 0.2', { logFile });
    expect(outcome.output).toBe('one\n');
    expect(outcome.leftover.length).toBeGreaterThan(0);
    expect(await eventually(() => readFileSync(logFile, 'utf8') === 'one\ntwo\n')).toBe(true);
    await killAllChildren();
  });
});

describe('output', () => {
  it('keeps both streams in the order of writing, and /dev/stdout and /dev/stderr can be opened', async () => {
    const outcome = await run(
      'for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done; echo x | tee /dev/stderr; echo y >/dev/stdout',
    );
    expect(outcome.output).toBe('o1\ne1\no2\ne2\no3\ne3\no4\ne4\no5\ne5\nx\nx\ny\n');
  });
  it('falls back to two streams where no pipe can be made', async () => {
    const outcome = await runCommand({
      cwd,
      env: { PATH: '/no-programs' },
      signal: new AbortController().signal,
      file: '/bin/sh',
      args: ['-c', 'echo a; echo b >&2'],
    });
    expect(outcome.output.split('\n').sort()).toEqual(['', 'a', 'b']);
  });
  it('keeps the ends of much output and the whole of it on disk', async () => {
    const logFile = join(cwd, 'big.log');
    const outcome = await run('seq 1 2000000', { keepBytes: 20_000, logFile });
    expect(outcome.output.startsWith('1\n2\n3\n')).toBe(true);
    expect(outcome.outputEnd.endsWith('\n1999999\n2000000\n')).toBe(true);
    expect(outcome.totalBytes).toBe(14_888_896);
    expect(outcome.omittedBytes).toBe(14_888_896 - outcome.output.length - outcome.outputEnd.length);
    expect(outcome).toMatchObject({ logFile });
    expect(outcome.logEndedAt).toBeUndefined();
    expect(statSync(logFile).size).toBe(14_888_896);
    expect(statSync(logFile).mode & 0o777).toBe(0o600);
  });
  it('ends the log at its cap with a notice, and the command well', async () => {
    const logFile = join(cwd, 'capped.log');
    const outcome = await run('head -c 3000000 /dev/zero | tr "\\0" x', { keepBytes: 2000, logFile, logCap: 100_000 });
    expect(outcome).toMatchObject({ exitCode: 0, totalBytes: 3_000_000, logFile, logEndedAt: 100_000 });
    const log = readFileSync(logFile, 'utf8');
    expect(log.slice(100_000)).toBe('\n[log ends here: it reached its limit of 100000 bytes]\n');
  });
  it('goes on when the log cannot be written', async () => {
    const outcome = await run('seq 1 100000', { keepBytes: 2000, logFile: '/no/such/folder/x.log' });
    expect(outcome.exitCode).toBe(0);
    expect(outcome.logFile).toBeUndefined();
  });
  it('writes no log for little output', async () => {
    const logFile = join(cwd, 'little.log');
    expect((await run('echo hi', { logFile })).logFile).toBeUndefined();
    expect(existsSync(logFile)).toBe(false);
  });
  it('decodes letters that arrive in pieces and replaces what is none', async () => {
    expect((await run("printf '\\303'; sleep 0.1; printf '\\251 \\377 end\\n'")).output).toBe('é \ufffd end\n');
  });
  it('removes colours and NULs', async () => {
    expect((await run("printf '\\033[31mred\\033[0m\\000!\\n'")).output).toBe('red!\n');
  });
  it('hands live text over, cleaned and bounded', async () => {
    const seen: string[] = [];
    await run("printf '\\033[1mfirst\\033[0m\\n'; seq 1 200000; echo last", { onOutput: (text) => seen.push(text) });
    expect(seen.join('').length).toBeLessThan(200_000);
    expect(seen.at(-1)?.endsWith('last\n')).toBe(true);
    expect(seen.join('')).not.toContain('\u001b');
  });
});

it('neutralises pagers, editors, prompts and colour', async () => {
  const outcome = await run(
    'echo "$PAGER $GIT_PAGER $TERM $NO_COLOR $GIT_TERMINAL_PROMPT [$FORCE_COLOR]"; "$EDITOR" || echo no editor',
    {
      env: { ...env, PAGER: 'less', FORCE_COLOR: '1', EDITOR: 'vi' },
    },
  );
  expect(outcome.output).toBe('cat cat dumb 1 0 []\nno editor\n');
});
