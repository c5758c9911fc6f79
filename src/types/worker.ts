/** Agents that can be called: pure data, or code of their own. */
import type { Agent, RunOutcome } from './agent.js';
import type { JsonObject } from './json.js';
import type { ToolResult } from './tool.js';

/** An agent that can be called for a task. Without limits the configured ones for workers count. */
export interface WorkerAgent extends Omit<Agent, 'limits'> {
  readonly limits?: Agent['limits'];
  /** Replaces the loop: the contract of agents registered by code. May throw; that is a failed report. */
  execute?(task: string, deps: WorkerDeps): Promise<WorkerAnswer>;
}

/** What an agent of its own code may use. */
export interface WorkerDeps {
  /** Sends one call through gate, locks and caps, cut to the agent's tools. Never throws. */
  call(tool: string, args: JsonObject): Promise<ToolResult>;
  /** Runs the common loop with the agent's prompt on a task. */
  think(task: string): Promise<RunOutcome>;
  readonly signal: AbortSignal;
  progress(text: string): void;
}

export interface WorkerAnswer {
  readonly text: string;
  readonly failed?: boolean;
}
