/** The servers of one run: one per kind and root, started when needed, ended when idle, too large, too many, or broken. */
import { totalmem } from 'node:os';
import { createMutex } from '../../base/mutex.js';
import type { SandboxPort } from '../../types/sandbox.js';
import { ToolFault } from '../../types/tool.js';
import { type Client, openClient } from './client.js';
import type { FoundServer } from './find-server.js';
import { launchServer, type ServerProcess } from './launch.js';
import { oneLine } from './plain.js';
import { type FindOptions, serverEnv } from './server-env.js';

/** Bounds; milliseconds and bytes. */
export interface PoolLimits {
  readonly initializeMs: number;
  readonly idleMs: number;
  readonly memoryBytes: number;
  readonly watchMs: number;
  readonly servers: number;
}

export const POOL_LIMITS: PoolLimits = {
  initializeMs: 60_000,
  idleMs: 5 * 60_000,
  memoryBytes: Math.min(4 * 2 ** 30, totalmem() / 2),
  watchMs: 5000,
  servers: 6,
};

export interface PoolOptions extends FindOptions {
  readonly sandbox?: Pick<SandboxPort, 'confine'> | undefined;
  /** Version of this program, told to servers. */
  readonly version: string;
  readonly limits: PoolLimits;
}

/** One server of the pool. `asleep`: once ended for idleness or for others, it starts again at the next use. */
export interface Session {
  readonly found: FoundServer;
  /** One check or question after the other. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Starts it when it does not run. Throws ToolFault when it cannot be had. */
  client(): Promise<Client>;
  /** The running client. */
  current(): Client | undefined;
  /** Counts starts: what was learnt from an earlier one is void. */
  generation(): number;
  /** Does not use it any more in this run; the sentence is said once. */
  putAside(reason: string): void;
  /** Why it is not used any more. */
  aside(): string | undefined;
  /** `slow`: the last it finished took longer than a result waits. `owes`: answers nobody waits for any more. */
  readonly patience: { slow: boolean; owes: number; told: boolean };
}

export interface Pool {
  /** The one session for a found server. */
  session(found: FoundServer): Session;
  running(): readonly Session[];
  /** Sentences about servers that were put aside, each once. */
  notes(): string[];
  close(): Promise<void>;
}

const SHUTDOWN_MS = 150;
/** Unexpected ends in a run before a server is put aside. */
const MOST_DEATHS = 3;
const LONGEST_REASON = 300;

/** Starts nothing by itself. */
export function createPool(options: PoolOptions): Pool {
  const sessions = new Map<string, Entry>();
  const notes: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const watch = () => {
    timer ??= setInterval(() => {
      for (const entry of sessions.values()) entry.look();
      if ([...sessions.values()].every((entry) => !entry.isAlive())) {
        clearInterval(timer);
        timer = undefined;
      }
    }, options.limits.watchMs).unref();
  };
  const started = (entry: Entry) => {
    watch();
    const others = [...sessions.values()].filter((each) => each !== entry && each.isAlive());
    others.sort((a, b) => a.usedAt() - b.usedAt());
    for (const other of others.slice(0, Math.max(0, others.length + 1 - options.limits.servers))) other.sleep();
  };
  return {
    session(found) {
      const key = JSON.stringify([found.name, found.file, found.args, found.root]);
      let entry = sessions.get(key);
      if (entry === undefined) {
        entry = new Entry(found, { options, started, note: (text) => notes.push(text), isClosed: () => closed });
        sessions.set(key, entry);
      }
      return entry;
    },
    running: () => [...sessions.values()].filter((each) => each.current() !== undefined),
    notes: () => notes.splice(0),
    async close() {
      closed = true;
      clearInterval(timer);
      await Promise.all([...sessions.values()].map((entry) => entry.end()));
    },
  };
}

interface Surroundings {
  readonly options: PoolOptions;
  started(entry: Entry): void;
  note(text: string): void;
  isClosed(): boolean;
}

class Entry implements Session {
  readonly found: FoundServer;
  readonly patience = { slow: false, owes: 0, told: false };
  readonly #around: Surroundings;
  readonly #lock = createMutex();
  #busy = 0;
  #opening: Promise<Client> | undefined;
  #client: Client | undefined;
  #process: ServerProcess | undefined;
  #aside: string | undefined;
  #generation = 0;
  #deaths = 0;
  #usedAt = performance.now();

