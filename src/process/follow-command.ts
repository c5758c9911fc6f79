/** Follows a started command: reads its output, ends it at the deadline or an abort, reports what survived. */
import type { Readable } from 'node:stream';
import { forgetGroup, watchGroup } from './children.js';
import { CommandOutput, type OutputOptions } from './command-output.js';
import type { CommandOptions, CommandOutcome } from './command-types.js';
import { groupMembers, killMarked, markedProcesses, signalAll, signalGroup } from './groups.js';
import { isLeaving, withoutHelpers } from './sandbox/helpers.js';
import type { Started } from './start-command.js';

const KEEP_BYTES = 256 * 1024;
const ERROR_BYTES = 32 * 1024;
const GRACE_MS = 2000;
/** After an abort: time to end politely. Together with the rest it stays below 200 ms. */
const ABORT_GRACE_MS = 60;
const LINUX = process.platform === 'linux';
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Stop = 'timeout' | 'abort';
type Exit = Awaited<Started['exit']>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A stream being read into an output, with the time of its last bytes. */
class Reading {
  ended = false;
  chunks = 0;
  /** The disk is slower than the command: nothing is read until it has caught up. */
  waiting = false;
  readonly #source: Readable;

  constructor(source: Readable, output: CommandOutput) {
    this.#source = source;
    const end = () => {
      this.ended = true;
    };
    source.on('end', end).on('close', end).on('error', end);
    source.on('data', (chunk: Buffer) => {
      this.chunks += 1;
      const wait = output.accept(chunk);
      if (wait === undefined) return;
      this.waiting = true;
      source.pause();
      void wait.then(() => {
        this.waiting = false;
        source.resume();
      });
    });
  }

