/** One call on its way: find, judge, gate, run. Faults become results; nothing the model causes is thrown. */
import { canonicalCall } from '../protocol/canonical.js';
import type { ParsedCall } from '../protocol/parse-reply.js';
import type { ChangedCall } from '../types/policy.js';
import { because, english, type Reason } from '../types/reason.js';
import type { ErrorCode, Tool, ToolCall, ToolResult } from '../types/tool.js';
import { ToolFault } from '../types/tool.js';
import { callKey } from './denial-ledger.js';
import type { Emit } from './emit.js';
import { unreadable } from './further-reads.js';
import { mayWrite } from './further-writes.js';
import type { LoopPorts, PreparedCall, RunInput } from './ports.js';

/** What one call needs to know of its run. */
export type CallInput = Pick<RunInput, 'agentId' | 'task' | 'plan' | 'signal'> & {
  /** Id of the call that calls made by a program belong to: theirs are built on it, and so equal in every replay. */
  readonly parent?: string;
};

export type Prepared =
  | { readonly ready: true; readonly prepared: PreparedCall }
  /** `paths` of a refused call still order its later siblings. */
  | {
      readonly ready: false;
      readonly result: ToolResult;
      readonly denied: boolean;
      readonly reason?: string;
      readonly why?: Reason;
      readonly allowable?: boolean;
      /** The person stopped the run at the question. */
      readonly stopped?: boolean;
      readonly prepared?: PreparedCall;
    };

/** Resolves the paths of a parsed call and passes the gate. */
export async function prepareCall(
  parsed: ParsedCall,
  input: CallInput,
  ports: LoopPorts,
  emit: Emit,
  /** Set when the reply calls agents: what is not read-only is then sent back without a question. */
  { besideAgents = false }: { readonly besideAgents?: boolean } = {},
): Promise<Prepared> {
  if (!parsed.ok) return { ready: false, denied: false, result: fault(parsed.code, parsed.message) };
  const { call, tool } = parsed;
  let prepared: PreparedCall;
  try {
    prepared = judgedCall(call, tool, ports);
  } catch (error) {
    return { ready: false, denied: false, result: faultOf(error) };
  }
  if (besideAgents && (!prepared.facts.readOnly || prepared.facts.changes === true) && !tool.delegates) {
    const why = because`it came in one reply with agent calls, where only read-only calls run beside them. Send it again when you have read the reports`;
    return { ready: false, prepared, denied: false, why, result: notExecuted(english(why)) };
  }
  const change = (changed: ChangedCall) => changedCall(prepared, changed, ports);
  const asker = { agent: input.agentId, task: input.task, signal: input.signal, emit, change };
  const passage = await ports.gate.pass(prepared, asker);
  if (passage.run) return { ready: true, prepared: passage.changed ? { ...passage.changed, tool } : prepared };
  const { denied, reason, why, allowable = false, stopped = false } = passage;
  if (denied) ports.gate.ledger?.denied(callKey(call.tool, call.args));
  return { ready: false, prepared, denied, reason, why, allowable, stopped, result: fault(passage.code, passage.message) };
}

/** Throws what the tool or a path of the call throws. */
function judgedCall(call: ToolCall, tool: Tool, { workspace }: LoopPorts): PreparedCall {
  const facts = tool.facts(call.args);
  const locate = (path: string) => workspace.locate(path);
  return { call, tool, facts, reads: facts.reads.map(locate), writes: facts.writes.map(locate) };
}

/** The call as a person changed it, read and checked as if the model had sent it so. */
function changedCall({ call, tool }: PreparedCall, { args, note }: ChangedCall, ports: LoopPorts): PreparedCall | undefined {
  const { id, agent, source } = call;
  const parsed = canonicalCall(ports.tools, tool.name, { kind: 'object', object: args }, { id, agent, source, raw: tool.name });
  if (!parsed.ok || parsed.tool !== tool) return undefined;
  try {
    return judgedCall({ ...parsed.call, notes: [...(call.notes ?? []), note] }, tool, ports);
  } catch {
    return undefined;
  }
}

/** Runs a prepared call. The result carries its duration and the notes of its parsing. */
export async function runPrepared(prepared: PreparedCall, input: CallInput, ports: LoopPorts, emit: Emit): Promise<ToolResult> {
  const { call, tool } = prepared;
  const started = ports.clock.now();
  if (input.signal.aborted) return notExecuted('the run was stopped');
  let result: ToolResult;
  try {
    result = await tool.run(call.args, {
      workspace: ports.workspace,
      host: ports.host,
      plan: input.plan,
      agent: input.agentId,
      task: input.task,
      callId: call.id,
      signal: input.signal,
      unreadable: (paths) => unreadable(prepared, paths, ports),
      hidesFiles: () => ports.gate.hidesFiles?.() ?? false,
      mayWrite: (paths) => mayWrite(prepared, paths, input, ports, emit),
      progress: (text) => emit({ type: 'call-progress', callId: call.id, text }),
    });
  } catch (error) {
    result = faultOf(error);
  }
  if (!result.isError) ports.gate.ledger?.succeeded(() => callKey(call.tool, call.args));
  const notes = call.notes?.length ? `${call.notes.map((note) => `note: ${note}`).join('\n')}\n` : '';
  return { ...result, output: notes + result.output, ms: ports.clock.now() - started };
}

export function fault(code: ErrorCode, message: string): ToolResult {
  return { output: `error [${code}]: ${message}`, isError: true, code };
}

export function notExecuted(why: string): ToolResult {
  return { output: `not executed: ${why}`, isError: true, code: 'Aborted' };
}

/** A result for anything thrown: tool faults and errno errors keep their code. */
export function faultOf(error: unknown): ToolResult {
  if (error instanceof ToolFault) return fault(error.code, error.message);
  const { code, message } = error as { code?: unknown; message?: unknown };
  const text = typeof message === 'string' && message ? message : String(error);
  if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) return fault(code as ErrorCode, text);
  if ((error as { name?: unknown } | null)?.name === 'AbortError') return notExecuted('the run was stopped');
  return fault('Failed', `internal error: ${text}`);
}
