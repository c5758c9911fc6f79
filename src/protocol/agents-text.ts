/** The agents as text: the part of the stable prompt that lists them and says when to call one. */
import type { WorkerAgent } from '../types/worker.js';

/** The same bytes for the same agents, sorted by name. Empty without agents. */
export function agentsText(agents: readonly WorkerAgent[], scripts: ReadonlySet<string>): string {
  if (agents.length === 0) return '';
  const rows = [...agents].sort((a, b) => (a.name < b.name ? -1 : 1)).map((agent) => agentLine(agent, scripts));
  return `${GUIDE}\n${rows.join('\n')}`;
}

function agentLine({ name, description, tools, readOnly, skills }: WorkerAgent, scripts: ReadonlySet<string>): string {
  const access = tools === undefined ? 'all tools' : tools.length === 0 ? 'no tools' : tools.join(' ');
  const own = skills.filter((skill) => scripts.has(skill));
  const runs = own.length > 0 ? `; scripts ${own.join(' ')}` : '';
  return `- ${name}: ${description.replace(/\s+/g, ' ').trim()} (${readOnly ? 'read-only: ' : ''}${access}${runs})`;
}

const GUIDE = `# Agents
Specialists that work in parallel, each with a history of its own. Call one with the function agent, or with a tag; several in one reply run together:
<agent_call agent="file" task="Read all files in src/cart and say where prices are rounded"/>
Add skill="run-tests" to run only a script of the agent, without a model.
Use agents for a new phase of work, for parallel tasks, for reading much, for changes in many files. Use tools directly for a quick fix, a diagnosis, a single patch, or to check what an agent did. Never both in one reply, reading apart.
The task is all an agent knows: give goal, paths and limits. Give two agents no file to write at once.
When an agent fails: diagnose, repair and verify with tools; then go on with the next phase by agents.`;
