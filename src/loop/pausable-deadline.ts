/** A deadline that stands still while somebody is asked. */

export interface PausableDeadline {
  /** Holds the clock while `work` runs; may be nested and overlap. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Calls `reach` once, `ms` of unheld time after it was made. */
export function pausableDeadline(ms: number, reach: () => void): PausableDeadline {
  let left = ms;
  let since = performance.now();
  let holders = 0;
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    since = performance.now();
    timer = setTimeout(reach, left);
    timer.unref();
  };
  const pause = (): void => {
    clearTimeout(timer);
    left = Math.max(0, left - (performance.now() - since));
  };
  start();
  let stopped = false;
  return {
    async hold(work) {
      if (holders++ === 0) pause();
      try {
        return await work();
      } finally {
        if (--holders === 0 && !stopped) start();
      }
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
