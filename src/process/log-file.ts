/** The whole output of a command on disk, with a cap, written without holding it in memory. */
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';

/** Bytes a log may hold; then a notice ends it. */
export const LOG_CAP = 256 * 1024 ** 2;

/** A log that takes bytes until its cap. A disk that is full or refuses never fails the command: `ok` turns false. */
export class LogFile {
  readonly path: string;
  readonly #stream: WriteStream;
  readonly #cap: number;
  #written = 0;
  #full = false;
  #failed = false;
  #opened = false;

  constructor(path: string, cap: number = LOG_CAP) {
    this.path = path;
    this.#cap = cap;
    this.#stream = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    this.#stream.on('open', () => {
      this.#opened = true;
    });
    this.#stream.on('error', () => {
      this.#failed = true;
      this.#stream.emit('drain');
    });
  }

  get ok(): boolean {
    return !this.#failed;
  }

  /** Bytes of output the log holds when it reached its cap and took no more; undefined while it holds everything. */
  get endedAt(): number | undefined {
    return this.#full ? this.#cap : undefined;
  }

  /** False asks the caller to wait for `drained` before it sends more. */
  write(chunk: Uint8Array): boolean {
    if (this.#full || this.#failed) return true;
    const room = this.#cap - this.#written;
    if (chunk.length > room) {
      this.#full = true;
      this.#stream.write(Buffer.from(chunk.subarray(0, room)));
      return this.#stream.write(`\n[log ends here: it reached its limit of ${this.#cap} bytes]\n`);
    }
    this.#written += chunk.length;
    return this.#stream.write(chunk);
  }

  drained(): Promise<void> {
    if (this.#failed || !this.#stream.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => this.#stream.once('drain', resolve));
  }

  /** Resolves when all that was written so far can be read from the file. */
  flushed(): Promise<void> {
    if (this.#failed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.once('error', () => resolve());
      this.#stream.write('', () => resolve());
    });
  }

  close(): Promise<void> {
    if (this.#failed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.once('error', () => resolve());
      this.#stream.end(() => resolve());
    });
  }

  /** Takes the file away again; only a file this log made. */
  async remove(): Promise<void> {
    await this.close();
    if (this.#opened) await rm(this.path, { force: true });
  }
}
