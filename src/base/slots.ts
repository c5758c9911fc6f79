/** A counting semaphore: at most so many pieces of work at once, first come first served. */

export interface Slots {
  /**
   * Runs `work` in a slot. Rejects with the signal's reason when it is aborted while waiting; what runs already goes on, and
   * whoever waits behind takes its turn.
   */
  run<T>(work: () => Promise<T>, options?: { readonly signal?: AbortSignal }): Promise<T>;
}

/** `size` is at least 1. */
export function createSlots(size: number): Slots {
  let free = Math.max(1, Math.floor(size));
  const queue: (() => void)[] = [];
  const leave = (): void => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };
  return {
    async run(work, { signal } = {}) {
      signal?.throwIfAborted();
      if (free > 0) free--;
      else await enter(queue, signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

function enter(queue: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      signal?.removeEventListener('abort', give);
      resolve();
    };
    const give = (): void => {
      queue.splice(queue.indexOf(go), 1);
      reject(signal?.reason);
    };
    queue.push(go);
    signal?.addEventListener('abort', give, { once: true });
  });
}
