/** The port between the orchestrator and its workers. In process by default; a queue over machines can take its place. */
import type { RunOutcome } from './agent.js';
import type { JsonObject } from './json.js';

/** One agent call. */
export interface Dispatch {
  /** Id of the call that asked for it. */
  readonly callId: string;
  /** Type of the agent, lower case. */
  readonly agent: string;
  readonly task: string;
  /** Runs this script skill of the agent instead of the model. */
  readonly skill?: string;
  readonly args?: JsonObject;
  /** Writes in a private repository of its own. */
  readonly isolate?: boolean;
}

/** What came of one agent call. Failures are reports too. */
export interface WorkerReport {
  /** Id of the worker in events: `coder`, `coder-2`. */
  readonly worker: string;
  readonly agent: string;
  readonly outcome: RunOutcome;
  /** What it did, one line a call, oldest first, bounded. */
  readonly log: readonly string[];
  /** Calls left out of the log. */
  readonly omitted: number;
  /** Milliseconds since it got its slot. */
  readonly ms: number;
  /** Where an isolated change went, in one sentence. */
  readonly note?: string;
}

/** A worker that waits or runs, for boards. */
export interface WorkerView {
  readonly worker: string;
  readonly agent: string;
  readonly task: string;
  readonly state: 'waiting' | 'running' | 'asking';
  readonly started: number;
}

export interface Dispatcher {
  /** Runs one agent call to its end. Never throws; waits for a slot first, which can be cancelled. */
  dispatch(job: Dispatch, options: { readonly signal: AbortSignal }): Promise<WorkerReport>;
  workers(): readonly WorkerView[];
  /** Stops one worker; its siblings go on, and so does who called it, who is told whether a person did it. False: there is none of that id. */
  cancel(worker: string, by?: 'person'): boolean;
}
