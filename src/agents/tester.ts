/** The tester agent: writes tests, runs them, measures coverage. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './tester.md';

export const testerAgent: WorkerAgent = {
  name: 'tester',
  description: 'writes tests, runs them, measures coverage',
  prompt,
  tools: ['read', 'write', 'patch', 'exec', 'test', 'search', 'tree'],
  skills: ['run-coverage', 'find-untested', 'generate-tests', 'generate-table-test'],
  abilities: [
    { name: 'generate-tests', summary: 'writes tests for functions and packages' },
    { name: 'generate-table-test', summary: 'writes table-driven tests' },
  ],
  readOnly: false,
  effort: 'medium',
  contract: 'general',
};
