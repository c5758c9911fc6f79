/** Reads the keyboard from the first moment of a start, so that nothing typed before the editor is up is lost. Loads nothing. */

/** What is needed of an input; `process.stdin` is one. */
export interface ScreenInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  readonly isRaw?: boolean;
  setRawMode?(mode: boolean): unknown;
}

export interface EarlyInput {
  /** What came so far, in order; from then on the caller reads, in the same turn. */
  take(): Uint8Array[];
  /** What comes in the first turns, read by whoever took over: Enter typed before the start is put right in it. */
  righted(bytes: Uint8Array): Uint8Array;
  /** Ends it without a screen: what was typed is dropped, the terminal is as before. */
  cancel(): void;
}

const MOST = 1024 * 1024;
const CTRL_C = 0x03;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Begins to read at once, without echo. Ctrl+C ends the program (SIGINT) as it did before. What was typed in lines before this
 * moment has `\n` for Enter; it is given as the `\r` that Enter is.
 */
export function startEarlyInput(input: ScreenInput, options: { readonly onInterrupt?: () => void } = {}): EarlyInput {
  const chunks: Uint8Array[] = [];
  const wasRaw = input.isRaw === true;
  const raw = input.isTTY === true && !wasRaw && typeof input.setRawMode === 'function';
  let size = 0;
  let open = true;
  let first = true;
  const stop = (): void => {
    open = false;
    input.off('data', onData);
    input.off('error', stop);
  };
  const cancel = (): void => {
    if (!open) return;
    stop();
    input.pause();
    if (raw) setRaw(input, false);
  };
  const onData = (chunk: Uint8Array | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk);
    if (raw && bytes.includes(CTRL_C)) {
      cancel();
      if (options.onInterrupt) options.onInterrupt();
      else process.kill(process.pid, 'SIGINT');
      return;
    }
    size += bytes.length;
    if (size <= MOST) chunks.push(righted(bytes));
  };
  const righted = (bytes: Uint8Array): Uint8Array => (first && raw ? bytes.map((byte) => (byte === LF ? CR : byte)) : bytes);
  if (raw) setRaw(input, true);
  input.on('data', onData);
  input.on('error', stop);
  input.resume();
  // What waited in lines is read in the first turns.
  setImmediate(() => setImmediate(() => (first = false)));
  return {
    take() {
      if (open) stop();
      return chunks.splice(0);
    },
    righted,
    cancel,
  };
}

/** Raw mode on or off; a terminal that is gone is no error. */
export function setRaw(input: ScreenInput, on: boolean): void {
  try {
    input.setRawMode?.(on);
  } catch {
    // Gone: whoever reads learns it from the stream.
  }
}
