/** A stream that may lose its reader: writing to it never throws, and a closed pipe ends quietly. */

/** What is needed of a stream; `process.stdout` is one. */
export interface OutputStream {
  write(text: string): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  readonly columns?: number;
}

export interface Output {
  write(text: string): void;
  /** True once the reader is gone or the disk is full. */
  readonly closed: boolean;
}

const guarded = new WeakMap<OutputStream, { closed: boolean; hear: Set<() => void> }>();

/** `onClosed` is called once when nobody reads any more. One error listener a stream, however many outputs share it. */
export function createOutput(stream: OutputStream, onClosed?: () => void): Output {
  let guard = guarded.get(stream);
  if (!guard) {
    const fresh = { closed: false, hear: new Set<() => void>() };
    guard = fresh;
    guarded.set(stream, fresh);
    stream.on('error', () => {
      if (fresh.closed) return;
      fresh.closed = true;
      for (const listener of fresh.hear) listener();
    });
  }
  const state = guard;
  if (onClosed) state.hear.add(onClosed);
  return {
    write(text) {
      if (state.closed || text === '') return;
      try {
        stream.write(text);
      } catch {
        state.closed = true;
        for (const listener of state.hear) listener();
      }
    },
    get closed() {
      return state.closed;
    },
  };
}
