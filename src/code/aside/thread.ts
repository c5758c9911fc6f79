/** Short texts are parsed at once; all others in a thread beside this one, which can be ended at any moment. */
import { Worker } from 'node:worker_threads';
import { type JobKind, type Jobs, workOn } from './jobs.js';
import type { Question, Reply } from './worker.js';

/** Milliseconds after which a thread is ended; its own limits end nearly all it is given long before. */
const HARD_MS = 12_000;
/** An idle thread ends after this time (milliseconds). */
const IDLE_MS = 20_000;

export interface AsideOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until it is given up. */
  readonly hardMs?: number;
  /** For tests: what the thread runs. Undefined: the job is done here, however long it takes. By default what was built for it. */
  readonly program?: URL | undefined;
}

/**
 * Does a job without ever holding this thread for long. Undefined: it took too long or too much memory, or the signal fired. Throws only
 * for an incomplete installation.
 */
export async function read<K extends JobKind>(
  kind: K,
  given: Jobs[K]['given'],
  options: AsideOptions = {},
): Promise<Jobs[K]['got'] | undefined> {
  if (options.signal?.aborted) return undefined;
  const here = await workOn(kind, given, { brief: true });
  // Keys and cancellation get their turn between two of many.
  await new Promise((resolve) => setImmediate(resolve));
  return here ?? readAside(kind, given, options);
}

async function readAside<K extends JobKind>(
  kind: K,
  given: Jobs[K]['given'],
  options: AsideOptions,
): Promise<Jobs[K]['got'] | undefined> {
  // A chunk of its own when bundled: a thread loads that, and not what the main thread is.
  const { WORKER_DATA, workerProgram } = await import('./worker.js');
  const program = 'program' in options ? options.program : workerProgram();
  if (!program) return workOn(kind, given);
  const turn = last.then(() => ask({ kind, given }, { program, data: WORKER_DATA }, options));
  last = turn.then(
    () => undefined,
    () => undefined,
  );
  return (await turn) as Jobs[K]['got'] | undefined;
}

/** The thread that runs, and who waits for it. */
interface Live {
  readonly worker: Worker;
  readonly program: string;
  readonly idle: NodeJS.Timeout;
  settle: ((reply: Reply | undefined) => void) | undefined;
}

let live: Live | undefined;
let last: Promise<void> = Promise.resolve();

async function ask(
  question: Question,
  { program, data }: { readonly program: URL; readonly data: unknown },
  { signal, hardMs }: AsideOptions,
): Promise<Jobs[JobKind]['got'] | undefined> {
  if (signal?.aborted) return undefined;
  if (live && live.program !== program.href) end(live);
  live ??= start(program, data);
  const one = live;
  one.worker.ref();
  one.idle.refresh();
  const giveUp = () => one.settle?.(undefined);
  const timer = setTimeout(giveUp, hardMs ?? HARD_MS);
  signal?.addEventListener('abort', giveUp);
  const reply = await new Promise<Reply | undefined>((resolve) => {
    one.settle = resolve;
    one.worker.postMessage(question);
  });
  one.settle = undefined;
  clearTimeout(timer);
  signal?.removeEventListener('abort', giveUp);
  if (!reply || 'fault' in reply || reply.spent) end(one);
  else one.worker.unref();
  if (reply && 'fault' in reply) throw new Error(reply.fault);
  return reply?.value;
}

function start(program: URL, data: unknown): Live {
  const worker = new Worker(program, {
    workerData: data,
    env: {},
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const idle = setTimeout(() => end(one), IDLE_MS).unref();
  const one: Live = { worker, program: program.href, idle, settle: undefined };
  const broke = () => {
    end(one);
    one.settle?.(undefined);
  };
  worker.on('message', (reply: Reply) => one.settle?.(reply));
  worker.on('error', broke);
  worker.on('exit', broke);
  return one;
}

/** Also in the middle of its work: what it is at is of no interest any more. */
function end(one: Live): void {
  clearTimeout(one.idle);
  if (live === one) live = undefined;
  void one.worker.terminate();
}
