/** An agent is pure data: the main coder, every worker and every custom agent are values of this type. */
import type { Effort } from './provider.js';
import type { Reason } from './reason.js';

export interface Agent {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
  /** Canonical tool names it may call; undefined means all the caller has. */
  readonly tools?: readonly string[];
  readonly skills: readonly string[];
  /** What its descriptive skills mean, one line each, for the catalogue and its prompt. */
  readonly abilities?: readonly { readonly name: string; readonly summary: string }[];
  readonly readOnly: boolean;
  readonly limits: { readonly turns: number; readonly ms?: number };
  /** `engineering` agents answer to the /coder contract. */
  readonly contract: 'engineering' | 'general' | 'chat';
  /** Model of its own; absent or `inherit`: the one active at dispatch. */
  readonly model?: string;
  readonly effort?: Effort;
  /** `worktree`: it writes in a private repository of its own. */
  readonly isolation?: 'worktree';
  /** Commands it may run, from `Bash(git log:*)`; absent: no such limit. What they allow still passes the gate. */
  readonly commands?: readonly string[];
  /** Tool -> globs of what it may touch, from `Write(docs/**)`; a tool that is not in it has no such limit. */
  readonly paths?: Readonly<Record<string, readonly string[]>>;
  /** Tools taken away from it (`disallowedTools`): what they do is refused by any other route too. */
  readonly withheld?: readonly string[];
  /** Where it came from: absent for builtin ones, otherwise the file. */
  readonly origin?: string;
}

export type RunStatus =
  | 'done'
  | 'failed'
  | 'denied'
  | 'turn_limit'
  | 'stagnation'
  | 'timeout'
  | 'provider'
  | 'budget'
  | 'interrupted';

/** How a run ended. */
export interface RunOutcome {
  readonly status: RunStatus;
  /** The final text, tags stripped. */
  readonly result: string;
  /** For status other than done: one English sentence. */
  readonly reason?: string;
  /** The same for people. */
  readonly why?: Reason;
  readonly turns: number;
  readonly usage: import('./provider.js').Usage;
  /** US dollars; undefined when a price is not known. */
  readonly cost?: number;
  readonly denied: readonly DeniedCall[];
  /** Workspace-relative paths that changed. */
  readonly files: readonly string[];
  /** How the last test run ended, of workers too; absent: none ran. */
  readonly tests?: 'red' | 'green';
}

export interface DeniedCall {
  readonly tool: string;
  readonly summary: string;
  readonly reason: string;
  /** The same for people. */
  readonly why?: Reason;
  readonly agent: string;
  /** The same for equal calls, whoever makes them. */
  readonly key?: string;
  /** True: it was only missing approval, and a rule or a mode could give it. */
  readonly allowable: boolean;
}
