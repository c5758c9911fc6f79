/** The calls of one reply: gated in the model's order, run as far apart as their paths allow, answered in order. */

import { cutMiddle, fairShare } from '../base/fair-share.js';
import { shortProse } from '../base/one-line.js';
import { createSlots } from '../base/slots.js';
import { isAgentName } from '../protocol/find-tool.js';
import type { ParsedCall } from '../protocol/parse-reply.js';
import type { EventBody } from '../types/event.js';
import { because, english, type Reason } from '../types/reason.js';
import type { ToolResult } from '../types/tool.js';
import type { Emit } from './emit.js';
import { failedWriter, waitsFor } from './order.js';
import type { LoopPorts, PreparedCall } from './ports.js';
import { type CallInput, notExecuted, prepareCall, runPrepared } from './run-call.js';

/** How many calls of one batch run at the same time. */
const MOST_AT_ONCE = 10;
/** Agent calls of one reply that are dispatched, and characters of all their reports. */
const MOST_AGENTS = 16;
const REPORT_ROOM = 120_000;

export interface BatchEntry {
  readonly parsed: ParsedCall;
  readonly prepared?: PreparedCall;
  readonly result: ToolResult;
  readonly denied: boolean;
  readonly deniedReason?: string;
  readonly why?: Reason;
  readonly allowable?: boolean;
  /** The person stopped the run at the question for this call. */
  readonly stopped?: boolean;
}

/** Runs a batch; the entries stand in the order of `calls`, one for each. A stop at a question stops all of it. Never throws. */
export async function runBatch(
  calls: readonly ParsedCall[],
  input: CallInput,
  ports: LoopPorts,
  emit: Emit,
): Promise<BatchEntry[]> {
  const entries: (BatchEntry | undefined)[] = calls.map(() => undefined);
  const prepared: (PreparedCall | undefined)[] = [];
  const failed = new Set<number>();
  const finish = (index: number, entry: BatchEntry): void => {
    entries[index] = entry;
    if (entry.result.isError) failed.add(index);
    if (!entry.parsed.ok) {
      if (isAgentName(entry.parsed.name)) emit(notCalled(entry.parsed));
      return;
    }
    const { deniedReason: reason, why } = entry;
    const said = { ...(reason === undefined ? {} : { reason }), ...(why && { why }) };
    emit({ type: 'call-end', call: entry.parsed.call, result: entry.result, denied: entry.denied, ...said });
  };
  const besideAgents = calls.some((parsed) => parsed.ok && parsed.tool.delegates === true);
  const runnable: number[] = [];
  let stopped = false;
  let agents = 0;
  for (const [index, parsed] of calls.entries()) {
    if (stopped) break;
    if (parsed.ok && parsed.tool.delegates === true && ++agents > MOST_AGENTS) {
      const why = because`not dispatched: of one reply only the first ${MOST_AGENTS} agent calls are. Send it again when you have read the reports`;
      prepared.push(undefined);
      finish(index, { parsed, result: notExecuted(english(why)), denied: false, why });
      continue;
    }
    const step = await prepareCall(parsed, input, ports, emit, { besideAgents });
    prepared.push(step.prepared);
    if (step.ready) {
      runnable.push(index);
      continue;
    }
    if (parsed.ok && step.prepared) emit({ type: 'call-start', call: parsed.call, label: step.prepared.facts.label });
    const { denied, reason, why, allowable, result } = step;
    stopped = step.stopped === true;
    finish(index, { parsed, prepared: step.prepared, result, denied, deniedReason: reason, why, allowable, stopped });
  }
  const waits = waitsFor(prepared.map((call, index) => (runnable.includes(index) ? call : undefined)));
  const slots = createSlots(MOST_AT_ONCE);
  // Agents have slots of their own; waiting for one must not hold up reading.
  const inSlot = (call: PreparedCall, work: () => Promise<void>) => (call.tool.delegates ? work() : slots.run(work));
  const running = new Map<number, Promise<void>>();
  for (const index of runnable) {
    const call = prepared[index];
    const parsed = calls[index];
    if (!call || !parsed) continue;
    const before = Promise.all((waits[index] ?? []).map((other) => running.get(other)));
    running.set(
      index,
      before.then(() =>
        inSlot(call, async () => {
          const blocker = failedWriter(prepared, index, failed);
          emit({ type: 'call-start', call: call.call, label: call.facts.label });
          const why = stopped
            ? because`the run was stopped`
            : blocker === undefined
              ? undefined
              : because`depends on call ${blocker + 1}, which failed`;
          const result = why === undefined ? await runPrepared(call, input, ports, emit) : notExecuted(english(why));
          // A person may have changed it at the question.
          const ran = parsed.ok ? { ...parsed, call: call.call } : parsed;
          finish(index, { parsed: ran, prepared: call, result, denied: false, why });
        }),
      ),
    );
  }
  await Promise.all(running.values());
  const all = entries.map(
    (entry, index) => entry ?? { parsed: calls[index] as ParsedCall, result: notExecuted('the run was stopped'), denied: false },
  );
  return sharingRoom(all);
}

/** An agent that was called in vain: the person is told on one line. */
function notCalled({ message }: Extract<ParsedCall, { readonly ok: false }>): EventBody {
  const why = shortProse(message, 160);
  return { type: 'notice', level: 'info', code: 'agent-not-called', text: `An agent call was not run: ${why}`, values: { why } };
}

/** Reports of one reply share a room, however many they are. */
function sharingRoom(entries: readonly BatchEntry[]): BatchEntry[] {
  const isReport = ({ parsed }: BatchEntry): boolean => parsed.ok && parsed.tool.delegates === true;
  const shares = fairShare(
    entries.map((entry) => (isReport(entry) ? entry.result.output.length : 0)),
    REPORT_ROOM,
  );
  return entries.map((entry, index) =>
    isReport(entry)
      ? { ...entry, result: { ...entry.result, output: cutMiddle(entry.result.output, shares[index] ?? 0) } }
      : entry,
  );
}
