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
import { endOrLeave, endWithin, LEFT } from './left-behind.js';
import { type OwnCalls, ownCalls } from './own-calls.js';
import { addUsage, type LoopPorts, NO_USAGE, stopReason, stopText } from './ports.js';
import { noteMessage } from './request.js';
import { runAgent } from './run-agent.js';
import { type CallInput, fault } from './run-call.js';
import { runScript } from './run-script.js';
import { checkedScriptArgs } from './script-args.js';
import { confinedScripts, heldGate, readOnlyGate } from './worker-gate.js';
import type { WorkerModel, WorkerRun } from './worker-options.js';
import { scriptsOf, toolsFor } from './worker-tools.js';

/** Until the keeping of an isolated change is left to itself, milliseconds. */
const KEEPING_MS = 120_000;

/** What is run: the call, its agent, and the model it thinks with. */
interface Task {
  readonly job: Dispatch;
  readonly agent: WorkerAgent;
  readonly model: WorkerModel | undefined;
}

/** Runs one agent call in its slot. May throw only for what cannot be foreseen. */
export async function runWorker(
  job: Dispatch,
  agent: WorkerAgent,
  model: WorkerModel | undefined,
  run: WorkerRun,
): Promise<RunOutcome> {
  const task = { job, agent, model };
  return wantsIsolation(job, agent) ? apart(task, run) : bounded(inPlace(task, run), run);
}

/** A worker that does not end when it is stopped is left behind. */
async function bounded(work: Promise<RunOutcome>, run: WorkerRun): Promise<RunOutcome> {
  const { signal } = run.stop;
  const outcome = await endOrLeave(work, signal, run.patience?.stopped);
  return outcome === LEFT ? run.cut(stopReason(signal), because`${stopText(signal)}; the worker did not end by itself`) : outcome;
}

async function inPlace({ job, agent, model }: Task, run: WorkerRun): Promise<RunOutcome> {
  const ports = portsFor(agent, model, run);
  const input: CallInput = { agentId: run.id, task: job.task, plan: ownPlan(), signal: run.stop.signal, parent: job.callId };
  if (job.skill !== undefined) return scriptOnly(job, agent, input, ports, run);
  if (agent.execute) return ownCode({ job, agent, model }, agent.execute, input, ports, run);
  return think(agent, job.task, input, ports, model, run);
}

/** In a place of its own; what cannot be isolated is not run. */
async function apart(task: Task, run: WorkerRun): Promise<RunOutcome> {
  const { job, agent } = task;
  if (!run.isolate) return failed(because`no place of its own can be made for an agent here, so it was not started`);
  const { signal } = run.stop;
  const making = run.isolate(run.id, job.task, signal, run.ports());
  let place: Isolated | typeof LEFT;
  try {
    place = await endOrLeave(making, signal, run.patience?.stopped);
  } catch (error) {
    const why = error instanceof ReasonError ? error.why : messageOf(error);
    return failed(because`no worktree could be made, so it was not started: ${why}`);
  }
  if (place === LEFT) {
    const cut = run.cut(stopReason(signal), stopText(signal));
    // Made too late for anyone, it is cleared away.
    making.then((late) => late.finish(cut, portsFor(agent, undefined, run).all)).catch(() => undefined);
    return cut;
  }
  const { ports } = place;
  let outcome: RunOutcome;
  try {
    outcome = await bounded(inPlace(task, { ...run, ports: () => ports }), run);
  } catch (error) {
    outcome = run.cut('failed', because`the worker crashed: ${messageOf(error)}`);
  }
  return finished(place, outcome, agent, run);
}

