/** The main agent of coder mode. */
import type { Agent } from '../types/agent.js';
import prompt from './mode-coder.md';

export const coderMode: Agent = {
  name: 'coder',
  description: 'Engineering work in the workspace: reads, edits, runs, checks.',
  prompt,
  skills: [],
  readOnly: false,
  limits: { turns: 50 },
  contract: 'engineering',
};
