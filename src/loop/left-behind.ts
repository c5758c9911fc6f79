/** Ends to waiting: work that does not end by itself when it is stopped is left behind. */

/** Milliseconds after a stop. */
export const GRACE_MS = 3000;

export const LEFT = Symbol('left behind');

/** What `work` comes to; `LEFT` when it has not ended `ms` after the signal. What it throws later is nobody's. */
export async function endOrLeave<T>(work: Promise<T>, signal: AbortSignal, ms = GRACE_MS): Promise<T | typeof LEFT> {
  return endOr(work, (leave) => {
    let timer: NodeJS.Timeout | undefined;
    const wait = (): void => {
      timer = setTimeout(leave, ms);
    };
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
    return () => {
      signal.removeEventListener('abort', wait);
      clearTimeout(timer);
    };
  });
}

/** What `work` comes to; `LEFT` when it has not ended after `ms`. */
export async function endWithin<T>(work: Promise<T>, ms: number): Promise<T | typeof LEFT> {
  return endOr(work, (leave) => {
    const timer = setTimeout(leave, ms);
    return () => clearTimeout(timer);
  });
}

async function endOr<T>(work: Promise<T>, arm: (leave: () => void) => () => void): Promise<T | typeof LEFT> {
  let disarm: () => void = () => undefined;
  const left = new Promise<typeof LEFT>((resolve) => {
    disarm = arm(() => resolve(LEFT));
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    disarm();
    work.catch(() => undefined);
  }
}
