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
  /** Drops what comes until nothing came for `quietMs`. False: it never fell silent (40 times as long). */
  drop(quietMs: number): Promise<boolean>;
  next(): Promise<Typed>;
  /** Puts the input back as it was. */
  close(): void;
}

const MOST_QUIET = 40;
/** A key with more right behind it is no answer: it is a paste, or the rest of an escape sequence. */
const SETTLE_MS = 30;
/** So long the rest of an escape sequence may take over a slow line. */
const REST_MS = 500;
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
  const reader = single ? keyReader(put) : { read: lineReader(put), close: () => undefined };
  const onData = (chunk: unknown): void => {
    heard = true;
    reader.read(typeof chunk === 'string' ? chunk : decoder.write(chunk as Buffer), dropping);
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
      let quiet = false;
      for (let i = 0; i < MOST_QUIET && queue.length === 0 && !quiet; i++) {
        heard = false;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, quietMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        quiet = !heard;
      }
      dropping = false;
      return quiet || queue.length > 0;
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
      reader.close();
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

/**
 * Single keys in raw mode. Ctrl+C always counts, Ctrl+D ends. A letter counts, perhaps with its Enter, when nothing else comes
 * with it or right behind it. Escape sequences (arrows, pastes between their marks) count for nothing, however they are cut up.
 */
function keyReader(put: (typed: Typed) => void): { readonly read: Reader; close(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let letters: string[] = [];
  let sequence = '';
  let pasting = false;
  const settle = (): void => {
    timer = undefined;
    const [key = '', ...more] = letters;
    const plain = sequence === '' && more.length === 0 && key > ' ' && key !== '\x7f';
    letters = [];
    sequence = '';
    put({ kind: 'word', word: plain ? key.toLowerCase() : '' });
  };
  const one = (letter: string): void => {
    if (sequence !== '') {
      sequence += letter;
      if (!isWhole(sequence)) return;
      if (sequence === '\x1b[200~') pasting = true;
      else if (sequence === '\x1b[201~') pasting = false;
      sequence = '';
      letters.push('', '');
    } else if (letter === '\x1b') sequence = letter;
    else if (!pasting && letter !== '\r' && letter !== '\n' && letters.length < 3) letters.push(letter);
  };
  return {
    read(data, dropping) {
      if (data.includes('\x03')) return put({ kind: 'stopped' });
      for (const letter of data) one(letter);
      if (dropping) letters = [];
      else if (letters[0] === '\x04' && letters.length === 1) return put({ kind: 'end' });
      clearTimeout(timer);
      // A sequence that was begun while keys are dropped is dropped with its end.
      const forget = () => {
        sequence = '';
      };
      if (!dropping || sequence !== '') timer = setTimeout(dropping ? forget : settle, sequence.length > 1 ? REST_MS : SETTLE_MS);
    },
    close: () => clearTimeout(timer),
  };
}

/** Is this the whole of an escape sequence: `ESC [ … final`, `ESC O x`, or `ESC x`? */
function isWhole(sequence: string): boolean {
  if (sequence.length < 2) return false;
  if (sequence[1] === '[') return sequence.length > 2 && /[@-~]$/.test(sequence);
  return sequence[1] === 'O' ? sequence.length > 2 : sequence[1] !== '\x1b';
}
