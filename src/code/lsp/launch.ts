/** Starts the process of one server: in a group of its own, in the sandbox when one is in force, gone when we are. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { forgetGroup, guardChildren, nextMark, noteGroup } from '../../process/children.js';
import { cleanText } from '../../process/clean-text.js';
import { commandEnv } from '../../process/command-env.js';
import { groupMembers, killMarked, MARK, signalGroup } from '../../process/groups.js';
import type { ConfinedStart, SandboxPort } from '../../types/sandbox.js';
import { ToolFault } from '../../types/tool.js';

export interface LaunchOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox?: Pick<SandboxPort, 'confine'> | undefined;
  /** Hears what the sandbox has to say at its end, be it about other programs. */
  note?(sentence: string): void;
}

export interface ServerProcess {
  readonly output: Readable;
  readonly input: Writable;
  /** It runs in a sandbox, where our process number means nothing. */
  readonly confined: boolean;
  /** What it last wrote to standard error; one line. */
  complaint(): string;
  /** Bytes it and all it started hold in memory; undefined where that cannot be known. */
  memory(): number | undefined;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Ends it and all it started. Never throws. */
  kill(): void;
}

const KEPT_ERROR = 4000;
const LONGEST_COMPLAINT = 300;

/** Throws ToolFault when it cannot be started, or must not be without a sandbox. */
export async function launchServer(options: LaunchOptions): Promise<ServerProcess> {
  const { [MARK]: _outer, ...env } = commandEnv(options.env, options.cwd);
  const { file, args, cwd } = options;
  const program = { file, args, cwd, ownSession: true, tied: true };
  const confined = await options.sandbox?.confine(program, { env, readOnly: true });
  guardChildren();
  const mark = nextMark(false);
  const child = start(confined ?? program, { cwd, env: { ...env, [MARK]: mark }, confined });
  const { pid, stdin, stdout } = child;
  if (pid === undefined || stdin === null || stdout === null) {
    const reason = await new Promise<string>((resolve) => child.once('error', (error) => resolve(error.message)));
    throw new ToolFault('Failed', `${file} could not be started: ${reason}`);
  }
  noteGroup(pid);
  return follow(child, { pid, mark, stdin, stdout, confined, cwd, note: (text) => options.note?.(text) });
}

interface Start {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly confined: ConfinedStart | undefined;
}

function start(program: { file: string; args: readonly string[] }, { cwd, env, confined }: Start): ChildProcess {
  try {
    return spawn(program.file, [...program.args], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe', ...(confined?.handles ?? [])],
      detached: true,
      windowsHide: true,
    });
  } catch (error) {
    throw new ToolFault('Failed', `${program.file} could not be started: ${error instanceof Error ? error.message : ''}`);
  } finally {
    confined?.release();
  }
}

interface Running {
  readonly pid: number;
  readonly mark: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly confined: ConfinedStart | undefined;
  readonly cwd: string;
  note(sentence: string): void;
}

function follow(child: ChildProcess, { pid, mark, stdin, stdout, confined, cwd, note }: Running): ServerProcess {
  let errors = '';
  let over = false;
  child.on('error', () => undefined);
  stdin.on('error', () => undefined);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-KEPT_ERROR);
  });
  child.stderr?.on('error', () => undefined);
  const kill = () => {
    signalGroup(pid, 'SIGKILL');
    killMarked(mark);
  };
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (exitCode) => {
      over = true;
      // What it started must not go on without it.
      kill();
      forgetGroup(pid);
      for (const each of confined?.report({ output: errors, exitCode, cwd, runsOn: false }).planted ?? []) note(each);
      resolve();
    });
  });
  letGo(child);
  return {
    output: stdout,
    input: stdin,
    confined: confined !== undefined,
    complaint: () => (cleanText(errors).trim().split('\n').at(-1) ?? '').slice(0, LONGEST_COMPLAINT),
    memory: () => (over ? 0 : memoryOf(groupMembers(pid))),
    ended,
    kill: () => {
      if (!over) kill();
    },
  };
}

/** A server alone does not keep us running. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref?: () => void } | null)?.unref?.();
}

function memoryOf(pids: readonly number[]): number | undefined {
  if (process.platform !== 'linux') return undefined;
  let kilobytes = 0;
  for (const pid of pids) {
    try {
      kilobytes += Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
    } catch {
      // Gone meanwhile.
    }
  }
  return kilobytes * 1024;
}
