/** Workers in this process: slots, deadlines, cancellation, one report for each call. */
import { setMaxListeners } from 'node:events';
import { oneLine } from '../base/one-line.js';
import { createSlots } from '../base/slots.js';
import type { RunOutcome } from '../types/agent.js';
import type { Dispatch, Dispatcher, WorkerReport, WorkerView } from '../types/dispatch.js';
import { because, english, type Reason } from '../types/reason.js';
import type { WorkerAgent } from '../types/worker.js';
import { emitterFor } from './emit.js';
import { endOrLeave, LEFT } from './left-behind.js';
import { type PausableDeadline, pausableDeadline } from './pausable-deadline.js';
import { CANCELLED, type LoopPorts, NO_USAGE, stopReason, stopText } from './ports.js';
import { runWorker } from './run-worker.js';
import { type WorkerCount, workerCount } from './worker-count.js';
import { createWorkerIds } from './worker-ids.js';
import { workerLog } from './worker-log.js';
import type { DispatcherOptions, WorkerModel } from './worker-options.js';

/** Names told to whoever called an agent that is not there. */
const MOST_NAMES = 60;

interface Worker {
  view: WorkerView;
  readonly stop: AbortController;
  /** Of the run that called. */
  readonly called: AbortSignal;
}

/** Creates the dispatcher of one conversation. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const slots = createSlots(options.limits.workers);
  const running = new Map<string, Worker>();
  const ids = createWorkerIds([options.caller]);
  return {
    workers: () => [...running.values()].map(({ view }) => view),
    cancel(id, by) {
      const worker = running.get(id);
      worker?.stop.abort(CANCELLED[by ?? 'caller']);
      return worker !== undefined;
    },
    async dispatch(job, { signal }) {
      const names = options.agents().map(({ name }) => name);
      if (!names.includes(job.agent)) return report(job, shownName(job.agent), unknown(job, names));
      const id = ids.next(job.agent, names);
      const stop = new AbortController();
      const pass = (): void => stop.abort(stopReason(signal));
      if (signal.aborted) pass();
      // As many may wait as were called.
      setMaxListeners(0, signal, stop.signal);
      signal.addEventListener('abort', pass, { once: true });
      const view: WorkerView = { worker: id, agent: job.agent, task: job.task, state: 'waiting', started: now(options) };
      const worker: Worker = { view, stop, called: signal };
      running.set(id, worker);
      try {
        return await slots.run(() => work(job, worker, options), { signal: stop.signal });
      } catch (error) {
        const why = stop.signal.aborted ? stopText(stop.signal) : because`it could not be started: ${messageOf(error)}`;
        const outcome = ended(stop.signal.aborted ? stopReason(stop.signal) : 'failed', why);
        return { ...report(job, id, outcome), ...noteOf(undefined, stop.signal) };
      } finally {
        running.delete(id);
        signal.removeEventListener('abort', pass);
      }
    },
  };
}

/** In its slot. Throws only when the ports or the agents of this moment cannot be had. */
async function work(job: Dispatch, worker: Worker, options: DispatcherOptions): Promise<WorkerReport> {
  const id = worker.view.worker;
  const ports = options.ports();
  const agent = options.agents().find(({ name }) => name === job.agent);
  const say = emitterFor(ports, options.caller);
  const started = now(options);
  worker.view = { ...worker.view, state: 'running', started };
  const log = workerLog(id);
  const count = workerCount(id);
  const deadline = pausableDeadline(agent?.limits?.ms ?? options.limits.ms, () => worker.stop.abort('timeout'));
  const cut = (status: RunOutcome['status'], why: Reason): RunOutcome => soFar(status, why, count, ports);
  let said: string | undefined;
  const note = (text: string): void => {
    said = text;
  };
  const start = (model?: string): void =>
    say({ type: 'worker-start', worker: id, kind: job.agent, task: job.task, callId: job.callId, ...(model && { model }) });
  const take = (event: Parameters<WorkerCount['take']>[0]): void => {
    log.take(event);
    count.take(event);
  };
  let outcome: RunOutcome;
  try {
    const parts = { take, note, cut, deadline, start };
    outcome = agent ? await run(job, agent, worker, options, parts) : ended('failed', because`the agent is gone`);
  } catch (error) {
    outcome = cut('failed', because`the worker crashed: ${messageOf(error)}`);
  } finally {
    deadline.stop();
  }
  outcome = withSpent(outcome, count);
  const ms = now(options) - started;
  say({ type: 'worker-end', worker: id, outcome, ms });
  return {
    ...report(job, id, outcome),
    log: log.lines(),
    omitted: log.omitted,
    ms,
    ...noteOf(said, worker.stop.signal),
  };
}

