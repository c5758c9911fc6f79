/** What was spent in a session, by agent and model, from its events. */
import { addUsage, NO_USAGE } from '../../loop/ports.js';
import type { Spent } from '../../types/command-ports.js';
import type { AgentEvent } from '../../types/event.js';

export interface Spending {
  /** Sees every event. */
  take(event: AgentEvent): void;
  rows(): readonly Spent[];
  /** Tokens of the last request of the main agent; undefined before the first. */
  window(): number | undefined;
  /** The conversation is another one now; what was spent stays. */
  forgetWindow(): void;
}

export function createSpending(): Spending {
  const rows = new Map<string, Spent>();
  const names = new Map<string, { readonly agent: string; readonly model: string }>();
  let main = { agent: 'main', model: '' };
  let measured: number | undefined;
  return {
    take(event) {
      if (event.type === 'run-start' && event.agent === 'main')
        main = { agent: 'main', model: `${event.provider}/${event.model}` };
      if (event.type === 'worker-start') names.set(event.worker, { agent: event.kind, model: event.model ?? main.model });
      if (event.type !== 'usage') return;
      if (event.agent === 'main') measured = event.usage.input + event.usage.output;
      const who = event.agent === 'main' ? main : (names.get(event.agent) ?? { agent: event.agent, model: main.model });
      const key = `${who.agent}\n${who.model}`;
      const before = rows.get(key) ?? { ...who, requests: 0, usage: NO_USAGE, cost: 0 };
      const cost = before.cost === undefined || event.cost === undefined ? undefined : before.cost + event.cost;
      rows.set(key, { ...before, requests: before.requests + 1, usage: addUsage(before.usage, event.usage), cost });
    },
    rows: () => [...rows.values()],
    window: () => measured,
    forgetWindow() {
      measured = undefined;
    },
  };
}
