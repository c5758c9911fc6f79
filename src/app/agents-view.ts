/** Agents as people and programs are shown them: where each came from, what it may use, what it can do. */
import { createAgentRegistry } from '../agents/registry.js';
import type { FileWarning } from '../agents/shared/load.js';
import { SCRIPT_SKILLS } from '../skills/registry.js';
import type { JsonObject } from '../types/json.js';
import type { WorkerAgent } from '../types/worker.js';
import { isTrusted } from './agents.js';
import type { Config } from './config.js';
import { bringAgents } from './custom-agents.js';
import type { Translate } from './flags.js';

const SCRIPTS: ReadonlySet<string> = new Set(SCRIPT_SKILLS.map(({ name }) => name));

/** All agents of a folder, and what was wrong with files. */
export async function agentsOf(
  config: Config,
): Promise<{ readonly agents: readonly WorkerAgent[]; readonly warnings: readonly FileWarning[] }> {
  const registry = createAgentRegistry();
  const { warnings } = await bringAgents(config, isTrusted(config), registry);
  return { agents: registry.all(), warnings };
}

/** Lines for people; names and paths as they are, so the screen must make them safe. */
export function agentLines(agents: readonly WorkerAgent[], config: Config, t: Translate): string[] {
  return agents.flatMap((agent) => {
    const tools = agent.tools === undefined ? t('agents.allTools') : agent.tools.join(', ') || t('agents.noTools');
    const commands = agent.commands ? `, ${agent.commands.join(', ')}` : '';
    const scripts = agent.skills.filter((skill) => SCRIPTS.has(skill));
    const others = agent.skills.filter((skill) => !SCRIPTS.has(skill));
    const model = config.agents.modelOf(agent.name) ?? agent.model;
    return [
      `${agent.name}  [${agent.origin ?? t('agents.builtin')}]${agent.readOnly ? `  ${t('agents.readOnly')}` : ''}`,
      `  ${agent.description}`,
      `  ${t('agents.tools')}: ${tools}${commands}`,
      ...(scripts.length > 0 ? [`  ${t('agents.scripts')}: ${scripts.join(', ')}`] : []),
      ...(others.length > 0 ? [`  ${t('agents.skills')}: ${others.join(', ')}`] : []),
      ...(model ? [`  ${t('agents.model')}: ${model}`] : []),
    ];
  });
}

/** What `/agents` shows; empty when agents are switched off. */
export async function shellAgentLines(config: Config, t: Translate): Promise<readonly string[]> {
  return config.agents.parallel ? agentLines((await agentsOf(config)).agents, config, t) : [];
}

/** One agent as data. */
export function agentData(agent: WorkerAgent, config: Config): JsonObject {
  const model = config.agents.modelOf(agent.name) ?? agent.model ?? null;
  const effort = config.agents.effortOf(agent.name) ?? agent.effort ?? null;
  return {
    name: agent.name,
    description: agent.description,
    origin: agent.origin ?? 'builtin',
    readOnly: agent.readOnly,
    tools: agent.tools ? [...agent.tools] : null,
    commands: agent.commands ? [...agent.commands] : null,
    skills: agent.skills.map((name) => ({ name, kind: SCRIPTS.has(name) ? 'script' : 'descriptive' })),
    model,
    effort,
    isolation: agent.isolation ?? null,
  };
}
