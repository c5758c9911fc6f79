/** Calls that a program of ours makes, not a model: scripts and agents with code of their own. The same way, gate included. */
import { canonicalCall } from '../protocol/canonical.js';
import type { DeniedCall } from '../types/agent.js';
import type { JsonObject } from '../types/json.js';
import type { Display, ToolResult } from '../types/tool.js';
import { callKey } from './denial-ledger.js';
import type { Emit } from './emit.js';
import type { LoopPorts } from './ports.js';
import { type CallInput, fault, notExecuted, prepareCall, runPrepared } from './run-call.js';
import { summaryOf } from './tally.js';

export interface OwnCalls {
  /** Never throws. */
  call(tool: string, args: JsonObject): Promise<ToolResult>;
  readonly denied: readonly DeniedCall[];
  /** Real paths changed so far. */
  readonly changed: readonly string[];
  /** The last test run. */
  readonly tests: Extract<Display, { readonly kind: 'tests' }> | undefined;
}

/** Opens a way to make calls for one agent. `names`: the canonical tools that may be called; undefined: all of `ports`. */
export function ownCalls(input: CallInput, ports: LoopPorts, emit: Emit, names?: readonly string[]): OwnCalls {
  const denied: DeniedCall[] = [];
  const changed = new Set<string>();
  let tests: OwnCalls['tests'];
  let made = 0;
  return {
    get denied() {
      return denied.filter(({ key }) => key === undefined || ports.gate.ledger?.isSettled(key) !== true);
    },
    get tests() {
      return tests;
    },
    get changed() {
      return [...changed];
    },
    async call(tool, args) {
      if (names && !names.includes(tool)) return fault('Blocked', `${tool} is not among the calls this script declares`);
      if (input.signal.aborted) return notExecuted('the run was stopped');
      made++;
      const id = input.parent === undefined ? ports.ids.next('s') : `${input.parent}s${made}`;
      const origin = { id, agent: input.agentId, source: 'native', raw: tool } as const;
      const parsed = canonicalCall(ports.tools, tool, { kind: 'object', object: args }, origin);
      const step = await prepareCall(parsed, input, ports, emit);
      // A person may have changed it at the question.
      const call = parsed.ok ? (step.prepared?.call ?? parsed.call) : undefined;
      if (call && step.prepared) emit({ type: 'call-start', call, label: step.prepared.facts.label });
      const result = step.ready ? await runPrepared(step.prepared, input, ports, emit) : step.result;
      const refused = step.ready ? undefined : step;
      const why = refused?.why && { why: refused.why };
      const said = { ...(refused?.reason === undefined ? {} : { reason: refused.reason }), ...why };
      if (call) emit({ type: 'call-end', call, result, denied: refused?.denied === true, ...said });
      if (refused?.denied) {
        const { reason = '', allowable = false, prepared } = refused;
        const own = { tool, summary: summaryOf(prepared), reason, ...why, agent: input.agentId, allowable };
        denied.push({ ...own, ...(parsed.ok ? { key: callKey(parsed.call.tool, parsed.call.args) } : {}) });
      }
      if (step.ready && result.display?.kind === 'tests') tests = result.display;
      for (const path of result.changed ?? []) changed.add(path);
      return result;
    },
  };
}
