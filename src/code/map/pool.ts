/** Parses many texts: few of them here, many in threads that end with the work. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { read } from '../aside/thread.js';
import { languageOf } from '../languages/registry.js';
import { emptyFile } from './extract.js';
import type { Extracted, TextJob } from './types.js';
import type { WorkerAnswer } from './worker.js';

/** Texts up to this many characters in all are parsed here: starting threads would take longer. */
const WORTH_THREADS = 300_000;
/** Characters and texts of one message. */
const BATCH_CHARS = 256 * 1024;
const BATCH_TEXTS = 64;
const MOST_THREADS = 4;
/** Batches a thread has at a time: one it works on, one that waits. */
const AHEAD = 2;
/** Milliseconds after which a thread that does not answer is given up; far more than the limits of parsing allow. */
const HANGS_AFTER = 120_000;

export interface ParsePool {
  /** Takes a text; resolves when there is room for the next one. `done` is called once for it, at any time until `finish`. */
  add(job: TextJob, done: (result: Extracted) => void): Promise<void>;
  /** Resolves when every text is done. Throws what the threads could not do. */
  finish(): Promise<void>;
  /** Ends all threads. Never throws. */
  close(): Promise<void>;
  /** Threads that were started. */
  readonly workers: number;
}

interface Item {
  readonly job: TextJob;
  done(result: Extracted): void;
}

export interface PoolOptions {
  /** What the threads run; undefined: everything is parsed in this thread. By default what was built for it. */
  readonly program?: URL | undefined;
  readonly threads?: number;
}

export async function createParsePool(options: PoolOptions = {}): Promise<ParsePool> {
  // A chunk of its own when bundled: a thread loads that, and not what the main thread is.
  const { WORKER_DATA, workerProgram } = await import('./worker.js');
  const program = 'program' in options ? options.program : workerProgram();
  const threads = options.threads ?? Math.min(MOST_THREADS, availableParallelism());
  return program ? new ThreadPool({ program, data: WORKER_DATA }, threads) : new LocalPool();
}

interface Program {
  readonly program: URL;
  readonly data: unknown;
}

/** Parses at once, in this thread; what is not done in a blink in one beside it. */
class LocalPool implements ParsePool {
  readonly workers = 0;
  readonly #ending = new AbortController();
  async add(job: TextJob, done: (result: Extracted) => void): Promise<void> {
    const found = await read('extract', job, { signal: this.#ending.signal });
    if (!this.#ending.signal.aborted) done(found ?? emptyFile('slow', languageOf(job.path, job.text)?.id));
  }
  async finish(): Promise<void> {}
  async close(): Promise<void> {
    this.#ending.abort();
  }
}

class ThreadPool implements ParsePool {
  readonly #program: Program;
  readonly #most: number;
  readonly #threads: Thread[] = [];
  readonly #local = new LocalPool();
  #batch: Item[] = [];
  #chars = 0;
  #seen = 0;
  #closed = false;

  constructor(program: Program, most: number) {
    this.#program = program;
    this.#most = Math.max(1, most);
  }

  get workers(): number {
    return this.#threads.length;
  }

  async add(job: TextJob, done: (result: Extracted) => void): Promise<void> {
    this.#batch.push({ job, done });
    this.#chars += job.text.length;
    this.#seen += job.text.length;
    if (this.#seen <= WORTH_THREADS) return;
    if (this.#chars >= BATCH_CHARS || this.#batch.length >= BATCH_TEXTS) await this.#send();
  }

  async finish(): Promise<void> {
    if (this.#threads.length === 0) {
      const local = this.#local;
      for (const { job, done } of this.#batch) {
        if (this.#closed) return;
        await local.add(job, done);
      }
      this.#batch = [];
      return;
    }
    await this.#send();
    await Promise.all(this.#threads.map((thread) => thread.settled()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#local.close();
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  async #send(): Promise<void> {
    const items = this.#batch;
    this.#batch = [];
    this.#chars = 0;
    if (items.length === 0 || this.#closed) return;
    if (this.#threads.length < this.#most) this.#threads.push(new Thread(this.#program));
    const idle = this.#threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best));
    const given = idle.give(items);
    given.catch(() => undefined);
    if (this.#threads.length === this.#most && this.#threads.every((thread) => thread.waiting >= AHEAD))
      await Promise.race(this.#threads.map((thread) => thread.oneDone()));
  }
}

/** One worker thread. One that breaks is replaced, and the texts it had are tried one by one; a text that breaks it again is `slow`. */
class Thread {
  readonly #program: Program;
  #live: Live | undefined;
  #queue: Promise<void> = Promise.resolve();
  #first: Promise<void> = Promise.resolve();
  #pending: Promise<void>[] = [];
  #ended = false;

  constructor(program: Program) {
    this.#program = program;
  }

  get waiting(): number {
    return this.#pending.length;
  }

  give(items: readonly Item[]): Promise<void> {
    const answer = this.#ask(items);
    const work = this.#queue.then(() => this.#settle(items, answer));
    this.#queue = work.catch(() => undefined);
    this.#pending.push(work);
    const forget = () => void this.#pending.splice(this.#pending.indexOf(work), 1);
    this.#first = this.#pending[0] ?? work;
    work.then(forget, forget);
    return work;
  }

  /** Resolves or rejects with the batch it works on. */
  oneDone(): Promise<void> {
    return this.#pending[0] ?? this.#first;
  }

  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#live?.worker.terminate();
  }

  async #settle(items: readonly Item[], answer: Promise<WorkerAnswer | undefined>): Promise<void> {
    let got = await answer;
    if (this.#ended) return;
    if (got && 'fault' in got) throw new Error(got.fault);
    if (got?.done.length === items.length) {
      for (const [i, item] of items.entries()) item.done(got.done[i] ?? emptyFile('slow'));
      return;
    }
    for (const item of items) {
      got = this.#ended ? undefined : await this.#ask([item]);
      item.done((got && 'done' in got ? got.done[0] : undefined) ?? emptyFile('slow'));
    }
  }

  /** Undefined: the thread broke. Answers come in the order of the questions. */
  #ask(items: readonly Item[]): Promise<WorkerAnswer | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    this.#live ??= this.#start();
    const live = this.#live;
    return new Promise((resolve) => {
      const timer = setTimeout(() => void live.worker.terminate(), HANGS_AFTER);
      live.asked.push((answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      live.worker.postMessage(items.map(({ job }) => job));
    });
  }

  #start(): Live {
    const worker = new Worker(this.#program.program, {
      workerData: this.#program.data,
      env: {},
      execArgv: [],
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const live: Live = { worker, asked: [] };
    const broke = () => {
      if (this.#live === live) this.#live = undefined;
      for (const answer of live.asked.splice(0)) answer(undefined);
    };
    worker.on('message', (answer: WorkerAnswer) => live.asked.shift()?.(answer));
    worker.on('error', broke);
    worker.on('exit', broke);
    return live;
  }
}

/** A running thread and who waits for its answers. */
interface Live {
  readonly worker: Worker;
  readonly asked: ((answer: WorkerAnswer | undefined) => void)[];
}
