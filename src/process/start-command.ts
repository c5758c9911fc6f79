/** Starts one process in a group of its own, standard input closed, its output as streams to read. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type ErrorCode, ToolFault } from '../types/tool.js';
import { type Pipe, takePipe } from './pipes.js';

export interface StartOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** `merged`: one stream in the order of writing; `split`: standard output, then standard error. */
  readonly streams: 'merged' | 'split';
  /** Open descriptors it gets from 3 on, in this order; they stay ours to close. */
  readonly handles?: readonly number[];
}

export interface Started {
  readonly group: number;
  readonly sources: readonly Readable[];
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Turns what the system said about a failed start into a fault that names the cause. */
function startFault(error: unknown, options: StartOptions): ToolFault {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' && !existsSync(options.cwd)) return new ToolFault('NotFound', `the folder ${options.cwd} does not exist`);
  if (code === 'E2BIG')
    return new ToolFault('E2BIG', `${options.file}: the arguments and the environment are larger than the system allows`);
  if (code === 'ENOENT') return new ToolFault('ENOENT', `the program ${options.file} does not exist`);
  const reason = error instanceof Error ? error.message : String(error);
  const known = code !== undefined && /^E[A-Z0-9]+$/.test(code) && !code.startsWith('ERR') ? (code as ErrorCode) : 'Failed';
  return new ToolFault(known, `${options.file} could not be started: ${reason}`);
}

async function takePipes(count: number, env: Readonly<Record<string, string>>): Promise<Pipe[]> {
  const pipes: Pipe[] = [];
  for (let index = 0; index < count; index++) {
    const pipe = await takePipe(env);
    if (pipe !== undefined) pipes.push(pipe);
  }
  if (pipes.length === count) return pipes;
  for (const pipe of pipes) closeBoth(pipe);
  return [];
}

function closeBoth(pipe: Pipe): void {
  closeSync(pipe.read);
  closeSync(pipe.write);
}

function launch(options: StartOptions, pipes: readonly Pipe[]): ChildProcess {
  const first = pipes[0]?.write ?? 'pipe';
  const second = (options.streams === 'split' ? pipes[1] : pipes[0])?.write ?? 'pipe';
  return spawn(options.file, [...options.args], {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ['ignore', first, second, ...(options.handles ?? [])],
    detached: true,
    windowsHide: true,
  });
}

/** Starts the process. Throws ToolFault when it cannot be started; nothing is left open then. */
export async function startCommand(options: StartOptions): Promise<Started> {
  const pipes = await takePipes(options.streams === 'split' ? 2 : 1, options.env);
  let child: ChildProcess;
  try {
    child = launch(options, pipes);
  } catch (error) {
    for (const pipe of pipes) closeBoth(pipe);
    throw startFault(error, options);
  }
  const failed = new Promise<never>((_, reject) => child.once('error', (error) => reject(startFault(error, options))));
  failed.catch(() => undefined);
  if (child.pid === undefined) {
    for (const pipe of pipes) closeBoth(pipe);
    return failed;
  }
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  for (const pipe of pipes) closeSync(pipe.write);
  const sources =
    pipes.length > 0
      ? pipes.map((pipe) => new Socket({ fd: pipe.read, readable: true, writable: false }))
      : [child.stdout, child.stderr].filter((stream) => stream !== null);
  return { group: child.pid, sources, exit };
}
