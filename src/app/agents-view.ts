/** Agents as people and programs are shown them: where each came from, what it may use, what it can do. */
import { createAgentRegistry } from '../agents/registry.js';
import type { FileWarning } from '../agents/shared/load.js';
import { shortProse } from '../base/one-line.js';
import { SCRIPT_SKILLS } from '../skills/registry.js';
import type { WorkerView } from '../types/dispatch.js';
import type { JsonObject } from '../types/json.js';
import type { WorkerAgent } from '../types/worker.js';
import type { Config } from './config.js';
import type { Conversation } from './conversation.js';
import { currentTrust } from './current-trust.js';
import { bringAgents } from './custom-agents.js';
import type { Translate } from './flags.js';

const SCRIPTS: ReadonlySet<string> = new Set(SCRIPT_SKILLS.map(({ name }) => name));

/** All agents of a folder, and what was wrong with files. */
export async function agentsOf(
  config: Config,
): Promise<{ readonly agents: readonly WorkerAgent[]; readonly warnings: readonly FileWarning[] }> {
  const registry = createAgentRegistry();
  const { warnings } = await bringAgents(config, currentTrust(config), registry);
  return { agents: registry.all(), warnings };
}

/** Lines for people; names and paths as they are, so the screen must make them safe. */
export function agentLines(agents: readonly WorkerAgent[], config: Config, t: Translate): string[] {
  return agents.flatMap((agent) => {
    const limited = (tool: string) => (agent.paths?.[tool] ? `${tool}(${agent.paths[tool]?.join(', ')})` : tool);
    const tools = agent.tools === undefined ? t('agents.allTools') : agent.tools.map(limited).join(', ') || t('agents.noTools');
    const isAbility = (skill: string) => !agent.origin || agent.abilities?.some(({ name }) => name === skill) === true;
    const commands = agent.commands ? ` (${agent.commands.join(', ')})` : '';
    const scripts = agent.skills.filter((skill) => SCRIPTS.has(skill.toLowerCase()));
    const others = agent.skills.filter((skill) => !SCRIPTS.has(skill.toLowerCase()));
    const model = config.agents.modelOf(agent.name) ?? agent.model;
    return [
      `${agent.name}  [${agent.origin ?? t('agents.builtin')}]${agent.readOnly ? `  ${t('agents.readOnly')}` : ''}`,
      `  ${agent.description}`,
      `  ${t('agents.tools')}: ${tools}${commands}`,
      ...(scripts.length > 0 ? [`  ${t('agents.scripts')}: ${scripts.join(', ')}`] : []),
      ...listed(t('agents.abilities'), others.filter(isAbility)),
      ...listed(
        t('agents.skills'),
        others.filter((skill) => !isAbility(skill)),
      ),
      ...(model ? [`  ${t('agents.model')}: ${model}`] : []),
    ];
  });
}

function listed(title: string, names: readonly string[]): string[] {
  return names.length > 0 ? [`  ${title}: ${names.join(', ')}`] : [];
}

/** What `/agents` needs: who is at work, without anybody all there are (none when switched off; with `all` both), and an end for one. */
export function shellAgents(config: Config, t: Translate, workers: Conversation['workers']) {
  return {
    async agentLines(all = false): Promise<readonly string[]> {
      if (!config.agents.parallel) return [];
      const busy = workers?.workers() ?? [];
      if (busy.length > 0 && !all) return [...workerLines(busy, t), t('agents.listHint')];
      const known = agentLines((await agentsOf(config)).agents, config, t);
      return busy.length > 0 ? [...known, '', ...workerLines(busy, t)] : known;
    },
    cancelAgent: (worker: string) => workers?.cancel(worker, 'person') ?? false,
  };
}

/** Each agent at work with its id, its state and its task, and how one is stopped. */
export function workerLines(workers: readonly WorkerView[], t: Translate): string[] {
  const states = { waiting: t('agents.waiting'), running: t('agents.running'), asking: t('agents.asking') };
  return [
    t('agents.atWork'),
    ...workers.map(({ worker, state, task }) => `  ${worker}  ${states[state]}  ${shortProse(task, 120)}`),
    t('agents.cancelHint'),
  ];
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
    paths: agent.paths ? Object.fromEntries(Object.entries(agent.paths).map(([tool, globs]) => [tool, [...globs]])) : null,
    skills: agent.skills.map((name) => {
      const summary = agent.abilities?.find((ability) => ability.name === name)?.summary;
      return { name, kind: SCRIPTS.has(name.toLowerCase()) ? 'script' : 'descriptive', ...(summary ? { summary } : {}) };
    }),
    model,
    effort,
    isolation: agent.isolation ?? null,
  };
}
