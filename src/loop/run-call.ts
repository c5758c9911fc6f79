/** One call on its way: find, judge, gate, run. Faults become results; nothing the model causes is thrown. */
import type { ParsedCall } from '../protocol/parse-reply.js';
import { because, english, type Reason } from '../types/reason.js';
import type { ErrorCode, ToolResult } from '../types/tool.js';
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
    const facts = tool.facts(call.args);
    const locate = (path: string) => ports.workspace.locate(path);
    prepared = { call, tool, facts, reads: facts.reads.map(locate), writes: facts.writes.map(locate) };
  } catch (error) {
    return { ready: false, denied: false, result: faultOf(error) };
  }
  if (besideAgents && (!prepared.facts.readOnly || prepared.facts.changes === true) && !tool.delegates) {
    const why = because`it came in one reply with agent calls, where only read-only calls run beside them. Send it again when you have read the reports`;
    return { ready: false, prepared, denied: false, why, result: notExecuted(english(why)) };
  }
  const passage = await ports.gate.pass(prepared, { agent: input.agentId, task: input.task, signal: input.signal, emit });
  if (passage.run) return { ready: true, prepared };
  const { denied, reason, why, allowable = false, stopped = false } = passage;
  if (denied) ports.gate.ledger?.denied(callKey(call.tool, call.args));
  return { ready: false, prepared, denied, reason, why, allowable, stopped, result: fault(passage.code, passage.message) };
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
