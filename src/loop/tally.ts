/** What a run has come to so far: usage, denials, changed files, the last tests. */
import { stableJson } from '../base/stable-json.js';
import type { DeniedCall, RunOutcome, RunStatus } from '../types/agent.js';
import { because, english, type Reason } from '../types/reason.js';
import { addUsage, type LoopPorts, NO_USAGE } from './ports.js';
import type { BatchEntry } from './run-batch.js';

export class Tally {
  usage = NO_USAGE;
  turns = 0;
  /** Undefined as soon as one price is not known. */
  cost: number | undefined = 0;
  /** The last `test` was red and nothing better came after it. */
  testsRed = false;
  /** The operator's own checks failed when they ran last. */
  checksRed = false;
  private readonly denied = new Map<string, DeniedCall>();
  private readonly changed = new Set<string>();

  constructor(
    private readonly ports: Pick<LoopPorts, 'priceOf' | 'workspace'>,
    private readonly agentId: string,
  ) {}

  addUsage(usage: typeof NO_USAGE): number | undefined {
    const price = this.ports.priceOf(usage);
    this.usage = addUsage(this.usage, usage);
    this.cost = price === undefined || this.cost === undefined ? undefined : this.cost + price;
    return price;
  }

  addBatch(entries: readonly BatchEntry[]): void {
    for (const entry of entries) {
      if (!entry.parsed.ok) continue;
      const { call } = entry.parsed;
      const key = `${call.tool} ${stableJson(call.args)}`;
      if (entry.denied) {
        const summary = entry.prepared ? `${entry.prepared.facts.label.object}${loosening(entry)}` : '';
        const { deniedReason: reason = '', why, allowable = false } = entry;
        this.denied.set(key, { tool: call.tool, summary, reason, ...(why && { why }), agent: this.agentId, allowable });
      } else if (!entry.result.isError) {
        this.denied.delete(key);
      }
      for (const path of entry.result.changed ?? []) this.changed.add(this.ports.workspace.locate(path).shown);
      if (!entry.denied && entry.result.display?.kind === 'tests') this.testsRed = !entry.result.display.ok;
    }
  }

  /** True when this batch changed a file. */
  static edited(entries: readonly BatchEntry[]): boolean {
    return entries.some((entry) => (entry.result.changed?.length ?? 0) > 0);
  }

  /** `normally`: the model itself came to an end, so a denial decides the status (product.md 1: 3 wins over 1). */
  outcome(status: RunStatus, result: string, options: { readonly why?: Reason; readonly normally?: boolean } = {}): RunOutcome {
    const denied = [...this.denied.values()];
    const isDenied = options.normally === true && denied.length > 0;
    const why = options.why ?? (isDenied ? notAllowed(denied.length) : undefined);
    return {
      status: isDenied ? 'denied' : status,
      result,
      ...(why ? { reason: english(why), why } : {}),
      turns: this.turns,
      usage: this.usage,
      ...(this.cost === undefined ? {} : { cost: Math.round(this.cost * 1e6) / 1e6 }),
      denied,
      files: [...this.changed].sort(),
    };
  }
}

/** What a command was denied for may be what it wanted besides running. */
function loosening({ prepared }: BatchEntry): string {
  if (prepared?.facts.command === undefined) return '';
  if (prepared.call.args['outside'] === true) return ' (outside the sandbox)';
  return prepared.call.args['agent'] === true ? ' (with the SSH agent)' : '';
}

function notAllowed(count: number): Reason {
  return count === 1 ? because`1 call was not allowed` : because`${count} calls were not allowed`;
}
