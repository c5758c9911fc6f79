/** A provider that repeats recorded turns: the whole program runs without a network. */
import type { Provider, ProviderEvent } from '../types/provider.js';

type Turns = readonly (readonly ProviderEvent[])[];

/**
 * The nth `stream` call of an agent yields its nth turn; `turns` are those of every agent that `workers` does not name. Past the last
 * turn, or for a turn without an end, the fault kind is `replay`.
 */
export function createReplayProvider(turns: Turns, workers: ReadonlyMap<string, Turns> = new Map()): Provider {
  const asked = new Map<string, number>();
  return {
    name: 'REPLAY',
    async *stream({ agent = 'main' }, { signal }) {
      const own = workers.get(agent);
      const key = own ? agent : 'main';
      const all = own ?? turns;
      const calls = (asked.get(key) ?? 0) + 1;
      asked.set(key, calls);
      const turn = all[calls - 1];
      for (const event of turn ?? []) {
        if (signal.aborted) {
          yield { type: 'end', reason: 'aborted' };
          return;
        }
        yield event;
        if (event.type === 'end') return;
      }
      yield missing(calls, all.length, turn !== undefined);
    },
  };
}

function missing(call: number, recorded: number, cut: boolean): ProviderEvent {
  const message = cut
    ? `the recording of turn ${call} has no end`
    : `turn ${call} was asked for, but the recording has ${recorded}`;
  return { type: 'end', reason: 'error', fault: { kind: 'replay', message, retryable: false } };
}
