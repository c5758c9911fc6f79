/** One worker's run: its own history, plan, tools, deadline and model; the gate, the locks and the events are shared. */

import type { RunOutcome } from '../types/agent.js';
import type { Dispatch } from '../types/dispatch.js';
import type { AgentEvent } from '../types/event.js';
import type { Usage } from '../types/provider.js';
import { because, english, type Reason, ReasonError } from '../types/reason.js';
import type { PlanStore, PlanTask } from '../types/tool.js';
import type { WorkerAgent } from '../types/worker.js';
import { emitterFor } from './emit.js';
import { type Isolated, wantsIsolation } from './isolation.js';
import { ownCalls } from './own-calls.js';
import { pausableDeadline } from './pausable-deadline.js';
import { addUsage, type LoopPorts, NO_USAGE, stopReason, stopText } from './ports.js';
import { noteMessage } from './request.js';
import { runAgent } from './run-agent.js';
import { type CallInput, fault } from './run-call.js';
import { runScript } from './run-script.js';
import { checkedScriptArgs } from './script-args.js';
import { confinedScripts, heldGate, readOnlyGate } from './worker-gate.js';
import type { WorkerModel, WorkerRun } from './worker-options.js';
import { scriptsOf, toolsFor } from './worker-tools.js';

/** Runs one agent call in its slot. May throw only for agents of foreign code. */
export async function runWorker(
  job: Dispatch,
  agent: WorkerAgent,
  model: WorkerModel | undefined,
  run: WorkerRun,
): Promise<RunOutcome> {
  const ms = agent.limits?.ms ?? run.limits.ms;
  const deadline = pausableDeadline(ms, () => run.stop.abort('timeout'));
  try {
    if (!wantsIsolation(job, agent)) return await inPlace(job, agent, model, run, deadline.hold);
    return await apart(job, agent, model, run, deadline.hold);
  } finally {
    deadline.stop();
  }
}

type Hold = <T>(work: () => Promise<T>) => Promise<T>;

async function inPlace(
  job: Dispatch,
  agent: WorkerAgent,
  model: WorkerModel | undefined,
  run: WorkerRun,
  hold: Hold,
): Promise<RunOutcome> {
  const ports = portsFor(agent, model, run, hold);
  const input: CallInput = { agentId: run.id, task: job.task, plan: ownPlan(), signal: run.stop.signal, parent: job.callId };
  if (job.skill !== undefined) return scriptOnly(job, agent, input, ports, run);
  if (agent.execute) return ownCode(agent, agent.execute, job, input, ports, model, run);
  return think(agent, job.task, input, ports, model, run);
}

/** In a place of its own; what cannot be isolated is not run. */
async function apart(
  job: Dispatch,
  agent: WorkerAgent,
  model: WorkerModel | undefined,
  run: WorkerRun,
  hold: Hold,
): Promise<RunOutcome> {
  let place: Isolated;
  try {
    if (!run.isolate) return failed(because`no place of its own can be made for an agent here, so it was not started`);
    place = await run.isolate(run.id, job.task, run.stop.signal, run.ports());
  } catch (error) {
    const why = error instanceof ReasonError ? error.why : error instanceof Error ? error.message : String(error);
    return failed(because`no worktree could be made, so it was not started: ${why}`);
  }
  let outcome: RunOutcome;
  try {
    outcome = await inPlace(job, agent, model, { ...run, ports: () => place.ports }, hold);
  } catch (error) {
    outcome = failed(because`the worker crashed: ${error instanceof Error ? error.message : String(error)}`);
  }
  // The worker is done: bringing its change back is no part of its time.
  const ended = await hold(() => place.finish(outcome, portsFor(agent, undefined, run, hold).all));
  run.note(ended.note);
  return ended.outcome;
}

/** The worker's ports: tools cut to the agent, a gate whose questions stop the clock. */
function portsFor(
  agent: WorkerAgent,
  model: WorkerModel | undefined,
  run: WorkerRun,
  hold: <T>(work: () => Promise<T>) => Promise<T>,
): { readonly own: LoopPorts; readonly all: LoopPorts } {
  const shared = run.ports();
  const emit = (event: AgentEvent): void => {
    run.take(event);
    shared.emit(event);
  };
  const gate = heldGate(shared.gate, agent, run, hold);
  const { gate: scriptGate, host } = agent.readOnly ? confinedScripts(gate, shared.host, agent) : { gate, host: shared.host };
  const all: LoopPorts = {
    ...shared,
    gate: scriptGate,
    host,
    emit,
    takeTyped: undefined,
    check: undefined,
    ...(model ? { provider: model.provider, priceOf: model.priceOf } : {}),
  };
  const tools = toolsFor(agent, () => all, scriptsOf(agent, run.scripts));
  return { all, own: { ...all, tools, gate: agent.readOnly ? readOnlyGate(gate, agent) : gate } };
}

