/** A provider that repeats recorded turns: the whole program runs without a network. */
import type { Provider, ProviderEvent } from '../types/provider.js';

/** The nth `stream` call yields the nth turn. Past the last turn, or for a turn without an end, the fault kind is `replay`. */
export function createReplayProvider(turns: readonly (readonly ProviderEvent[])[]): Provider {
  let calls = 0;
  return {
    name: 'REPLAY',
    async *stream(_request, { signal }) {
      const turn = turns[calls++];
      for (const event of turn ?? []) {
        if (signal.aborted) {
          yield { type: 'end', reason: 'aborted' };
          return;
        }
        yield event;
        if (event.type === 'end') return;
      }
      yield missing(calls, turns.length, turn !== undefined);
    },
  };
}

function missing(call: number, recorded: number, cut: boolean): ProviderEvent {
  const message = cut
    ? `the recording of turn ${call} has no end`
    : `turn ${call} was asked for, but the recording has ${recorded}`;
  return { type: 'end', reason: 'error', fault: { kind: 'replay', message, retryable: false } };
}
