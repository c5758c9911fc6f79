/** Workers in a place of their own: the port the loop is given, and how a run in it is ended. */
import type { RunOutcome } from '../types/agent.js';
import type { Dispatch } from '../types/dispatch.js';
import type { WorkerAgent } from '../types/worker.js';
import type { LoopPorts } from './ports.js';

/** A place of its own for one worker. */
export interface Isolated {
  /** Ports whose workspace, tools and commands see this place alone. */
  readonly ports: LoopPorts;
  /** Brings the change back or keeps it elsewhere. `note` is one sentence for the caller. Never throws. */
  finish(outcome: RunOutcome, ports: LoopPorts): Promise<{ readonly outcome: RunOutcome; readonly note: string }>;
}

/** Opens one; `ports` are those of the workspace. Throws an Error that says why there can be none. */
export type Isolate = (worker: string, task: string, signal: AbortSignal, ports: LoopPorts) => Promise<Isolated>;

/** Whether a worker is to be isolated: an agent that cannot write needs no place of its own. */
export function wantsIsolation(job: Dispatch, agent: WorkerAgent): boolean {
  return !agent.readOnly && (job.isolate === true || agent.isolation === 'worktree');
}
