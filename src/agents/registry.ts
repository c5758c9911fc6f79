/** The agents of this program: one line each. */
import type { Agent } from '../types/agent.js';
import type { WorkerAgent } from '../types/worker.js';
import { coderAgent } from './coder.js';
import { depsAgent } from './deps.js';
import { diagnosticsAgent } from './diagnostics.js';
import { fileAgent } from './file.js';
import { formatterAgent } from './formatter.js';
import { gitAgent } from './git.js';
import { agentMode } from './mode-agent.js';
import { chatMode } from './mode-chat.js';
import { coderMode } from './mode-coder.js';
import { plannerAgent } from './planner.js';
import { refactorAgent } from './refactor.js';
import { reviewerAgent } from './reviewer.js';
import { searchAgent } from './search.js';
import { shellAgent } from './shell.js';
import { testerAgent } from './tester.js';

/** The main agents, one for each way to work. */
export const MODE_AGENTS = { coder: coderMode, agent: agentMode, chat: chatMode } as const satisfies Record<string, Agent>;

export type ModeName = keyof typeof MODE_AGENTS;

/** The specialists, one line each. Their names are reserved. */
export const SPECIALISTS: readonly WorkerAgent[] = [
  fileAgent,
  coderAgent,
  shellAgent,
  gitAgent,
  searchAgent,
  plannerAgent,
  reviewerAgent,
  testerAgent,
  refactorAgent,
  diagnosticsAgent,
  formatterAgent,
  depsAgent,
];

/** Agents that can be called now. */
export function workerAgents(): readonly WorkerAgent[] {
  return SPECIALISTS;
}
