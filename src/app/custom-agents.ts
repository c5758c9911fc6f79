/** Agents and skills that the user and the project bring, put together for one conversation. */
import { join } from 'node:path';
import { type AgentRegistry, RESERVED } from '../agents/registry.js';
import { loadCustomAgents } from '../agents/shared/load.js';
import { loadSkillPackages, type SkillPackage } from '../skills/packages.js';
import type { WorkerAgent } from '../types/worker.js';
import type { Config } from './config.js';

/** Where agents are looked for, first found first: the project's after trust, then the user's. */
export function agentFolders(config: Config, trusted: boolean): readonly string[] {
  const project = trusted ? ['.chatcli/agents', '.agent/agents', '.claude/agents', '.agents/agents'] : [];
  return [...project.map((name) => join(config.root, name)), join(config.state, 'agents'), join(config.home, '.claude/agents')];
}

export function skillFolders(config: Config, trusted: boolean): readonly string[] {
  const project = trusted ? ['.chatcli/skills', '.agent/skills', '.claude/skills', '.agents/skills'] : [];
  return [
    ...project.map((name) => join(config.root, name)),
    join(config.state, 'skills'),
    join(config.home, '.claude/skills'),
    join(config.home, '.agents/skills'),
  ];
}

export interface BroughtAgents {
  /** English sentences, each with its file. */
  readonly warnings: readonly string[];
  /** Folders of skills that agents may read in, never write. */
  readonly readable: readonly string[];
}

/** Reads all of it anew into the registry. Never throws. */
export async function bringAgents(config: Config, trusted: boolean, registry: AgentRegistry): Promise<BroughtAgents> {
  const { agents, warnings } = await loadCustomAgents(agentFolders(config, trusted), RESERVED);
  const needed = agents.some((agent) => agent.skills.length > 0);
  const loaded = needed
    ? await loadSkillPackages(skillFolders(config, trusted))
    : { skills: new Map<string, SkillPackage>(), warnings: [] };
  const all = [...warnings, ...loaded.warnings];
  const readable = new Set<string>();
  registry.setCustom(
    agents.map((agent) => {
      const found = agent.skills.flatMap((name) => loaded.skills.get(name.toLowerCase()) ?? []);
      for (const skill of found) if (skill.folder) readable.add(skill.folder);
      for (const name of agent.skills)
        if (!loaded.skills.has(name.toLowerCase())) all.push(`${agent.origin ?? agent.name}: there is no skill ${name}`);
      return withSkills(agent, found);
    }),
  );
  return { warnings: all, readable: [...readable] };
}

/** The agent with its skills in its prompt: their text, where more can be read, what can be run. */
function withSkills(agent: WorkerAgent, skills: readonly SkillPackage[]): WorkerAgent {
  if (skills.length === 0) return agent;
  return { ...agent, prompt: [agent.prompt, '# Skills', ...skills.map((skill) => skillText(agent, skill))].join('\n\n') };
}

function skillText(agent: WorkerAgent, { name, content, texts, scripts }: SkillPackage): string {
  const rows = [`## ${name}`, content];
  if (texts.length > 0) rows.push(`More to read when you need it:\n${texts.map(({ path }) => `- ${path}`).join('\n')}`);
  const runs = agent.tools === undefined || agent.tools.includes('exec');
  if (scripts.length > 0 && runs) {
    const lines = scripts.map(({ path, runners }) => `- ${(runners[0] ?? []).concat(path).join(' ')}`);
    rows.push(`Scripts, run with exec:\n${lines.join('\n')}`);
  }
  return rows.join('\n\n');
}
