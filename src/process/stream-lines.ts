/** Runs a program without a shell and gives its output line by line; whoever stops listening ends it. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface StreamOptions {
  /** Absolute path of the program. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Milliseconds after which it is killed. */
  readonly timeoutMs?: number;
  /** Bytes kept of one line; what is beyond is dropped. */
  readonly maxLineBytes?: number;
  /** What comes right after these letters (plain ASCII) is told even of a line that was cut. */
  readonly mark?: string;
}

export interface StreamedLine {
  readonly text: string;
  /** The line was longer than is kept. */
  readonly cut: boolean;
  /** Of a line that was cut: up to 32 bytes after the first `mark` in it. */
  readonly afterMark?: string;
}

export interface StreamEnd {
  /** Null when it was killed or never started. */
  readonly exitCode: number | null;
  /** The beginning of what it said on standard error. */
  readonly stderr: string;
  /** Why it was ended by us, if it was. */
  readonly stopped?: 'early' | 'timeout' | 'aborted';
  /** It could not be started: the errno name. */
  readonly failed?: string;
}

export interface LineStream {
  /** Leaving the loop kills the program. Ends without throwing; see `end` for how. */
  readonly lines: AsyncIterable<StreamedLine>;
  /** Settles after `lines` has ended; never rejects. */
  readonly end: Promise<StreamEnd>;
}

const MAX_LINE = 4 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;
const AFTER_MARK = 32;

/** Starts at once. Standard input is closed. */
export function streamLines(options: StreamOptions): LineStream {
  const child = spawn(options.file, [...options.args], {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let stopped: StreamEnd['stopped'];
  const stop = (why: NonNullable<StreamEnd['stopped']>) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    stopped ??= why;
    child.kill('SIGKILL');
  };
  const onAbort = () => stop('aborted');
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), options.timeoutMs);

  const stderr = collectStart(child);
  const end = new Promise<StreamEnd>((resolve) => {
    let failed: string | undefined;
    const finish = (exitCode: number | null) => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      resolve({ exitCode, stderr: stderr(), ...(stopped ? { stopped } : {}), ...(failed ? { failed } : {}) });
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      failed ??= error.code ?? 'EIO';
      if (child.pid === undefined) finish(null);
    });
    child.on('close', (code) => finish(failed === undefined ? code : null));
  });
  return { lines: linesOf(child, new KeptLine(options.maxLineBytes ?? MAX_LINE, options.mark), () => stop('early')), end };
}

function collectStart(child: ChildProcess): () => string {
  const parts: Buffer[] = [];
  let length = 0;
  child.stderr?.on('data', (chunk: Buffer) => {
    if (length >= MAX_STDERR) return;
    parts.push(chunk.subarray(0, MAX_STDERR - length));
    length += chunk.length;
  });
  child.stderr?.on('error', () => undefined);
  return () => Buffer.concat(parts).toString('utf8');
}

/** One line as far as it is kept; of what is dropped only the mark is looked for. */
class KeptLine {
  readonly #most: number;
  readonly #mark: Buffer | undefined;
  #kept: Buffer[] = [];
  #length = 0;
  /** The last bytes that were looked at: a mark may lie across two pieces. */
  #last: Buffer | undefined;
  #after: string | undefined;

  constructor(most: number, mark: string | undefined) {
    this.#most = most;
    this.#mark = mark === undefined ? undefined : Buffer.from(mark);
  }

  get length(): number {
    return this.#length;
  }

  keep(piece: Buffer): void {
    const room = this.#most - this.#length;
    if (piece.length > room) this.#look(piece);
    if (room > 0) this.#kept.push(piece.subarray(0, room));
    this.#length += piece.length;
  }

  take(): StreamedLine {
    const cut = this.#length > this.#most;
    if (cut) this.#look(Buffer.alloc(AFTER_MARK, ' '));
    const after = cut && this.#after !== undefined ? { afterMark: this.#after } : {};
    const line = { text: Buffer.concat(this.#kept).toString('utf8'), cut, ...after };
    this.#kept = [];
    this.#length = 0;
    this.#last = undefined;
    this.#after = undefined;
    return line;
  }

  #look(piece: Buffer): void {
    const mark = this.#mark;
    if (!mark || this.#after !== undefined) return;
    // The first time, what was kept before is looked at too.
    const bytes = Buffer.concat([...(this.#last ? [this.#last] : this.#kept), piece]);
    const at = bytes.indexOf(mark);
    const from = at + mark.length;
    if (at >= 0 && bytes.length - from >= AFTER_MARK) this.#after = bytes.toString('latin1', from, from + AFTER_MARK).trimEnd();
    else this.#last = bytes.subarray(-(mark.length + AFTER_MARK));
  }
}

async function* linesOf(child: ChildProcess, line: KeptLine, stop: () => void): AsyncGenerator<StreamedLine> {
  let complete = false;
  try {
    if (!child.stdout) return;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        line.keep(chunk.subarray(from, at));
        from = at + 1;
        yield line.take();
      }
      line.keep(chunk.subarray(from));
    }
    complete = true;
    if (line.length > 0) yield line.take();
  } catch {
    // A pipe that breaks ends the lines; `end` tells the rest.
  } finally {
    if (!complete) stop();
  }
}
