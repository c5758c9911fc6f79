/** Keys from an input, in order: kept while nobody listens, a lone Esc told from a sequence by a short wait. */
import { createKeyDecoder } from './decode-keys.js';
import type { ScreenInput } from './early-input.js';
import type { Key } from './port.js';

export interface KeySource {
  /** Bytes that were read elsewhere before. */
  feed(bytes: Uint8Array): void;
  start(): void;
  /** Reads no more until `start`. What was held back of a sequence is dropped. */
  stop(): void;
  /** There is no terminal any more. */
  end(): void;
  onKey(listener: (key: Key) => void): () => void;
  onEnd(listener: () => void): () => void;
}

export interface KeySourceOptions {
  readonly now: () => number;
  readonly onReply: (reply: string) => void;
  /** Ctrl+Z; absent: a key like others. */
  readonly onStop?: () => void;
  /** Puts right what the terminal itself gives. */
  readonly righted?: (bytes: Uint8Array) => Uint8Array;
}

/** Keys kept while nobody listens. */
const MOST_HELD = 100_000;
/** Ctrl+C alone after such a silence gets out of a paste whose end was lost. */
const PASTE_SILENCE_MS = 1000;
/** So many lines in one read were pasted in a terminal that does not mark pastes: nobody types them so fast. */
const PASTED_LINES = 4;
/** The rest of such a paste comes at once. */
const UNMARKED_SILENCE_MS = 40;

export function createKeySource(input: ScreenInput, options: KeySourceOptions): KeySource {
  const decoder = createKeyDecoder({ onReply: options.onReply });
  const listeners = new Set<(key: Key) => void>();
  const endListeners = new Set<() => void>();
  const held: Key[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastData = 0;
  let ended = false;
  let reading = false;

  const give = (key: Key): void => {
    if (options.onStop && key.kind === 'key' && key.letter === 'z' && key.ctrl && !key.alt && !key.shift) {
      options.onStop();
      return;
    }
    if (listeners.size === 0 || held.length > 0) {
      if (held.length < MOST_HELD) held.push(key);
      return;
    }
    for (const listener of [...listeners]) listener(key);
  };
  const giveHeld = (): void => {
    while (held.length > 0 && listeners.size > 0) {
      const key = held.shift();
      if (key) for (const listener of [...listeners]) listener(key);
    }
  };
  let unmarked = false;
  const settle = (): void => {
    timer = undefined;
    for (const key of unmarked ? decoder.endPaste() : decoder.settle()) give(key);
    unmarked = false;
  };
  const feed = (bytes: Uint8Array): void => {
    clearTimeout(timer);
    timer = undefined;
    const now = options.now();
    const alone = bytes.length === 1 && bytes[0] === 0x03;
    if (alone && decoder.pasting && now - lastData > PASTE_SILENCE_MS) for (const key of decoder.endPaste()) give(key);
    lastData = now;
    for (const key of decoder.push(bytes)) give(key);
    if (!decoder.pasting) unmarked = false;
    const wait = unmarked ? UNMARKED_SILENCE_MS : decoder.waits();
    if (wait !== undefined) timer = setTimeout(settle, wait);
  };
  const onData = (chunk: Uint8Array | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const righted = options.righted?.(bytes) ?? bytes;
    if (righted === bytes && !decoder.pasting && decoder.waits() === undefined && isPasted(bytes)) {
      unmarked = true;
      feed(Buffer.concat([PASTE_START, bytes]));
    } else feed(righted);
  };
  const end = (): void => {
    if (ended) return;
    ended = true;
    for (const key of decoder.endPaste()) give(key);
    for (const listener of [...endListeners]) listener();
  };
  const onClose = (): void => end();
  return {
    feed,
    start() {
      if (reading) return;
      reading = true;
      input.on('data', onData);
      for (const name of ['end', 'close', 'error']) input.on(name, onClose);
      input.resume();
      if (!input.readable) end();
    },
    stop() {
      if (!reading) return;
      reading = false;
      clearTimeout(timer);
      decoder.settle();
      input.off('data', onData);
      for (const name of ['end', 'close']) input.off(name, onClose);
      input.pause();
    },
    end,
    onKey(listener) {
      listeners.add(listener);
      if (held.length > 0) queueMicrotask(giveHeld);
      return () => listeners.delete(listener);
    },
    onEnd(listener) {
      endListeners.add(listener);
      if (ended) queueMicrotask(() => endListeners.has(listener) && listener());
      return () => endListeners.delete(listener);
    },
  };
}

const PASTE_START = Buffer.from('\x1b[200~');
const CR = 0x0d;
const ESC = 0x1b;

/** Text with line ends and nothing that a key alone could be. */
function isPasted(bytes: Uint8Array): boolean {
  let lines = 1;
  for (const [at, byte] of bytes.entries()) {
    if (byte === ESC) return false;
    if (byte === CR && at + 1 < bytes.length) lines++;
  }
  return lines >= PASTED_LINES;
}
