/** The search agent: finds symbols, usages and definitions. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './search.md';

export const searchAgent: WorkerAgent = {
  name: 'search',
  description: 'finds symbols, usages and definitions',
  prompt,
  tools: ['search', 'tree', 'read'],
  skills: ['map-project', 'find-usages', 'find-definition', 'find-dead-code'],
  abilities: [
    { name: 'find-usages', summary: 'finds where a symbol is used' },
    { name: 'find-definition', summary: 'finds where a symbol is defined' },
    { name: 'find-dead-code', summary: 'finds code nobody uses' },
  ],
  readOnly: true,
  effort: 'low',
  contract: 'general',
};