/** The time limit is for the work, not for keeping what came of it; that has a limit of its own. */
async function finished(place: Isolated, outcome: RunOutcome, agent: WorkerAgent, run: WorkerRun): Promise<RunOutcome> {
  run.deadline.stop();
  const keeping = place.finish(outcome, portsFor(agent, undefined, run).all);
  const { stopped, keeping: most = KEEPING_MS } = run.patience ?? {};
  const ended = await endWithin(endOrLeave(keeping, run.called, stopped), most);
  if (ended === LEFT) {
    run.note(`Its change could not be kept in time; its work is in ${place.ports.workspace.root}.`);
    return { ...outcome, files: [] };
  }
  run.note(ended.note);
  const { tests: _, ...untested } = ended.outcome;
  // Tests of a change that is not in the workspace say nothing of the workspace.
  return ended.outcome.files.length > 0 ? ended.outcome : untested;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The worker's ports: tools cut to the agent, a gate whose questions stop the clock. */
function portsFor(
  agent: WorkerAgent,
  model: WorkerModel | undefined,
  run: WorkerRun,
): { readonly own: LoopPorts; readonly all: LoopPorts } {
  const shared = run.ports();
  const emit = (event: AgentEvent): void => {
    run.take(event);
    shared.emit(event);
  };
  const gate = heldGate(shared.gate, agent, run, run.deadline.hold);
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
  const text = [task, run.environment?.(own) ?? ''].filter(Boolean).join('\n\n');
  const message = { ...noteMessage(text, 'note', own), origin: 'person' as const };
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
  const { skill = '' } = job;
  if (!script && agent.skills.some((name) => name.toLowerCase() === skill) && !run.scripts.some(({ name }) => name === skill))
    return failed(
      because`the agent ${agent.name} has no script ${skill}: that is its own work, so give it a task without skill. Its scripts: ${names}`,
    );
  if (!script) return failed(because`the agent ${agent.name} has no script ${skill}. Its scripts: ${names}`);
  const given = checkedScriptArgs(script, job.args);
  if (!given.ok) return { ...failed(because`the arguments of the script ${script.name} do not fit`), reason: given.message };
  const emit = emitterFor(all, run.id);
  const done = await runScript(script, given.args, input, all, {
    emit,
    progress: (text) => emit({ type: 'call-progress', callId: job.callId, text }),
  });
  return done.outcome;
}

/** An agent registered by code. What it throws is its failure alone; what it did until then counts. */
async function ownCode(
  { job, agent, model }: Task,
  execute: NonNullable<WorkerAgent['execute']>,
  input: CallInput,
  ports: { readonly own: LoopPorts; readonly all: LoopPorts },
  run: WorkerRun,
): Promise<RunOutcome> {
  const { signal } = input;
  const emit = emitterFor(ports.own, run.id);
  const calls = ownCalls(input, ports.own, emit);
  const thought: RunOutcome[] = [];
  const work = async () =>
    execute(job.task, {
      call: (tool, args) => calls.call(tool, args).catch((error) => fault('Failed', String(error))),
      think: async (task) => {
        const one = await think(agent, task, input, ports, model, run);
        thought.push(one);
        return one;
      },
      signal,
      progress: (text) => emit({ type: 'call-progress', callId: job.callId, text }),
    });
  const outcome = (status: RunOutcome['status'], result: string, why?: Reason): RunOutcome => {
    const files = calls.changed.map((path) => ports.own.workspace.locate(path).shown);
    return ownOutcome(calls, thought, { status, result, files, ...(why ? { reason: english(why), why } : {}) });
  };
  try {
    const answer = await endOrLeave(work(), signal, 0);
    if (answer === LEFT) return outcome(stopReason(signal), '', stopText(signal));
    return outcome(answer.failed ? 'failed' : 'done', answer.text);
  } catch (error) {
    if (signal.aborted) return outcome(stopReason(signal), '', stopText(signal));
    return outcome('failed', '', because`the worker crashed: ${messageOf(error)}`);
  }
}

function ownOutcome(
  calls: OwnCalls,
  thought: readonly RunOutcome[],
  { files, ...own }: Pick<RunOutcome, 'status' | 'result' | 'files' | 'reason' | 'why'>,
): RunOutcome {
  const tests = calls.tests ? (calls.tests.ok ? 'green' : 'red') : thought.findLast((one) => one.tests)?.tests;
  return {
    ...summed(thought),
    ...own,
    denied: [...calls.denied, ...thought.flatMap(({ denied }) => denied)],
    files: [...new Set([...files, ...thought.flatMap((one) => one.files)])].sort(),
    ...(tests ? { tests } : {}),
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
