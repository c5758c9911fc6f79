/** One at a time: a promise chain that survives failures. */

export interface Mutex {
  /** Runs `work` when all earlier work has ended; the result or error is the work's own. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createMutex(): Mutex {
  let tail: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const result = tail.then(work, work);
      tail = result.catch(() => undefined);
      return result;
    },
  };
}
