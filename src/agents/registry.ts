/** The agents of this program: one line each. */
import type { Agent } from '../types/agent.js';
import type { WorkerAgent } from '../types/worker.js';
import { agentMode } from './mode-agent.js';
import { chatMode } from './mode-chat.js';
import { coderMode } from './mode-coder.js';

/** The main agents, one for each way to work. */
export const MODE_AGENTS = { coder: coderMode, agent: agentMode, chat: chatMode } as const satisfies Record<string, Agent>;

export type ModeName = keyof typeof MODE_AGENTS;

/** The specialists, one line each. */
const BUILTIN: readonly WorkerAgent[] = [];

/** Agents that can be called now. */
export function workerAgents(): readonly WorkerAgent[] {
  return BUILTIN;
}