async function think(
  agent: WorkerAgent,
  task: string,
  input: CallInput,
  { own }: { readonly own: LoopPorts },
  model: WorkerModel | undefined,
  run: WorkerRun,
): Promise<RunOutcome> {
  if (!model) throw new Error('no model was chosen');
  const { settings } = run;
  const limits = { turns: agent.limits?.turns ?? run.limits.turns };
  const message = { ...noteMessage(task, 'note', own), origin: 'person' as const };
  emitterFor(own, input.agentId)({ type: 'message-end', message });
  return runAgent(
    {
      ...input,
      task,
      agent: { ...agent, limits },
      history: [message],
      model: model.model,
      ...(model.effort ? { effort: model.effort } : {}),
      ...(settings.maxOutputTokens ? { maxOutputTokens: settings.maxOutputTokens } : {}),
      toolMode: model.toolMode,
      modeIsGuess: model.modeIsGuess,
      systemSuffix: run.rules,
      ...(settings.budgetUsd === undefined ? {} : { budgetUsd: settings.budgetUsd, spent: settings.spent }),
    },
    own,
  );
}

async function scriptOnly(
  job: Dispatch,
  agent: WorkerAgent,
  input: CallInput,
  { all }: { readonly all: LoopPorts },
  run: WorkerRun,
): Promise<RunOutcome> {
  const scripts = scriptsOf(agent, run.scripts);
  const script = scripts.find(({ name }) => name === job.skill);
  const names = scripts.map(({ name }) => name).join(', ') || 'none';
  if (!script) return failed(because`the agent ${agent.name} has no script ${job.skill ?? ''}. Its scripts: ${names}`);
  const given = checkedScriptArgs(script, job.args);
  if (!given.ok) return { ...failed(because`the arguments of the script ${script.name} do not fit`), reason: given.message };
  const emit = emitterFor(all, run.id);
  const done = await runScript(script, given.args, input, all, {
    emit,
    progress: (text) => emit({ type: 'call-progress', callId: job.callId, text }),
  });
  return done.outcome;
}

/** An agent registered by code. What it throws is its failure alone. */
async function ownCode(
  agent: WorkerAgent,
  execute: NonNullable<WorkerAgent['execute']>,
  job: Dispatch,
  input: CallInput,
  ports: { readonly own: LoopPorts; readonly all: LoopPorts },
  model: WorkerModel | undefined,
  run: WorkerRun,
): Promise<RunOutcome> {
  const emit = emitterFor(ports.own, run.id);
  const calls = ownCalls(input, ports.own, emit);
  const thought: RunOutcome[] = [];
  const stopped = new Promise<'stopped'>((resolve) => {
    input.signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const answer = await Promise.race([
    execute(job.task, {
      call: (tool, args) => calls.call(tool, args).catch((error) => fault('Failed', String(error))),
      think: async (task) => {
        const outcome = await think(agent, task, input, ports, model, run);
        thought.push(outcome);
        return outcome;
      },
      signal: input.signal,
      progress: (text) => emit({ type: 'call-progress', callId: job.callId, text }),
    }),
    stopped,
  ]);
  if (answer === 'stopped') return { ...failed(stopText(input.signal)), status: stopReason(input.signal) };
  const files = calls.changed.map((path) => ports.own.workspace.locate(path).shown);
  return {
    ...summed(thought),
    status: answer.failed ? 'failed' : 'done',
    result: answer.text,
    denied: [...calls.denied, ...thought.flatMap(({ denied }) => denied)],
    files: [...new Set([...files, ...thought.flatMap((one) => one.files)])].sort(),
  };
}

function summed(outcomes: readonly RunOutcome[]): Pick<RunOutcome, 'turns' | 'usage' | 'cost'> {
  let sum: { turns: number; usage: Usage; cost?: number } = { turns: 0, usage: NO_USAGE, cost: 0 };
  for (const { turns, usage, cost } of outcomes) {
    const costs = sum.cost === undefined || cost === undefined ? {} : { cost: sum.cost + cost };
    sum = { turns: sum.turns + turns, usage: addUsage(sum.usage, usage), ...costs };
  }
  return sum;
}

function failed(why: Reason): RunOutcome {
  return { status: 'failed', result: '', reason: english(why), why, turns: 0, usage: NO_USAGE, cost: 0, denied: [], files: [] };
}

function ownPlan(): PlanStore {
  let tasks: readonly PlanTask[] = [];
  return {
    get: () => tasks,
    set: (next) => {
      tasks = next;
    },
  };
}