  /** Lets our process end although the stream is open. */
  letGo(onEnd: () => void): void {
    (this.#source as Readable & { unref?: () => void }).unref?.();
    this.#source.on('close', onEnd);
  }

  close(): void {
    this.#source.destroy();
  }
}

/** Waits for the end of the streams, or until they are quiet for `quietMs`, at most `maxMs`. */
async function drain(readings: readonly Reading[], quietMs: number, maxMs: number): Promise<void> {
  const start = performance.now();
  let step = 1;
  let seen = -1;
  let quietSince = start;
  while (!readings.every((reading) => reading.ended)) {
    const now = performance.now();
    const chunks = readings.reduce((sum, reading) => sum + reading.chunks, 0);
    if (chunks !== seen || readings.some((reading) => reading.waiting)) quietSince = now;
    seen = chunks;
    if (now - quietSince >= quietMs || now - start >= maxMs) return;
    await pause(step);
    step = Math.min(step * 2, 10, quietMs);
    // A busy loop runs timers before it reads: let the streams speak before the clock is asked again.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Resolves with the reason when the command must be ended before its time. */
function stopRequest(options: CommandOptions): { readonly promise: Promise<Stop>; release(): void } {
  let release = () => {};
  const promise = new Promise<Stop>((resolve) => {
    const onAbort = () => resolve('abort');
    if (options.signal.aborted) onAbort();
    options.signal.addEventListener('abort', onAbort, { once: true });
    const limit = options.timeoutMs;
    const timer = limit === undefined ? undefined : setTimeout(() => resolve('timeout'), Math.min(limit, LONGEST_TIMER_MS));
    release = () => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', onAbort);
    };
  });
  return { promise, release };
}

/** TERM to all of it, KILL after the grace (at once when `hurry` aborts). Resolves when it is gone or shortly after KILL. */
async function terminate(
  started: Started,
  mark: string,
  graceMs: number,
  patienceMs: number,
  hurry?: AbortSignal,
): Promise<void> {
  let exited = false;
  void started.exit.then(() => {
    exited = true;
  });
  const gone = () => exited && groupMembers(started.group).length === 0;
  const waitGone = async (ms: number) => {
    const start = performance.now();
    while (!gone() && performance.now() - start < ms && !hurry?.aborted) await pause(Math.min(20, ms));
  };
  signalAll(started.group, mark, 'SIGTERM');
  await waitGone(graceMs);
  signalGroup(started.group, 'SIGKILL');
  killMarked(mark);
  await waitGone(patienceMs);
}

/** Processes that live on after the first one ended by itself; what is just ending is given a moment. */
async function survivors(group: number, mark: string, readings: readonly Reading[]): Promise<number[]> {
  const stays = (pid: number) => !LINUX || !isLeaving(pid);
  const alive = () => groupMembers(group).filter(stays);
  let members = new Set(alive());
  if (members.size > 0) {
    await pause(30);
    members = new Set(alive());
  }
  if (!readings.every((reading) => reading.ended)) for (const pid of markedProcesses(mark).filter(stays)) members.add(pid);
  return [...members].sort((a, b) => a - b);
}

/** What starts another program just then has no environment to know it by: it is looked for again. */
const REST_ROUNDS = 3;
const REST_PAUSE_MS = 10;

/** Nothing a program of somebody else started goes on without it, also what left its group. */
async function endRest(group: number, mark: string, left: readonly number[]): Promise<number[]> {
  if (left.length > 0) signalGroup(group, 'SIGKILL');
  for (let round = 0; round < REST_ROUNDS; round++) {
    if (round > 0) await pause(REST_PAUSE_MS);
    killMarked(mark);
  }
  return [];
}

/** Reads on in the background what survivors print, into the log, without keeping us alive. */
function readOn(readings: readonly Reading[], output: CommandOutput): void {
  const open = readings.filter((reading) => !reading.ended);
  if (open.length === 0) return;
  output.startLog();
  for (const reading of open) reading.letGo(() => open.every((other) => other.ended) && void output.closeLog());
}

async function endOf(
  started: Started,
  options: CommandOptions & { readonly mark: string },
): Promise<{ stop?: Stop; exit?: Exit; ms: number }> {
  const start = performance.now();
  const request = stopRequest(options);
  const first = await Promise.race([started.exit, request.promise]);
  if (typeof first !== 'string') {
    request.release();
    return { exit: first, ms: performance.now() - start };
  }
  if (first === 'abort') await terminate(started, options.mark, ABORT_GRACE_MS, 30);
  else await terminate(started, options.mark, options.graceMs ?? GRACE_MS, 1000, options.signal);
  request.release();
  const exit = await Promise.race([started.exit, pause(0).then(() => undefined)]);
  return { stop: first, exit, ms: performance.now() - start };
}

/** Follows the command to its end; see `runCommand` for what it promises. */
export async function followCommand(
  started: Started,
  options: CommandOptions & { readonly mark: string },
): Promise<CommandOutcome> {
  const split = options.streams === 'split';
  const { onOutput, logFile, logAbove, logCap, rawText } = options;
  const outputOptions: OutputOptions = {
    keepBytes: options.keepBytes ?? KEEP_BYTES,
    onOutput,
    logFile,
    logAbove,
    logCap,
    rawText,
  };
  const output = new CommandOutput(outputOptions);
  const { keepErrorBytes = ERROR_BYTES, onErrorOutput } = options;
  const errors = split ? new CommandOutput({ keepBytes: keepErrorBytes, onOutput: onErrorOutput }) : output;
  const readings = started.sources.map((source, index) => new Reading(source, index === 0 ? output : errors));
  const { stop, exit, ms } = await endOf(started, options);
  await drain(readings, stop === undefined ? 100 : 20, stop === undefined ? 1000 : 30);
  const left = stop === undefined ? await survivors(started.group, options.mark, readings) : groupMembers(started.group);
  const leftover = options.endsAll === true ? await endRest(started.group, options.mark, left) : left;
  if (leftover.length > 0) {
    watchGroup(started.group);
    readOn(readings, output);
  } else {
    forgetGroup(started.group);
    for (const reading of readings) reading.close();
  }
  const text = await output.finish();
  const errorText = split ? await errors.finish() : undefined;
  if (leftover.length === 0 || readings.every((reading) => reading.ended)) await output.closeLog();
  return {
    exitCode: stop === undefined ? (exit?.code ?? null) : null,
    ...(exit?.signal ? { signal: exit.signal } : {}),
    timedOut: stop === 'timeout',
    aborted: stop === 'abort',
    ms,
    output: text.head,
    outputEnd: text.tail,
    omittedBytes: text.omittedBytes,
    totalBytes: output.totalBytes,
    errorOutput: errorText === undefined ? '' : errorText.head + errorText.tail,
    ...(errorText !== undefined && errorText.omittedBytes > 0 ? { errorOmittedBytes: errorText.omittedBytes } : {}),
    ...(text.logFile === undefined ? {} : { logFile: text.logFile }),
    ...(text.logEndedAt === undefined ? {} : { logEndedAt: text.logEndedAt }),
    leftover: options.sandbox === undefined ? leftover : withoutHelpers(leftover),
  };
}
