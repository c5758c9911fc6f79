/** What the loop is given: values and functions, never the application. */
import type { Clock, IdSource } from '../base/clock.js';
import type { Agent, RunStatus } from '../types/agent.js';
import type { AgentEvent } from '../types/event.js';
import type { Message } from '../types/message.js';
import type { Judged } from '../types/policy.js';
import type { Effort, Provider, Usage } from '../types/provider.js';
import { because, type Reason } from '../types/reason.js';
import type { Host, PlanStore, Tool, ToolCall } from '../types/tool.js';
import type { Located, Workspace } from '../types/workspace.js';
import type { Gate } from './gate.js';

export type ToolMode = 'native' | 'text';

/** Shared by all agents of one application. */
export interface LoopPorts {
  readonly provider: Provider;
  readonly tools: readonly Tool[];
  readonly workspace: Workspace;
  readonly host: Host;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Where every event goes. Must not throw. */
  emit(event: AgentEvent): void;
  /** Dollars for a usage; undefined when the price is not known. */
  priceOf(usage: Usage): number | undefined;
  /** Words typed while the run works, each delivered once. */
  takeTyped?(): readonly string[];
  /** Runs the operator's own check commands after edits. */
  check?(options: { readonly signal: AbortSignal }): Promise<CheckReport>;
}

export interface CheckReport {
  readonly ran: readonly { readonly command: string; readonly ok: boolean; readonly how: string }[];
  /** What the model is told when one failed. */
  readonly failure?: string;
}

/** One run of one agent. */
export interface RunInput {
  readonly agent: Agent;
  /** Id in events: `main`, or the worker's. */
  readonly agentId: string;
  readonly task: string;
  /** Messages so far, then the new user message last. */
  readonly history: readonly Message[];
  readonly model: string;
  readonly effort?: Effort;
  readonly maxOutputTokens?: number;
  readonly toolMode: ToolMode;
  /** True: the mode may fall to `text` when the API refuses functions. */
  readonly modeIsGuess: boolean;
  readonly plan: PlanStore;
  /** The catalogue of agents, for runs that may call them. */
  readonly agentsText?: string;
  readonly systemSuffix?: string;
  readonly budgetUsd?: number;
  /** Dollars spent by everything that shares the budget; undefined when a price is not known. Absent: the run's own cost. */
  spent?(): number | undefined;
  /** Aborted with one of the stop reasons below as `signal.reason`. */
  readonly signal: AbortSignal;
}

export type StopReason = Extract<RunStatus, 'interrupted' | 'timeout'>;

/** Reasons of a signal that ends one worker while the run goes on. */
export const CANCELLED = { person: 'cancelled-by-person', caller: 'cancelled-by-caller' } as const;

/** Why a signal was aborted; anything unknown counts as an interruption. */
export function stopReason(signal: AbortSignal): StopReason {
  return signal.reason === 'timeout' ? 'timeout' : 'interrupted';
}

/** The same as a sentence for the outcome. */
export function stopText(signal: AbortSignal): Reason {
  if (signal.reason === CANCELLED.person) return because`the person stopped this agent alone, the run goes on`;
  if (signal.reason === CANCELLED.caller) return because`it was cancelled by a call`;
  return stopReason(signal) === 'timeout' ? because`the time limit was reached` : because`the run was stopped`;
}

/** A call that passed parsing, with its tool and its resolved paths. */
export interface PreparedCall extends Judged {
  readonly tool: Tool;
  readonly call: ToolCall;
  readonly reads: readonly Located[];
  readonly writes: readonly Located[];
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
  };
}
