/** The git agent: status, diffs, history, branches and commits. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './git.md';

export const gitAgent: WorkerAgent = {
  name: 'git',
  description: 'status, diffs, history, branches and commits',
  prompt,
  tools: ['git-status', 'git-diff', 'git-log', 'git-changed', 'git-branch', 'exec'],
  skills: ['smart-commit', 'review-changes', 'create-branch'],
  abilities: [{ name: 'create-branch', summary: 'creates a branch' }],
  readOnly: false,
  effort: 'low',
  contract: 'general',
};