/** What the caller is told beside the outcome. */
function noteOf(said: string | undefined, stop: AbortSignal): Pick<WorkerReport, 'note'> {
  const lines = [said, stop.reason === CANCELLED.person ? ASK_FIRST : undefined].filter((line) => line !== undefined);
  return lines.length > 0 ? { note: lines.join('\n') } : {};
}

const ASK_FIRST = 'Do not send it again unless the person asks for it.';

interface Parts {
  readonly deadline: PausableDeadline;
  take(event: Parameters<WorkerCount['take']>[0]): void;
  note(text: string): void;
  cut(status: RunOutcome['status'], why: Reason): RunOutcome;
  start(model?: string): void;
}

async function run(
  job: Dispatch,
  agent: WorkerAgent,
  worker: Worker,
  options: DispatcherOptions,
  { start, ...parts }: Parts,
): Promise<RunOutcome> {
  const { stop, called } = worker;
  // A service that does not answer holds up nobody for longer than a stop.
  const model = job.skill === undefined ? await endOrLeave(modelOf(agent, options), stop.signal, 0) : undefined;
  start(model && model !== LEFT && 'model' in model ? model.model : undefined);
  if (model === LEFT || stop.signal.aborted) return parts.cut(stopReason(stop.signal), stopText(stop.signal));
  if (model && 'fault' in model) return parts.cut('provider', because`${model.fault}`);
  const asking = (on: boolean): void => {
    worker.view = { ...worker.view, state: on ? 'asking' : 'running' };
  };
  return runWorker(job, agent, model, { ...options, ...parts, id: worker.view.worker, stop, called, asking });
}

async function modelOf(agent: WorkerAgent, options: DispatcherOptions): Promise<WorkerModel | { readonly fault: string }> {
  try {
    return await options.modelFor(agent);
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

/** Nothing starts for an agent that is not there. */
function unknown(job: Dispatch, known: readonly string[]): RunOutcome {
  const some = known.length > MOST_NAMES ? [...known.slice(0, MOST_NAMES), '…'] : known;
  return ended('failed', because`there is no agent ${shownName(job.agent)}. Agents: ${some.join(', ')}`);
}

function shownName(agent: string): string {
  return oneLine(agent).slice(0, 100);
}

function report(job: Dispatch, worker: string, outcome: RunOutcome): WorkerReport {
  return { worker, agent: job.agent, outcome, log: [], omitted: 0, ms: 0 };
}

function ended(status: RunOutcome['status'], why: Reason): RunOutcome {
  return { status, result: '', reason: english(why), why, turns: 0, usage: NO_USAGE, cost: 0, denied: [], files: [] };
}

/** An end from outside: what it had done by then counts all the same. */
function soFar(status: RunOutcome['status'], why: Reason, count: WorkerCount, ports: LoopPorts): RunOutcome {
  const files = [...new Set(count.changed.map((path) => ports.workspace.locate(path).shown))].sort();
  return { ...ended(status, why), denied: count.denied, files };
}

function withSpent({ cost: _, ...outcome }: RunOutcome, count: WorkerCount): RunOutcome {
  const spent = count.spent();
  return { ...outcome, ...spent, turns: Math.max(outcome.turns, spent.turns) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function now(options: DispatcherOptions): number {
  return options.ports().clock.now();
}
