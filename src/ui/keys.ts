/** Answers from an input: whole lines, or single keys in raw mode; what is typed too early can be dropped. */
import { StringDecoder } from 'node:string_decoder';

/** What is needed of an input; `process.stdin` is one. */
export interface InputStream extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  readonly isRaw?: boolean;
  readonly readableFlowing?: boolean | null;
  setRawMode?(mode: boolean): unknown;
}

/** `word`: a line (trimmed, lower case) or a key; empty for Enter alone and for what means nothing. */
export type Typed = { readonly kind: 'word'; readonly word: string } | { readonly kind: 'end' } | { readonly kind: 'stopped' };

export interface Keys {
  /** Drops what comes until nothing came for `quietMs`; at most eight times as long. */
  drop(quietMs: number): Promise<void>;
  next(): Promise<Typed>;
  /** Puts the input back as it was. */
  close(): void;
}

const MOST_QUIET = 8;
const LONGEST_LINE = 1000;

/** `single`: raw mode, one key at a time. An aborted signal is `stopped`. */
export function openKeys(input: InputStream, options: { readonly single: boolean; readonly signal: AbortSignal }): Keys {
  const { single, signal } = options;
  const queue: Typed[] = [];
  const decoder = new StringDecoder('utf8');
  let wake: (() => void) | undefined;
  let dropping = true;
  let heard = false;
  const put = (typed: Typed): void => {
    queue.push(typed);
    wake?.();
  };
  const read = single ? keyReader(put) : lineReader(put);
  const onData = (chunk: unknown): void => {
    heard = true;
    read(typeof chunk === 'string' ? chunk : decoder.write(chunk as Buffer), dropping);
  };
  const onEnd = (): void => put({ kind: 'end' });
  const onAbort = (): void => put({ kind: 'stopped' });
  const before = { raw: input.isRaw === true, flowing: input.readableFlowing === true };
  if (single) input.setRawMode?.(true);
  input.on('data', onData);
  for (const name of ['end', 'close', 'error']) input.on(name, onEnd);
  signal.addEventListener('abort', onAbort);
  input.resume();
  if (signal.aborted) onAbort();
  else if (!input.readable) onEnd();
  return {
    async drop(quietMs) {
      dropping = true;
      for (let i = 0; i < MOST_QUIET && queue.length === 0; i++) {
        heard = false;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, quietMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        if (!heard) break;
      }
      dropping = false;
    },
    async next() {
      for (;;) {
        const typed = queue.shift();
        if (typed) return typed;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close() {
      input.off('data', onData);
      for (const name of ['end', 'close', 'error']) input.off(name, onEnd);
      signal.removeEventListener('abort', onAbort);
      if (single && !before.raw) input.setRawMode?.(false);
      if (!before.flowing) input.pause();
    },
  };
}

type Reader = (data: string, dropping: boolean) => void;

/** Whole lines; the rest of a line that was begun too early is dropped with its beginning. */
function lineReader(put: (typed: Typed) => void): Reader {
  let line = '';
  let spoiled = false;
  return (data, dropping) => {
    if (data.includes('\x03')) put({ kind: 'stopped' });
    const pieces = (line + data).split(/\r?\n/);
    line = (pieces.pop() ?? '').slice(0, LONGEST_LINE);
    if (dropping) {
      spoiled = line !== '' || (spoiled && pieces.length === 0);
      line = '';
      return;
    }
    for (const piece of pieces) {
      if (!spoiled) put({ kind: 'word', word: piece.trim().toLowerCase().normalize('NFC').slice(0, 20) });
      spoiled = false;
    }
  };
}

/** One chunk in raw mode: Ctrl+C always counts; otherwise a single letter, perhaps with its Enter, or Ctrl+D. */
function keyReader(put: (typed: Typed) => void): Reader {
  return (data, dropping) => {
    if (data.includes('\x03')) put({ kind: 'stopped' });
    else if (!dropping) {
      const key = data.slice(0, 20).replace(/[\r\n]+$/, '');
      // Pasted text, arrow keys and the like are no answer.
      if (key === '\x04') put({ kind: 'end' });
      else put({ kind: 'word', word: [...key].length === 1 && key > ' ' && key !== '\x7f' ? key.toLowerCase() : '' });
    }
  };
}
