/** Runs git on a shadow repository: bytes in, bytes out, with nothing of the user's or the repository's settings in force. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../../base/read-regular.js';
import { forgetGroup, guardChildren, nextMark, noteGroup } from '../../process/children.js';
import { gitEnv, safeWords } from '../../process/git-settings.js';
import { groupMembers, killMarked, MARK, markedProcesses, signalGroup, signalOne } from '../../process/groups.js';
import { type ErrorCode, ToolFault } from '../../types/tool.js';
import { RUNNING_FILE } from './place.js';

/** The shadow repository of one folder. */
export interface Shadow {
  /** Real path of the folder that is recorded. */
  readonly root: string;
  /** The repository. */
  readonly folder: string;
  /** Path of the program. */
  readonly git: string;
  readonly env: Readonly<Record<string, string>>;
}

interface GitRun {
  readonly signal: AbortSignal;
  readonly input?: Buffer | string;
  /** Further settings, `key=value`. */
  readonly settings?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are no fault, besides 0. */
  readonly fine?: readonly number[];
  /** Changes nothing in the repository, and so needs no lock. */
  readonly readsOnly?: boolean;
}

/** More output than any folder we cover gives. */
const MOST_OUTPUT = 512 * 1024 * 1024;
const MOST_ERRORS = 16 * 1024;
const TERM_GRACE = 500;
const KILL_WAIT = 2000;

const SETTINGS: readonly string[] = [
  'core.protectNTFS=false',
  'core.protectHFS=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.fileMode=true',
  'core.symlinks=true',
  'core.ignoreCase=false',
  'core.precomposeUnicode=false',
  'core.sparseCheckout=false',
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'core.excludesFile=/dev/null',
  'core.attributesFile=/dev/null',
  'core.fsync=loose-object,pack,reference',
  'core.fsyncMethod=batch',
  'core.compression=1',
  'pack.threads=1',
  'pack.windowMemory=32m',
  'advice.statusHints=false',
];

function wordsOf(shadow: Shadow, words: readonly string[], settings: readonly string[]): string[] {
  // Git may renew its index while it reads: this one is ours.
  const safe = safeWords().filter((word) => word !== '--no-optional-locks');
  const all = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting]);
  return [...safe, ...all, `--git-dir=${shadow.folder}`, `--work-tree=${shadow.root}`, ...words];
}

function envOf(shadow: Shadow, mark: string, further: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    ...gitEnv(shadow.env, []),
    // Versions before 2.32 look for the user's settings here only.
    HOME: shadow.folder,
    XDG_CONFIG_HOME: shadow.folder,
    GIT_OPTIONAL_LOCKS: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    ...further,
    [MARK]: mark,
  };
}

/** A git process under way. */
interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  errors(): string;
}

function start(shadow: Shadow, words: readonly string[], run: GitRun): Running {
  if (run.signal.aborted) throw stopFault(run.signal);
  guardChildren();
  const mark = nextMark(true);
  const writes = run.readsOnly !== true;
  // Before it is there: who is killed in between still leaves word.
  if (writes) noteRunning(shadow, { mark, group: 0 });
  const child = spawn(shadow.git, wordsOf(shadow, words, run.settings ?? []), {
    cwd: shadow.root,
    env: envOf(shadow, mark, run.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const group = child.pid;
  if (group !== undefined) {
    noteGroup(group);
    if (writes) noteRunning(shadow, { mark, group });
  }
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < MOST_ERRORS) errors += text;
  });
  // A process that ends early closes its input: its exit code tells.
  child.stdin?.on('error', () => undefined);
  if (run.input !== undefined) child.stdin?.write(run.input);
  child.stdin?.end();
  const stop = () => void end(child);
  run.signal.addEventListener('abort', stop, { once: true });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', (error) => reject(new ToolFault('Failed', `git could not be started: ${error.message}`)));
    child.once('close', (code, signal) => resolve({ code, signal }));
  }).finally(() => {
    run.signal.removeEventListener('abort', stop);
    if (group !== undefined) forgetGroup(group);
    if (writes) noteRunning(shadow, undefined);
  });
  ended.catch(() => undefined);
  return { child, ended, errors: () => errors };
}

/** The git that works now: the mark in its environment, and its group once it is known. */
interface Noted {
  readonly mark: string;
  readonly group: number;
}

/** For who finds the place after we were killed. */
function noteRunning(shadow: Shadow, noted: Noted | undefined): void {
  try {
    if (noted === undefined) rmSync(join(shadow.folder, RUNNING_FILE), { force: true });
    else writeFileSync(join(shadow.folder, RUNNING_FILE), `${noted.mark} ${noted.group}`, { mode: 0o600 });
  } catch {
    // Only a hint.
  }
}

