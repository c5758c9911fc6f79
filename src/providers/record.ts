/** Writes down what a provider says, event by event. */
import type { Provider, ProviderEvent } from '../types/provider.js';

/** Every event goes to `sink` before it is handed on; `turn` counts the `stream` calls from 1. */
export function recordingProvider(inner: Provider, sink: (turn: number, event: ProviderEvent) => void): Provider {
  let calls = 0;
  return {
    name: inner.name,
    async *stream(request, options) {
      const turn = ++calls;
      for await (const event of inner.stream(request, options)) {
        sink(turn, event);
        yield event;
      }
    },
  };
}
