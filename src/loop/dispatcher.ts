/** Workers in this process: slots, deadlines, cancellation, one report for each call. */
import { setMaxListeners } from 'node:events';
import { createSlots } from '../base/slots.js';
import type { RunOutcome } from '../types/agent.js';
import type { Dispatch, Dispatcher, WorkerReport, WorkerView } from '../types/dispatch.js';
import { because, english, type Reason } from '../types/reason.js';
import type { WorkerAgent } from '../types/worker.js';
import { emitterFor } from './emit.js';
import { NO_USAGE, stopReason, stopText } from './ports.js';
import { runWorker } from './run-worker.js';
import { workerLog } from './worker-log.js';
import type { DispatcherOptions, WorkerModel } from './worker-options.js';

/** A worker that does not end when it is stopped is left behind after so many milliseconds. */
const GRACE_MS = 3000;

interface Worker {
  view: WorkerView;
  readonly stop: AbortController;
}

/** Creates the dispatcher of one conversation. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const slots = createSlots(options.limits.workers);
  const running = new Map<string, Worker>();
  const names = new Map<string, number>();
  return {
    workers: () => [...running.values()].map(({ view }) => view),
    cancel(id) {
      const worker = running.get(id);
      worker?.stop.abort('interrupted');
      return worker !== undefined;
    },
    async dispatch(job, { signal }) {
      const number = (names.get(job.agent) ?? 0) + 1;
      names.set(job.agent, number);
      const id = number === 1 ? job.agent : `${job.agent}-${number}`;
      const stop = new AbortController();
      const pass = (): void => stop.abort(stopReason(signal));
      if (signal.aborted) pass();
      // As many may wait as were called.
      setMaxListeners(0, signal, stop.signal);
      signal.addEventListener('abort', pass, { once: true });
      const view: WorkerView = { worker: id, agent: job.agent, task: job.task, state: 'waiting', started: now(options) };
      const worker: Worker = { view, stop };
      running.set(id, worker);
      try {
        return await slots.run(() => work(job, worker, options), { signal: stop.signal });
      } catch {
        // Only waiting for a slot can be broken off: the work itself never throws.
        return report(job, id, ended(stopReason(stop.signal), stopText(stop.signal)));
      } finally {
        running.delete(id);
        signal.removeEventListener('abort', pass);
      }
    },
  };
}

async function work(job: Dispatch, worker: Worker, options: DispatcherOptions): Promise<WorkerReport> {
  const id = worker.view.worker;
  const ports = options.ports();
  const say = emitterFor(ports, options.caller);
  const started = now(options);
  worker.view = { ...worker.view, state: 'running', started };
  const log = workerLog(id);
  const agent = options.agents().find(({ name }) => name === job.agent);
  const model = agent && job.skill === undefined ? await modelOf(agent, options) : undefined;
  const called = model && 'model' in model ? { model: model.model } : {};
  say({ type: 'worker-start', worker: id, kind: job.agent, task: job.task, callId: job.callId, ...called });
  let outcome: RunOutcome;
  let said: string | undefined;
  try {
    if (!agent) outcome = ended('failed', unknownAgent(job.agent, options));
    else if (model && 'fault' in model) outcome = ended('provider', because`${model.fault}`);
    else {
      const asking = (on: boolean): void => {
        worker.view = { ...worker.view, state: on ? 'asking' : 'running' };
      };
      const note = (text: string): void => {
        said = text;
      };
      const run = runWorker(job, agent, model, { ...options, id, stop: worker.stop, take: log.take, asking, note });
      outcome = await Promise.race([run, leftBehind(worker.stop.signal)]);
    }
  } catch (error) {
    outcome = ended('failed', because`the worker crashed: ${error instanceof Error ? error.message : String(error)}`);
  }
  const ms = now(options) - started;
  say({ type: 'worker-end', worker: id, outcome, ms });
  return {
    ...report(job, id, outcome),
    log: log.lines(),
    omitted: log.omitted,
    ms,
    ...(said === undefined ? {} : { note: said }),
  };
}

/** Some time after a stop: what a worker comes to that does not end by itself. */
function leftBehind(signal: AbortSignal): Promise<RunOutcome> {
  return new Promise((resolve) => {
    const wait = (): void => {
      const end = () => resolve(ended(stopReason(signal), because`${stopText(signal)}; the worker did not end by itself`));
      setTimeout(end, GRACE_MS).unref();
    };
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}

async function modelOf(agent: WorkerAgent, options: DispatcherOptions): Promise<WorkerModel | { readonly fault: string }> {
  try {
    return await options.modelFor(agent);
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function unknownAgent(name: string, options: DispatcherOptions): Reason {
  const known = options.agents().map((agent) => agent.name);
  return because`there is no agent ${name}. Agents: ${known.join(', ')}`;
}

function report(job: Dispatch, worker: string, outcome: RunOutcome): WorkerReport {
  return { worker, agent: job.agent, outcome, log: [], omitted: 0, ms: 0 };
}

function ended(status: RunOutcome['status'], why: Reason): RunOutcome {
  return { status, result: '', reason: english(why), why, turns: 0, usage: NO_USAGE, cost: 0, denied: [], files: [] };
}

function now(options: DispatcherOptions): number {
  return options.ports().clock.now();
}
