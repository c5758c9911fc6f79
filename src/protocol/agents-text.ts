/** The agents as text: the part of the stable prompt that lists them and says when to call one. */
import { shortProse } from '../base/one-line.js';
import type { WorkerAgent } from '../types/worker.js';

/** Characters of one description, of all rows, and of the names that have no row. */
const LONGEST_DESCRIPTION = 200;
const MOST_ROWS = 8000;
const MOST_NAMES = 1000;

/** The same bytes for the same agents, sorted by name, and never more than some 12,000. Empty without agents. */
export function agentsText(agents: readonly WorkerAgent[], scripts: ReadonlySet<string>): string {
  if (agents.length === 0) return '';
  const sorted = [...agents].sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows = new Map<string, string>();
  let room = MOST_ROWS;
  // What folders bring never takes the place of what is always there.
  for (const agent of [...sorted.filter(({ origin }) => !origin), ...sorted.filter(({ origin }) => origin)]) {
    const row = agentLine(agent, scripts);
    room -= row.length + 1;
    if (room >= 0) rows.set(agent.name, row);
  }
  const shown = sorted.flatMap(({ name }) => rows.get(name) ?? []);
  const others = sorted.filter(({ name }) => !rows.has(name)).map(({ name }) => name);
  return [GUIDE, ...shown, ...(others.length > 0 ? [namesLine(others)] : [])].join('\n');
}

function namesLine(names: readonly string[]): string {
  let text = 'More agents (@agents lists all):';
  let count = 0;
  for (const name of names) {
    if (text.length + name.length > MOST_NAMES) break;
    text += `${count === 0 ? '' : ','} ${name}`;
    count++;
  }
  return count < names.length ? `${text} … and ${names.length - count} others` : text;
}

function agentLine({ name, description, tools, readOnly, skills }: WorkerAgent, scripts: ReadonlySet<string>): string {
  const own = skills.map((skill) => skill.toLowerCase()).filter((skill) => scripts.has(skill));
  const runs = own.length > 0 ? `; scripts ${own.join(' ')}` : '';
  return `- ${name}: ${shortProse(description, LONGEST_DESCRIPTION)} (${accessOf(tools, readOnly)}${runs})`;
}

const WRITING = /(^| )(write|patch|multipatch|rollback|clean|checkpoint)$/;
const RUNNING = /(^| )(exec|test)$/;

function accessOf(tools: WorkerAgent['tools'], readOnly: boolean): string {
  if (tools?.length === 0) return 'no tools';
  if (readOnly) return 'read-only';
  if (tools === undefined) return 'all tools';
  const words = [tools.some((tool) => WRITING.test(tool)) && 'writes', tools.some((tool) => RUNNING.test(tool)) && 'runs'];
  return words.filter(Boolean).join(', ') || 'some tools';
}

const GUIDE = `# Agents
Specialists that work in parallel, each with its own history. Call them with the function agent or a tag, several in one reply:
<agent_call agent="file" task="Read all files in src/cart and say where prices are rounded"/>
skill="run-tests" runs only that script of the agent, without a model.
Use agents for a new phase, parallel tasks, much reading, changes in many files; tools for a quick fix, a diagnosis, one patch, a check of what an agent did. Never both in one reply, reading apart.
The task is all an agent knows: give goal, paths, limits. Give two agents no file to write at once.
When an agent fails: diagnose, repair and verify with tools; then go on with the next phase by agents.`;
