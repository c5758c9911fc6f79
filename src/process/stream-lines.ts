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
}

export interface StreamedLine {
  readonly text: string;
  /** The line was longer than is kept. */
  readonly cut: boolean;
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
  return { lines: linesOf(child, options.maxLineBytes ?? MAX_LINE, () => stop('early')), end };
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

async function* linesOf(child: ChildProcess, most: number, stop: () => void): AsyncGenerator<StreamedLine> {
  let kept: Buffer[] = [];
  let length = 0;
  let cut = false;
  let complete = false;
  const keep = (piece: Buffer) => {
    if (length + piece.length > most) cut = true;
    if (length < most) kept.push(piece.subarray(0, most - length));
    length += piece.length;
  };
  const take = (): StreamedLine => {
    const line = { text: Buffer.concat(kept).toString('utf8'), cut };
    kept = [];
    length = 0;
    cut = false;
    return line;
  };
  try {
    if (!child.stdout) return;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        keep(chunk.subarray(from, at));
        from = at + 1;
        yield take();
      }
      keep(chunk.subarray(from));
    }
    complete = true;
    if (length > 0) yield take();
  } catch {
    // A pipe that breaks ends the lines; `end` tells the rest.
  } finally {
    if (!complete) stop();
  }
}
