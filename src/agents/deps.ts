/** The deps agent: audits dependencies, finds outdated ones, explains why one is there. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './deps.md';

export const depsAgent: WorkerAgent = {
  name: 'deps',
  description: 'audits dependencies, finds outdated ones, explains why one is there',
  prompt,
  tools: ['read', 'exec', 'search', 'tree'],
  skills: ['audit-deps', 'update-deps', 'why-dep', 'find-outdated'],
  abilities: [{ name: 'find-outdated', summary: 'lists dependencies with newer versions' }],
  readOnly: false,
  effort: 'low',
  contract: 'general',
};
