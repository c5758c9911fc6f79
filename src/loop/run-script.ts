/** One script skill, run without a model. */
import type { RunOutcome } from '../types/agent.js';
import type { JsonObject } from '../types/json.js';
import { because, english, type Reason } from '../types/reason.js';
import type { ScriptOutcome, ScriptSkill } from '../types/skill.js';
import type { Display, ToolResult } from '../types/tool.js';
import type { Emit } from './emit.js';
import { ownCalls } from './own-calls.js';
import { type LoopPorts, NO_USAGE, stopReason, stopText } from './ports.js';
import type { CallInput } from './run-call.js';

export interface ScriptRun {
  readonly text: string;
  readonly data: JsonObject;
  readonly outcome: RunOutcome;
  readonly changed: readonly string[];
  readonly tests?: Extract<Display, { readonly kind: 'tests' }>;
}

const SAYS: Readonly<Record<ScriptOutcome['status'], Reason | undefined>> = {
  ok: undefined,
  failed: because`the script says failed`,
  'not-available': because`the script says that something it needs is not available`,
  denied: because`the script says denied`,
};

/** Runs a script on valid arguments. Never throws: what goes wrong inside is a failed outcome. `ports.tools` holds all tools. */
export async function runScript(
  skill: ScriptSkill,
  args: JsonObject,
  input: CallInput,
  ports: LoopPorts,
  options: { readonly emit: Emit; progress(text: string): void },
): Promise<ScriptRun> {
  const calls = ownCalls(input, ports, options.emit, skill.calls);
  let done: ScriptOutcome;
  try {
    done = await skill.run(args, {
      call: calls.call,
      root: ports.workspace.root,
      signal: input.signal,
      progress: options.progress,
    });
  } catch (error) {
    const text = `The script ${skill.name} failed: ${error instanceof Error ? error.message : String(error)}`;
    done = { status: 'failed', text, data: {} };
  }
  const aborted = input.signal.aborted;
  const status = aborted
    ? stopReason(input.signal)
    : done.status === 'ok'
      ? 'done'
      : done.status === 'denied'
        ? 'denied'
        : 'failed';
  const why = status === 'done' ? undefined : aborted ? stopText(input.signal) : SAYS[done.status];
  const changed = [...new Set([...calls.changed, ...(done.changed ?? [])])];
  const outcome: RunOutcome = {
    status,
    result: done.text,
    ...(why ? { reason: english(why), why } : {}),
    turns: 0,
    usage: NO_USAGE,
    cost: 0,
    denied: calls.denied,
    files: changed.map((path) => ports.workspace.locate(path).shown).sort(),
    ...(calls.tests ? { tests: calls.tests.ok ? 'green' : 'red' } : {}),
  };
  return { text: done.text, data: done.data, outcome, changed, ...(calls.tests ? { tests: calls.tests } : {}) };
}

/** The run as the answer to a call. */
export function scriptResult({ text, outcome, changed, tests }: ScriptRun): ToolResult {
  const base = { output: text, changed, worker: outcome, ...(tests ? { display: tests } : {}) };
  if (outcome.status === 'done') return { ...base, isError: false };
  const code = outcome.status === 'denied' ? 'Denied' : outcome.status === 'interrupted' ? 'Aborted' : 'Failed';
  return { ...base, isError: true, code: outcome.status === 'timeout' ? 'Timeout' : code };
}
