/** Asks again after a passing fault: soon, with jitter, as the service wishes, and never once it was told to stop. */
import type { Provider, ProviderEvent, ProviderFault } from '../types/provider.js';
import { because, english } from '../types/reason.js';

export interface RetryOptions {
  /** Attempts after the first. */
  readonly maxRetries: number;
  /** Upper end of the first wait, milliseconds; doubles with every attempt. */
  readonly initialBackoffMs?: number;
  /** Waits; must settle at once when the signal fires. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** A service that wants more patience than this is given up on. */
const MAX_PATIENCE_MS = 120_000;

/** The same provider with up to `maxRetries` further attempts. Each is announced by `restart`: what came before is void. */
export function retryingProvider(inner: Provider, options: RetryOptions): Provider {
  return {
    name: inner.name,
    sees: inner.sees,
    stream: (request, { signal }) => attempts(() => inner.stream(request, { signal }), signal, options),
  };
}

async function* attempts(
  open: () => AsyncIterable<ProviderEvent>,
  signal: AbortSignal,
  options: RetryOptions,
): AsyncGenerator<ProviderEvent> {
  const sleep = options.sleep ?? sleepUntilAborted;
  for (let attempt = 1; ; attempt++) {
    let last: Extract<ProviderEvent, { type: 'end' }> = { type: 'end', reason: 'error' };
    for await (const event of open()) {
      if (event.type === 'end') last = event;
      else yield event;
    }
    const { fault } = last;
    if (last.reason !== 'error' || !fault?.retryable || attempt > options.maxRetries) return yield last;
    if (signal.aborted) return yield { type: 'end', reason: 'aborted' };
    const waitMs = waitBefore(attempt, fault, options);
    if (waitMs === undefined) return yield { ...last, fault: tooPatient(fault) };
    yield { type: 'restart', fault, waitMs, attempt };
    await sleep(waitMs, signal);
    if (signal.aborted) return yield { type: 'end', reason: 'aborted' };
  }
}

/** Milliseconds before attempt n + 1; undefined when the service asks for more than we wait. */
function waitBefore(attempt: number, fault: ProviderFault, options: RetryOptions): number | undefined {
  if (fault.retryAfterMs !== undefined) return fault.retryAfterMs > MAX_PATIENCE_MS ? undefined : fault.retryAfterMs;
  const random = options.random ?? Math.random;
  const ceiling = Math.min(MAX_BACKOFF_MS, (options.initialBackoffMs ?? FIRST_BACKOFF_MS) * 2 ** (attempt - 1));
  return Math.round(ceiling * (0.4 + 0.6 * random()));
}

function tooPatient(fault: ProviderFault): ProviderFault {
  const seconds = Math.ceil((fault.retryAfterMs ?? 0) / 1000);
  const why = because`${fault.why ?? fault.message} The service asks to wait ${seconds} seconds; we wait at most ${MAX_PATIENCE_MS / 1000}.`;
  return { ...fault, message: english(why), why };
}

/** Resolves after `ms`, or at once when the signal fires. */
function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
