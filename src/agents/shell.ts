/** The shell agent: runs builds, tests, linters and other commands. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './shell.md';

export const shellAgent: WorkerAgent = {
  name: 'shell',
  description: 'runs builds, tests, linters and other commands',
  prompt,
  tools: ['exec', 'test'],
  skills: ['run-tests', 'build-check', 'lint-fix'],
  abilities: [{ name: 'lint-fix', summary: 'lets a linter repair what it can' }],
  readOnly: false,
  effort: 'low',
  contract: 'general',
};
