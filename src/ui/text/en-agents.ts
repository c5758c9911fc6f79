/** What is said of agents, in English; a part of the catalogue. */

export const enAgents = {
  'command.agents': 'Show the agents that can be called',
  'option.noParallel': 'without agents: one worker, this one',
  'cli.agents': 'the agents that can be called',
  'cli.agentsList': 'each agent with its origin, its tools and its skills',
  'agents.builtin': 'built in',
  'agents.readOnly': 'read-only',
  'agents.tools': 'tools',
  'agents.allTools': 'all',
  'agents.noTools': 'none',
  'agents.scripts': 'scripts',
  'agents.skills': 'skills',
  'agents.model': 'model',
  'agents.off': 'Agents are switched off here (CHATCLI_AGENT_PARALLEL_MODE or --no-parallel).',
  'notice.agent-branch': '{agent}: nothing was changed in the workspace: {why}. Its change is on the branch {branch}.',
  'notice.agent-worktree': '{agent}: its change was not brought back: {why}. Its work was left at {folder}, for a week.',
  'notice.agent-rest': '{agent}: more of its work was left at {folder}, for a week: {rest}',
  'notice.agent-left': 'A run that ended early left work of the agent {agent} at {folder}; it stays there for a week (session {session}).',
} as const;
