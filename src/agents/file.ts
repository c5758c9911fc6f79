/** The file agent: reads, analyses and maps code. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './file.md';

export const fileAgent: WorkerAgent = {
  name: 'file',
  description: 'reads, analyses and maps code',
  prompt,
  tools: ['read', 'tree', 'search'],
  skills: ['batch-read', 'find-pattern', 'analyze-structure', 'map-deps'],
  abilities: [
    { name: 'find-pattern', summary: 'finds patterns in files' },
    { name: 'analyze-structure', summary: 'explains how code is built' },
    { name: 'map-deps', summary: 'maps which module depends on which' },
  ],
  readOnly: true,
  effort: 'low',
  contract: 'general',
};
