/** Workers of one conversation: the agents there are, the model each runs on, the tools that call them. */
import { type AgentRegistry, createAgentRegistry } from '../agents/registry.js';
import workerRules from '../agents/worker-rules.md';
import { agentTool } from '../loop/agent-tool.js';
import { agentsTool } from '../loop/agents-tool.js';
import { createDispatcher } from '../loop/dispatcher.js';
import type { Isolate } from '../loop/isolation.js';
import type { LoopPorts, ToolMode } from '../loop/ports.js';
import { skillTool } from '../loop/skill-tool.js';
import type { WorkerModel } from '../loop/worker-options.js';
import { agentsText } from '../protocol/agents-text.js';
import { SCRIPT_SKILLS } from '../skills/registry.js';
import type { Dispatcher } from '../types/dispatch.js';
import type { AgentEvent } from '../types/event.js';
import type { Judged } from '../types/policy.js';
import type { Reason } from '../types/reason.js';
import type { ScriptSkill } from '../types/skill.js';
import type { Tool } from '../types/tool.js';
import type { WorkerAgent } from '../types/worker.js';
import type { ChosenModel } from './chosen-model.js';
import type { Config } from './config.js';
import { currentTrust } from './current-trust.js';
import { type BroughtAgents, bringAgents } from './custom-agents.js';

export interface Agents {
  /** What the orchestrator may call beside its tools. */
  readonly tools: readonly Tool[];
  readonly dispatcher: Dispatcher;
  /** The catalogue for the stable prompt, as it is now. */
  text(): string;
  readonly registry: AgentRegistry;
  /** A new task of the user begins: its budget starts anew, and what folders bring is read again. */
  begin(): Promise<BroughtAgents>;
  /** Sees every event of the conversation. */
  take(event: AgentEvent): void;
}

export interface AgentsOptions {
  readonly config: Config;
  ports(): LoopPorts;
  /** The model that is active at this moment. */
  active(): ChosenModel;
  toolMode(): ToolMode;
  /** Opens another model than the active one. May throw. */
  open(model: string): Promise<ChosenModel>;
  /** Agents registered by code; absent: the specialists. */
  readonly registry?: AgentRegistry;
  /** May this agent run this command line, by its own list? Undefined: yes. */
  refuses(agent: WorkerAgent, judged: Judged): Reason | undefined;
  /** What a worker is told of where it works. */
  environment?(ports: LoopPorts): string;
  /** Absent: no agent can be isolated. */
  readonly isolate?: Isolate;
}

/** Undefined when agents are switched off. */
export function openAgents(options: AgentsOptions): Agents | undefined {
  const { config } = options;
  if (!config.agents.parallel) return undefined;
  const models = openModels(options);
  const registry = options.registry ?? createAgentRegistry();
  let brought: readonly ScriptSkill[] = [];
  let spent: number | undefined = 0;
  const dispatcher = createDispatcher({
    ports: options.ports,
    agents: registry.all,
    refuses: options.refuses,
    ...(options.isolate ? { isolate: options.isolate } : {}),
    get scripts() {
      return [...SCRIPT_SKILLS, ...brought];
    },
    limits: config.agents,
    modelFor: (agent) => modelFor(agent, options, models),
    ...(options.environment ? { environment: options.environment } : {}),
    rules: workerRules,
    caller: 'main',
    settings: { maxOutputTokens: config.maxOutputTokens, budgetUsd: config.budgetUsd, spent: () => spent },
  });
  return {
    tools: [agentTool(dispatcher), agentsTool(dispatcher, registry.all), skillTool(SCRIPT_SKILLS, options.ports)],
    dispatcher,
    text: () => agentsText(registry.all(), new Set(SCRIPT_SKILLS.map((script) => script.name))),
    registry,
    async begin() {
      spent = 0;
      const all = await bringAgents(config, currentTrust(config), registry);
      brought = all.scripts;
      return all;
    },
    take(event) {
      if (event.type === 'usage') spent = spent === undefined || event.cost === undefined ? undefined : spent + event.cost;
    },
  };
}

/** Other models of the service: each is opened once. */
function openModels({ open, active }: AgentsOptions): (model: string) => Promise<ChosenModel> {
  const opened = new Map<string, Promise<ChosenModel>>();
  return (model) => {
    const { service } = active();
    const key = `${service} ${model}`;
    const known = opened.get(key) ?? open(model);
    opened.set(key, known);
    // What could not be opened may be there the next time.
    known.catch(() => opened.delete(key));
    return known;
  };
}

/** The model that is active at this moment, with its service as it is open, unless the agent has a model of its own. */
async function modelFor(
  agent: WorkerAgent,
  options: AgentsOptions,
  models: (model: string) => Promise<ChosenModel>,
): Promise<WorkerModel> {
  const { config } = options;
  const own = config.agents.modelOf(agent.name) ?? (agent.model?.toLowerCase() === 'inherit' ? undefined : agent.model);
  const active = options.active();
  const chosen = own === undefined || own === active.model ? active : await models(own);
  const effort = config.agents.effortOf(agent.name) ?? agent.effort ?? config.effort;
  const fitting = config.toolMode === 'auto' ? (chosen.info.tools === false ? 'text' : 'native') : config.toolMode;
  return {
    provider: chosen.provider,
    model: chosen.model,
    toolMode: chosen === active ? options.toolMode() : fitting,
    modeIsGuess: config.toolMode === 'auto',
    ...(effort ? { effort } : {}),
    priceOf: chosen.priceOf,
  };
}
