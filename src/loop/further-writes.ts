/** Judges files a running call wants to change beyond those it named: a rename knows them only when it is planned. */
import type { Judged } from '../types/policy.js';
import type { WriteAnswer } from '../types/tool.js';
import type { Emit } from './emit.js';
import type { LoopPorts, PreparedCall, RunInput } from './ports.js';

/** As what else such a change would have come: a rule against this tool speaks of it too. */
const SAME_AS = '@coder patch';
/** Files a question lists. */
const MOST_SHOWN = 40;

/**
 * The answer about real paths, all together. Deny rules count as for a patch of each file; what the call did not name itself
 * passes the gate like any call, so it may be asked about, with its files.
 */
export async function mayWrite(
  prepared: PreparedCall,
  paths: readonly string[],
  input: Pick<RunInput, 'agentId' | 'task' | 'signal'>,
  { gate, workspace }: Pick<LoopPorts, 'gate' | 'workspace'>,
  emit: Emit,
): Promise<WriteAnswer> {
  const { call, facts } = prepared;
  const writes = paths.map((path) => workspace.locate(path));
  const patch: Judged = { call: { ...call, tool: SAME_AS, args: {} }, facts, reads: [], writes };
  const named = new Set(prepared.writes.map(({ real }) => real));
  const others = writes.filter(({ real }) => !named.has(real));
  const passage = (await gate.denial?.(patch, input.agentId)) ?? (others.length === 0 ? { run: true as const } : await passed());
  return passage.run ? { ok: true } : { ok: false, code: passage.code, message: passage.message };

  function passed() {
    const shown = others.map((each) => each.shown);
    const more = shown.length > MOST_SHOWN ? [`... and ${shown.length - MOST_SHOWN} more`] : [];
    const listed = [...shown.slice(0, MOST_SHOWN), ...more];
    const judged: Judged = { call, facts: { ...facts, reads: [], writes: listed }, reads: [], writes: others };
    return gate.pass(judged, { agent: input.agentId, task: input.task, signal: input.signal, emit });
  }
}
