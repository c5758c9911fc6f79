/** What a command prints: the two ends in memory, all of it in a log when it is long, live text for people. */
import { BoundedBytes, type KeptText } from './bounded-bytes.js';
import { cleanText } from './clean-text.js';
import { type LiveText, liveText } from './live-text.js';
import { LogFile } from './log-file.js';

export interface OutputOptions {
  /** Bytes kept in memory, half from the beginning and half from the end. */
  readonly keepBytes: number;
  /** Where the whole output goes once it is longer than `logAbove` bytes. The file must not exist. */
  readonly logFile?: string;
  readonly logAbove?: number;
  readonly logCap?: number;
  readonly onOutput?: (text: string) => void;
  readonly rawText?: boolean;
}

/** One stream of output from its first byte to after its command has ended. */
export class CommandOutput {
  readonly #options: OutputOptions;
  readonly #kept: BoundedBytes;
  readonly #live: LiveText | undefined;
  #log: LogFile | undefined;
  #closed = false;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.#kept = new BoundedBytes(options.keepBytes);
    this.#live = options.onOutput === undefined ? undefined : liveText(options.onOutput);
  }

  get totalBytes(): number {
    return this.#kept.total;
  }

  /** Takes a chunk. A promise asks the caller to read no more until it resolves. */
  accept(chunk: Uint8Array): Promise<void> | undefined {
    if (!this.#closed) this.#take(chunk);
    if (this.#log === undefined || this.#log.write(chunk)) return undefined;
    return this.#log.drained();
  }

  #take(chunk: Uint8Array): void {
    const { logFile, logAbove, keepBytes } = this.#options;
    const limit = Math.min(logAbove ?? keepBytes, keepBytes);
    if (logFile !== undefined && this.#log === undefined && this.#kept.total + chunk.length > limit) this.startLog();
    this.#kept.push(chunk);
    this.#live?.push(chunk);
  }

  /** Starts the log with what is kept. Does nothing without a path or when something was already left out. */
  startLog(): void {
    const { logFile, logCap } = this.#options;
    if (logFile === undefined || this.#log !== undefined) return;
    const { head, tail, omitted } = this.#kept.bytes();
    if (omitted > 0) return;
    this.#log = new LogFile(logFile, logCap);
    this.#log.write(Buffer.concat([head, tail]));
  }

  /** The text for the model. From now on chunks only go to the log. */
  async finish(): Promise<KeptText & { readonly logFile?: string; readonly logEndedAt?: number }> {
    this.#closed = true;
    this.#live?.end();
    await this.#log?.flushed();
    const text = this.#kept.text();
    const endedAt = this.#log?.endedAt;
    const end = endedAt === undefined ? {} : { logEndedAt: endedAt };
    const log = this.#log?.ok ? { logFile: this.#log.path, ...end } : {};
    const clean = this.#options.rawText ? (part: string) => part : cleanText;
    return { head: clean(text.head), tail: clean(text.tail), omittedBytes: text.omittedBytes, ...log };
  }

  closeLog(): Promise<void> {
    return this.#log?.close() ?? Promise.resolve();
  }
}
