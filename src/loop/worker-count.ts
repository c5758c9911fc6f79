/** What a worker has spent and done, counted from its own events: it holds for every way in which it ends. */
import type { DeniedCall, RunOutcome } from '../types/agent.js';
import type { AgentEvent } from '../types/event.js';
import { callKey } from './denial-ledger.js';
import { addUsage, NO_USAGE } from './ports.js';

export interface WorkerCount {
  take(event: AgentEvent): void;
  /** `cost` is absent as soon as one price is not known. */
  spent(): Pick<RunOutcome, 'turns' | 'usage' | 'cost'>;
  /** Real paths. */
  readonly changed: readonly string[];
  readonly denied: readonly DeniedCall[];
}

export function workerCount(worker: string): WorkerCount {
  let usage = NO_USAGE;
  let cost: number | undefined = 0;
  let turns = 0;
  const changed = new Set<string>();
  const denied = new Map<string, DeniedCall>();
  const labels = new Map<string, string>();
  const ended = (event: Extract<AgentEvent, { readonly type: 'call-end' }>): void => {
    const { call, result, reason = '', why } = event;
    const summary = labels.get(call.id) ?? '';
    labels.delete(call.id);
    const key = callKey(call.tool, call.args);
    if (event.denied)
      denied.set(key, { tool: call.tool, summary, reason, ...(why && { why }), agent: worker, key, allowable: false });
    else if (!result.isError) denied.delete(key);
    for (const path of result.changed ?? []) changed.add(path);
  };
  return {
    take(event) {
      if (event.agent !== worker) return;
      if (event.type === 'turn-start') turns++;
      if (event.type === 'call-start') labels.set(event.call.id, event.label.object);
      if (event.type === 'call-end') ended(event);
      if (event.type !== 'usage') return;
      usage = addUsage(usage, event.usage);
      cost = cost === undefined || event.cost === undefined ? undefined : cost + event.cost;
    },
    spent: () => ({ turns, usage, ...(cost === undefined ? {} : { cost: Math.round(cost * 1e6) / 1e6 }) }),
    get changed() {
      return [...changed];
    },
    get denied() {
      return [...denied.values()];
    },
  };
}
