/** Turns raw output into live text for people: decoded, cleaned, in batches, and never more than a screen can use. */
import { cleanText } from './clean-text.js';

const BATCH_MS = 100;
/** Characters of one batch; when more came in, the newest stay. */
const BATCH_CHARS = 4096;

export interface LiveText {
  push(chunk: Uint8Array): void;
  /** Hands over what is left; nothing is called afterwards. */
  end(): void;
}

/** Batches chunks and calls `onOutput` at most ten times a second. */
export function liveText(onOutput: (text: string) => void): LiveText {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let pending = '';
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const flush = () => {
    timer = undefined;
    const text = cleanText(pending);
    pending = '';
    if (text !== '') onOutput(text);
  };
  return {
    push(chunk) {
      if (ended) return;
      const room = chunk.length > 4 * BATCH_CHARS ? chunk.subarray(chunk.length - 4 * BATCH_CHARS) : chunk;
      pending = (pending + decoder.decode(room, { stream: true })).slice(-BATCH_CHARS);
      timer ??= setTimeout(flush, BATCH_MS);
    },
    end() {
      if (ended) return;
      clearTimeout(timer);
      flush();
      ended = true;
    },
  };
}
