/** A tool call without a model: what `chatcli tool` and `policy check --tool` share. */
import type { Emit } from '../loop/emit.js';
import { prepareCall, runPrepared } from '../loop/run-call.js';
import { callFromUser } from '../protocol/user-call.js';
import type { Approver } from '../types/policy.js';
import type { PlanStore, Tool, ToolResult } from '../types/tool.js';
import type { App } from './create-app.js';

/** Nothing is drawn for a direct call. */
const silent: Emit = () => undefined;

/** The caller is the user: what would ask counts as yes; immune needs a person at the terminal. */
export function operatorApprover(terminal: Approver): Approver {
  return {
    canAsk: true,
    canAskFor: (decision) => decision.verdict === 'ask' || terminal.canAsk,
    ask: async (question, options) => (question.decision.verdict === 'ask' ? 'yes' : terminal.ask(question, options)),
  };
}

export function parseDirect(tools: readonly Tool[], name: string, words: readonly string[]) {
  let n = 0;
  return callFromUser(name, words, { tools, agent: 'main', nextId: () => `u${++n}` });
}

/** Parses, gates and runs one call. Faults are results. */
export async function directCall(
  app: App,
  name: string,
  words: readonly string[],
  options: {
    readonly plan: PlanStore;
    readonly signal: AbortSignal /** What questions name as the task. */;
    readonly task?: string;
  },
): Promise<ToolResult> {
  const parsed = parseDirect(app.ports.tools, name, words);
  const input = {
    agentId: 'main',
    task: options.task ?? `chatcli tool ${parsed.ok ? parsed.call.tool : name}`,
    plan: options.plan,
    signal: options.signal,
  };
  const step = await prepareCall(parsed, input, app.ports, silent);
  return step.ready ? runPrepared(step.prepared, input, app.ports, silent) : step.result;
}

/** The provider of an application that never asks a model. */
export const noProvider = {
  name: 'NONE',
  async *stream() {
    yield {
      type: 'end',
      reason: 'error',
      fault: { kind: 'bad-request', message: 'no model in this mode', retryable: false },
    } as const;
  },
};
