/** What stops a run from outside: Ctrl+C, a termination signal, the time limit. */
import { setMaxListeners } from 'node:events';

/** While another program has the terminal, its Ctrl+C is its own. */
let handedOver = 0;

/** Until `work` has ended, Ctrl+C and Ctrl+\\ stop nothing of ours: the terminal sends them to us as well. */
export async function deafToKeys<T>(work: Promise<T>): Promise<T> {
  const names = ['SIGINT', 'SIGQUIT'] as const;
  const ignore = (): void => undefined;
  for (const name of names) process.on(name, ignore);
  handedOver++;
  try {
    return await work;
  } finally {
    handedOver--;
    for (const name of names) process.off(name, ignore);
  }
}

export interface Stopper {
  readonly signal: AbortSignal;
  /** Stops as Ctrl+C does. */
  stop(): void;
  /** True when the whole program was asked to end, not only what it does now. */
  terminated(): boolean;
  /** Gives the signals and the timer back. */
  release(): void;
}

/**
 * Aborts with reason `interrupted` or `timeout`. A second Ctrl+C ends the process at once with 130:
 * what runs then is ended by the watcher, and files are never left half-written.
 */
export function createStopper(options: { readonly timeoutMs?: number; onSignal?(): void }): Stopper {
  const controller = new AbortController();
  // Every call of a batch listens; how many there are is the model's choice.
  setMaxListeners(0, controller.signal);
  let count = 0;
  let ending = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGINT' && handedOver > 0) return;
    count++;
    ending ||= signal === 'SIGTERM' || signal === 'SIGHUP';
    if (count > 1) process.exit(130);
    options.onSignal?.();
    controller.abort('interrupted');
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, onSignal);
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => controller.abort('timeout'), options.timeoutMs);
  return {
    signal: controller.signal,
    stop: () => controller.abort('interrupted'),
    terminated: () => ending,
    release() {
      for (const name of names) process.off(name, onSignal);
      if (timer) clearTimeout(timer);
    },
  };
}
