/** The reviewer agent: reviews code and diffs for bugs, design and security. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './reviewer.md';

export const reviewerAgent: WorkerAgent = {
  name: 'reviewer',
  description: 'reviews code and diffs for bugs, design and security',
  prompt,
  tools: ['read', 'search', 'tree'],
  skills: ['diff-review', 'scan-lint', 'review-file'],
  abilities: [{ name: 'review-file', summary: 'looks for bugs, smells, broken SOLID rules and security faults' }],
  readOnly: true,
  effort: 'high',
  contract: 'general',
};