/** The git that was at work when its process ended without a word; undefined when none was. */
export function leftRunning(folder: string): Noted | undefined {
  let text = '';
  try {
    text = readRegular(join(folder, RUNNING_FILE), 200).toString('latin1');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
  }
  const [, mark, group] = /^([0-9a-f-]{36}\.\d+\.) (\d+)$/.exec(text) ?? [];
  return { mark: mark ?? '', group: Number(group ?? 0) };
}

/** Does it still work? */
export function isAtWork({ mark, group }: Noted): boolean {
  if (process.platform === 'linux') return mark !== '' && markedProcesses(mark).length > 0;
  return process.platform !== 'win32' && group > 1 && groupMembers(group).length > 0;
}

/** Ends it, where it is certain that it is ours. */
export function endLeft({ mark }: Noted): void {
  if (process.platform === 'linux' && mark !== '') killMarked(mark);
}

/** Asked first, so that git removes its own temporary files; then killed. */
async function end(child: ChildProcess): Promise<void> {
  const group = child.pid;
  if (group === undefined) return;
  const signalIt = (signal: NodeJS.Signals) =>
    process.platform === 'win32' ? signalOne(group, signal) : void signalGroup(group, signal);
  signalIt('SIGTERM');
  for (const [ms, signal] of [
    [TERM_GRACE, 'SIGKILL'],
    [KILL_WAIT, undefined],
  ] as const) {
    const until = performance.now() + ms;
    while (performance.now() < until) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    if (signal !== undefined) signalIt(signal);
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** The fault of a signal that was given: the deadline, or the user's wish. */
export function stopFault(signal: AbortSignal): ToolFault {
  const reason: unknown = signal.reason;
  if (reason instanceof ToolFault) return reason;
  return new ToolFault('Aborted', 'the checkpoint was stopped');
}

async function finish(running: Running, words: readonly string[], run: GitRun): Promise<void> {
  const { code } = await running.ended;
  if (run.signal.aborted) throw stopFault(run.signal);
  if (code === 0 || (code !== null && run.fine?.includes(code))) return;
  const lines = running.errors().trim().split('\n');
  const telling = lines.filter((line) => /^(fatal|error): /.test(line));
  const said = (telling.length > 0 ? telling : lines).slice(0, 3).join('; ').slice(0, 600);
  const full = /No space left on device|Disk quota exceeded/i.exec(said)?.[0];
  const fault: ErrorCode = full === undefined ? 'Failed' : /quota/i.test(full) ? 'EDQUOT' : 'ENOSPC';
  throw new ToolFault(fault, `git ${words[0]} failed: ${said || `ended with ${code ?? 'a signal'}`}`);
}

/** Runs git to its end and gives what it printed. Throws ToolFault: `Timeout`, `Aborted`, `ENOSPC`, `Failed`. */
export async function git(shadow: Shadow, words: readonly string[], run: GitRun): Promise<Buffer> {
  const running = start(shadow, words, run);
  const chunks: Buffer[] = [];
  let size = 0;
  running.child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MOST_OUTPUT) chunks.push(chunk);
    else void end(running.child);
  });
  await finish(running, words, run);
  if (size > MOST_OUTPUT) throw new ToolFault('Failed', 'the folder holds more files than a checkpoint can list');
  return Buffer.concat(chunks);
}

/** Hands the contents of blobs over one by one, in the order of `ids`. Throws ToolFault when one is missing. */
export async function eachBlob(
  shadow: Shadow,
  ids: readonly string[],
  signal: AbortSignal,
  work: (bytes: Buffer, index: number) => Promise<void> | void,
): Promise<void> {
  if (ids.length === 0) return;
  const words = ['cat-file', '--batch'];
  const run = { signal, input: `${ids.join('\n')}\n`, readsOnly: true };
  const running = start(shadow, words, run);
  try {
    let kept: Buffer[] = [];
    let length = 0;
    let index = 0;
    let wanted: number | undefined;
    for await (const chunk of running.child.stdout ?? []) {
      kept.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (wanted !== undefined && length < wanted) continue;
      let bytes: Buffer = Buffer.concat(kept);
      while (index < ids.length) {
        const line = bytes.indexOf(10);
        if (line < 0) break;
        const head = bytes.toString('latin1', 0, line);
        const size = /^[0-9a-f]+ blob (\d+)$/.exec(head)?.[1];
        if (size === undefined) throw new ToolFault('NotFound', `the recorded content ${ids[index]} is not there (${head})`);
        wanted = line + 1 + Number(size) + 1;
        if (bytes.length < wanted) break;
        await work(bytes.subarray(line + 1, wanted - 1), index++);
        bytes = bytes.subarray(wanted);
        wanted = undefined;
      }
      kept = [bytes];
      length = bytes.length;
    }
    await finish(running, words, run);
    if (index < ids.length) throw new ToolFault('Failed', 'git cat-file ended too early');
  } catch (error) {
    await end(running.child);
    throw signal.aborted ? stopFault(signal) : error;
  }
}