  constructor(found: FoundServer, around: Surroundings) {
    this.found = found;
    this.#around = around;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await this.#lock.run(work);
    } finally {
      this.#busy -= 1;
      this.#usedAt = performance.now();
    }
  }

  async client(): Promise<Client> {
    if (this.#around.isClosed()) throw new ToolFault('Aborted', 'the run is over');
    const { name } = this.found;
    if (this.#aside !== undefined)
      throw new ToolFault('Failed', `the language server ${name} is not used any more: ${this.#aside}`);
    this.#usedAt = performance.now();
    this.#opening ??= this.#open();
    return this.#opening;
  }

  current(): Client | undefined {
    return this.#client;
  }

  generation(): number {
    return this.#generation;
  }

  aside(): string | undefined {
    return this.#aside;
  }

  putAside(reason: string): void {
    const why = oneLine(reason, LONGEST_REASON);
    if (this.#aside === undefined && !this.#around.isClosed())
      this.#around.note(`The language server ${this.found.name} is not used any more in this session: ${why}.`);
    this.#aside ??= why;
    this.sleep();
  }

  isAlive(): boolean {
    return this.#process !== undefined;
  }

  usedAt(): number {
    return this.#usedAt;
  }

  /** Ends it; the next use starts it again. */
  sleep(): void {
    const process = this.#process;
    // One that is still being started is of no use when it comes.
    this.#generation += 1;
    this.#opening = undefined;
    this.#client = undefined;
    this.#process = undefined;
    process?.kill();
  }

  /** Ends it when it is idle or too large. */
  look(): void {
    if (this.#process === undefined) return;
    const { idleMs, memoryBytes } = this.#around.options.limits;
    if (this.#client !== undefined && this.#busy === 0 && performance.now() - this.#usedAt > idleMs) {
      this.sleep();
      return;
    }
    const memory = this.#process.memory() ?? 0;
    const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
    if (memory > memoryBytes)
      this.putAside(`it held ${mebibytes(memory)} MiB of memory, more than the ${mebibytes(memoryBytes)} allowed`);
  }

  async end(): Promise<void> {
    const process = this.#process;
    if (process === undefined) return;
    if (this.#client !== undefined && this.#busy === 0) await this.#client.shutdown(SHUTDOWN_MS);
    process.kill();
    await Promise.race([process.ended, new Promise((resolve) => setTimeout(resolve, SHUTDOWN_MS))]);
  }

  async #open(): Promise<Client> {
    this.#generation += 1;
    const mine = this.#generation;
    const { options, started, isClosed } = this.#around;
    const launched = await this.#launch();
    if (isClosed() || mine !== this.#generation) {
      launched.kill();
      throw new ToolFault('Aborted', isClosed() ? 'the run is over' : 'it was ended while it started');
    }
    this.#process = launched;
    started(this);
    try {
      const onFault = (reason: string) => this.#broke(launched, reason);
      const { initializeMs } = options.limits;
      this.#client = await openClient({ ...options, found: this.found, process: launched, initializeMs, onFault });
      return this.#client;
    } catch (error) {
      if (this.#process === launched) this.putAside(error instanceof Error ? error.message : String(error));
      if (this.#aside === undefined || !(error instanceof ToolFault) || error.code === 'Aborted') throw error;
      throw new ToolFault(error.code, `the language server ${this.found.name} could not be started: ${this.#aside}`);
    }
  }

  async #launch(): Promise<ServerProcess> {
    const { options, note } = this.#around;
    const { file, args, cwd } = this.found;
    try {
      return await launchServer({ file, args, cwd, env: serverEnv(options), sandbox: options.sandbox, note });
    } catch (error) {
      this.putAside(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  /** A server that ends when it is started, or again and again, is not started any more. */
  #broke(launched: ServerProcess, reason: string): void {
    if (this.#process !== launched) return;
    const said = launched.complaint();
    const isStart = this.#client === undefined;
    this.sleep();
    this.#deaths += 1;
    if (!isStart && this.#deaths < MOST_DEATHS) {
      if (this.#busy > 0 && !this.#around.isClosed())
        this.#around.note(
          `The language server ${this.found.name} broke (${oneLine(reason, LONGEST_REASON)}), so this was not checked.`,
        );
      return;
    }
    const when = isStart ? 'when it was started' : `${this.#deaths} times`;
    this.putAside(`${reason}, ${when}${said === '' ? '' : ` (${said})`}`);
  }
}
