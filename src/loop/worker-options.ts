/** What workers are run with: given once for a conversation, and what one run adds. */

import type { RunOutcome } from '../types/agent.js';
import type { AgentEvent } from '../types/event.js';
import type { Judged } from '../types/policy.js';
import type { Provider, Usage } from '../types/provider.js';
import type { Reason } from '../types/reason.js';
import type { ScriptSkill } from '../types/skill.js';
import type { WorkerAgent } from '../types/worker.js';
import type { Isolate } from './isolation.js';
import type { PausableDeadline } from './pausable-deadline.js';
import type { LoopPorts, RunInput, ToolMode } from './ports.js';

export interface DispatcherOptions {
  /** Those of the application: what the caller has. */
  ports(): LoopPorts;
  /** Agents of this moment, custom ones included. */
  agents(): readonly WorkerAgent[];
  readonly scripts: readonly ScriptSkill[];
  /** Workers at once; turns and milliseconds of one worker. */
  readonly limits: { readonly workers: number; readonly turns: number; readonly ms: number };
  /** Provider and model for an agent, resolved at each dispatch. May throw. */
  modelFor(agent: WorkerAgent): Promise<WorkerModel>;
  /** Why this agent may not make this call whatever the rules say; undefined: it may. */
  refuses?(agent: WorkerAgent, judged: Judged): Reason | undefined;
  /** Gives a worker a place of its own; absent: none can be had here. */
  readonly isolate?: Isolate;
  /** What stands behind a worker's task: where it works, the day, the rights. */
  environment?(ports: LoopPorts): string;
  /** Text behind every worker's prompt. */
  readonly rules: string;
  /** Who calls: the agent id of worker-start and worker-end. */
  readonly caller: string;
  readonly settings: RunSettings;
  /** Milliseconds: until a stopped worker is left behind, and until the keeping of an isolated change is. */
  readonly patience?: { readonly stopped: number; readonly keeping: number };
}

/** Provider and model of one worker. */
export interface WorkerModel {
  readonly provider: Provider;
  readonly model: string;
  readonly toolMode: ToolMode;
  readonly modeIsGuess: boolean;
  readonly effort?: RunInput['effort'];
  priceOf(usage: Usage): number | undefined;
}

/** What every run of the conversation shares. */
export interface RunSettings {
  readonly maxOutputTokens?: number;
  readonly budgetUsd?: number;
  /** Dollars spent by all runs of the conversation's current task. */
  spent?(): number | undefined;
}

export interface WorkerRun extends DispatcherOptions {
  readonly id: string;
  readonly stop: AbortController;
  /** Stops the run that called. */
  readonly called: AbortSignal;
  /** Runs since it got its slot. */
  readonly deadline: PausableDeadline;
  /** An end from outside, with what was done until now. */
  cut(status: RunOutcome['status'], why: Reason): RunOutcome;
  take(event: AgentEvent): void;
  asking(on: boolean): void;
  /** One sentence for the report. */
  note(text: string): void;
}
