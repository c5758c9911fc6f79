/** A chain of providers: when one is down, the next answers, and the first is tried again later. */
import type { Provider, ProviderEvent, ProviderRequest } from '../types/provider.js';

export interface FallbackLink {
  readonly provider: Provider;
  /** Model asked of this provider; absent: the request's own. */
  readonly model?: string;
}

/** A provider that failed rests this long (milliseconds), doubling to five minutes while it keeps failing. */
const REST_MS = 30_000;
const MAX_REST_MS = 300_000;

interface Health {
  failures: number;
  restsUntil: number;
}

/** Goes on to the next link when one ended with a passing fault. The last link's failure is the chain's. `now` is in milliseconds. */
export function fallbackProvider(links: readonly FallbackLink[], options: { readonly now?: () => number } = {}): Provider {
  const now = options.now ?? Date.now;
  const health = links.map((): Health => ({ failures: 0, restsUntil: 0 }));
  return {
    name: links[0]?.provider.name ?? 'NONE',
    // Whichever answers must be able to: what one refuses stays in the history.
    sees: (model, mediaType) => links.every((link) => link.provider.sees?.(link.model ?? model, mediaType) ?? false),
    async *stream(request, { signal }) {
      const order = inOrder(health, now());
      if (order.length === 0)
        yield {
          type: 'end',
          reason: 'error',
          fault: { kind: 'bad-request', message: 'no provider is configured', retryable: false },
        };
      for (const [place, index] of order.entries()) {
        const link = links[index] as FallbackLink;
        const state = health[index] as Health;
        let last: Extract<ProviderEvent, { type: 'end' }> = { type: 'end', reason: 'error' };
        for await (const event of link.provider.stream(requestFor(request, link), { signal })) {
          if (event.type === 'end') last = event;
          else yield event;
        }
        const down = last.reason === 'error' && last.fault?.retryable === true;
        note(state, down, now());
        if (!down || !last.fault || place === order.length - 1 || signal.aborted) return yield last;
        yield { type: 'restart', fault: last.fault, waitMs: 0, attempt: place + 1 };
      }
    },
  };
}

function requestFor(request: ProviderRequest, link: FallbackLink): ProviderRequest {
  return link.model === undefined ? request : { ...request, model: link.model };
}

/** Links that do not rest, in their order; then the resting ones, so that there is always someone to ask. */
function inOrder(health: readonly Health[], time: number): number[] {
  const all = health.map((_, index) => index);
  const rests = (index: number) => (health[index] as Health).restsUntil > time;
  return [...all.filter((index) => !rests(index)), ...all.filter(rests)];
}

function note(state: Health, down: boolean, time: number): void {
  state.failures = down ? state.failures + 1 : 0;
  state.restsUntil = down ? time + Math.min(MAX_REST_MS, REST_MS * 2 ** (state.failures - 1)) : 0;
}
