/** What a worker may call: the caller's tools, cut to the agent's list. */
import { shortName } from '../protocol/find-tool.js';
import { helpTool } from '../protocol/help-tool.js';
import type { ScriptSkill } from '../types/skill.js';
import type { Tool } from '../types/tool.js';
import type { WorkerAgent } from '../types/worker.js';
import type { LoopPorts } from './ports.js';
import { skillTool } from './skill-tool.js';

/** Harmless for everyone who has a tool at all. */
const COMMON: ReadonlySet<string> = new Set(['@todo', 'help']);

/** Workers call no agents, so depth is one. `scripts` are those the agent's skills name. */
export function toolsFor(agent: WorkerAgent, ports: () => LoopPorts, scripts: readonly ScriptSkill[]): readonly Tool[] {
  const all = ports().tools.filter((tool) => tool.delegates !== true && tool.name !== 'skill');
  const own = all.filter((tool) => mayCall(agent, tool));
  if (own.length === 0 && scripts.length === 0) return [];
  const common = all.filter((tool) => COMMON.has(tool.name) && !own.includes(tool));
  return withOwnHelp([...own, ...common, ...(scripts.length > 0 ? [skillTool(scripts, ports)] : [])]);
}

/** What describes tools knows those of this agent alone. */
function withOwnHelp(tools: readonly Tool[]): readonly Tool[] {
  const { run } = helpTool(tools);
  return tools.map((tool) => (tool.name === 'help' ? { ...tool, run } : tool));
}

/** `read` in an agent's list means `@coder read` and its twin `@read`. */
export function mayCall(agent: WorkerAgent, tool: Tool): boolean {
  if (agent.tools === undefined) return true;
  return agent.tools.includes(tool.name) || agent.tools.includes(shortName(tool).replace(/^@/, ''));
}

/**
 * The scripts an agent's skills name, in its order. A read-only agent has those alone that change nothing; scripts of skill
 * packages are commands, so they are for agents that may run some.
 */
export function scriptsOf(agent: WorkerAgent, scripts: readonly ScriptSkill[]): readonly ScriptSkill[] {
  const names = [...new Set(agent.skills.map((name) => name.toLowerCase()))];
  const found = names.flatMap((name) =>
    scripts.filter((script) => script.name === name || (runsCommands(agent) && script.name.startsWith(`${name}/scripts/`))),
  );
  return agent.readOnly ? found.filter(({ readOnly }) => readOnly) : found;
}

function runsCommands(agent: WorkerAgent): boolean {
  return agent.tools === undefined || agent.tools.some((tool) => tool === 'exec' || tool === '@coder exec');
}
