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
].map(withAbilities);

/** An agent's prompt says what it is good at. */
function withAbilities(agent: WorkerAgent): WorkerAgent {
  if (!agent.abilities || agent.abilities.length === 0) return agent;
  const rows = agent.abilities.map(({ name, summary }) => `- ${name}: ${summary}`);
  return { ...agent, prompt: `${agent.prompt.trimEnd()}\n\nYour skills, by your own work:\n${rows.join('\n')}\n` };
}

/** Ids that stand for something else than an agent that was called: the conversation itself, and who acts for it. */
const OWN_IDS: ReadonlySet<string> = new Set(
  'main user person system assistant orchestrator tool tools script bring none all list cancel'.split(' '),
);

/** The names nobody else may take. */
export const RESERVED: ReadonlySet<string> = new Set([...SPECIALISTS.map(({ name }) => name), ...OWN_IDS]);

/** The public registry: what programs built on this library change. */
export interface AgentRegistry {
  /** Adds an agent; one of the same name is replaced. Throws TypeError for a name that is none, or means something else (`main`). */
  register(agent: WorkerAgent): void;
  /** False: there was none of that name. */
  unregister(name: string): boolean;
  get(name: string): WorkerAgent | undefined;
  /** Sorted by name. */
  all(): readonly WorkerAgent[];
  /** Replaces what folders brought; registered agents and specialists of the same name stay. */
  setCustom(agents: readonly WorkerAgent[]): void;
}

/** A registry with the specialists in it. */
export function createAgentRegistry(start: readonly WorkerAgent[] = SPECIALISTS): AgentRegistry {
  const own = new Map(start.map((agent) => [agent.name, agent]));
  let custom: readonly WorkerAgent[] = [];
  const find = (name: string) => own.get(name) ?? custom.find((agent) => agent.name === name);
  return {
    register(agent) {
      if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(agent.name) || OWN_IDS.has(agent.name))
        throw new TypeError(`not a name for an agent: ${agent.name}`);
      own.set(agent.name, agent);
    },
    unregister: (name) => own.delete(name),
    get: (name) => find(name.trim().toLowerCase()),
    all() {
      const further = custom.filter(({ name }) => !own.has(name));
      return [...own.values(), ...further].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    setCustom(agents) {
      custom = agents.filter(({ name }) => !OWN_IDS.has(name));
    },
  };
}
