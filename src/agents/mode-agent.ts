/** The main agent of agent mode. */
import type { Agent } from '../types/agent.js';
import prompt from './mode-agent.md';

export const agentMode: Agent = {
  name: 'agent',
  description: 'Any task at the terminal, with files, search and commands.',
  prompt,
  skills: [],
  readOnly: false,
  limits: { turns: 50 },
  contract: 'general',
};
