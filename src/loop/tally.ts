/** What a run has come to so far: usage, denials, changed files, the last tests. */
import { cutMiddle, fairShare } from '../base/fair-share.js';
import type { DeniedCall, RunOutcome, RunStatus } from '../types/agent.js';
import { because, english, type Reason } from '../types/reason.js';
import { callKey } from './denial-ledger.js';
import { addUsage, type LoopPorts, NO_USAGE, type PreparedCall } from './ports.js';
import type { BatchEntry } from './run-batch.js';

/** Characters of workers' reports in the result of a run that was cut off. */
const MOST_FOUND = 40_000;
const MOST_ANSWERS = 64;

export class Tally {
  usage = NO_USAGE;
  turns = 0;
  /** Undefined as soon as one price is not known. */
  cost: number | undefined = 0;
  /** How the last `test` ended, also of workers and scripts; undefined: none ran. */
  tests: RunOutcome['tests'];
  /** The operator's own checks failed when they ran last. */
  checksRed = false;
  /** What workers answered, the newest last. */
  private readonly answers: string[] = [];
  private readonly denied = new Map<string, DeniedCall>();
  private readonly changed = new Set<string>();

  constructor(
    private readonly ports: Pick<LoopPorts, 'priceOf' | 'workspace' | 'gate'>,
    private readonly agentId: string,
  ) {}

  addUsage(usage: typeof NO_USAGE): number | undefined {
    const price = this.ports.priceOf(usage);
    this.usage = addUsage(this.usage, usage);
    this.cost = price === undefined || this.cost === undefined ? undefined : this.cost + price;
    return price;
  }

  get testsRed(): boolean {
    return this.tests === 'red';
  }

  addBatch(entries: readonly BatchEntry[]): void {
    const besides = new Set<RunOutcome['tests']>();
    for (const entry of entries) {
      if (!entry.parsed.ok) continue;
      const { call } = entry.parsed;
      const key = callKey(call.tool, call.args);
      if (entry.denied) {
        const { deniedReason: reason = '', why, allowable = false, prepared } = entry;
        const summary = summaryOf(prepared);
        const own = { tool: call.tool, summary, reason, ...(why && { why }), agent: this.agentId, key, allowable };
        this.denied.set(key, own);
      } else if (!entry.result.isError) {
        this.denied.delete(key);
      }
      if (entry.result.worker) this.addWorker(entry.result.worker);
      if (entry.parsed.tool.delegates === true && entry.result.worker?.result) this.answers.push(entry.result.output);
      this.answers.splice(0, this.answers.length - MOST_ANSWERS);
      for (const path of entry.result.changed ?? []) this.changed.add(this.ports.workspace.locate(path).shown);
      if (!entry.denied && entry.result.display?.kind === 'tests') this.tests = entry.result.display.ok ? 'green' : 'red';
      besides.add(entry.result.worker?.tests);
    }
    // Workers of one reply test side by side: which came last says nothing, so one that is red counts.
    if (besides.has('red')) this.tests = 'red';
    else if (besides.has('green')) this.tests = 'green';
  }

  /** What a worker spent and was denied counts for who called it. */
  private addWorker(worker: RunOutcome): void {
    this.usage = addUsage(this.usage, worker.usage);
    this.cost = worker.cost === undefined || this.cost === undefined ? undefined : this.cost + worker.cost;
    for (const call of worker.denied) this.denied.set(call.key ?? `${call.agent} ${call.tool} ${call.summary}`, call);
  }

  /** For a run that ends before its model could use them: what its workers found, bounded. */
  workersFound(): string {
    const shares = fairShare(
      this.answers.map((answer) => answer.length),
      MOST_FOUND,
    );
    return this.answers.map((answer, index) => cutMiddle(answer, shares[index] ?? 0)).join('\n\n');
  }

  /** True when this batch changed a file. */
  static edited(entries: readonly BatchEntry[]): boolean {
    return entries.some((entry) => (entry.result.changed?.length ?? 0) > 0);
  }

  /** `normally`: the model itself came to an end, so a denial decides the status (product.md 1: 3 wins over 1). */
  outcome(status: RunStatus, result: string, options: { readonly why?: Reason; readonly normally?: boolean } = {}): RunOutcome {
    const denied = [...this.denied.values()].filter(({ key }) => key === undefined || !this.ports.gate.ledger?.isSettled(key));
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
      ...(this.tests === undefined ? {} : { tests: this.tests }),
    };
  }
}

/** One denied call in a few words. */
export function summaryOf(prepared: PreparedCall | undefined): string {
  return prepared ? `${prepared.facts.label.object}${loosening(prepared)}` : '';
}

/** What a command was denied for may be what it wanted besides running. */
function loosening(prepared: PreparedCall): string {
  if (prepared.facts.command === undefined) return '';
  if (prepared.call.args['outside'] === true) return ' (outside the sandbox)';
  return prepared.call.args['agent'] === true ? ' (with the SSH agent)' : '';
}

function notAllowed(count: number): Reason {
  return count === 1 ? because`1 call was not allowed` : because`${count} calls were not allowed`;
}
