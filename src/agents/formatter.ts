/** The formatter agent: formats code, orders imports, evens out style. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './formatter.md';

export const formatterAgent: WorkerAgent = {
  name: 'formatter',
  description: 'formats code, orders imports, evens out style',
  prompt,
  tools: ['read', 'patch', 'exec', 'tree'],
  skills: ['format-code', 'fix-imports', 'normalize-style'],
  abilities: [{ name: 'normalize-style', summary: 'applies naming and style conventions' }],
  readOnly: false,
  effort: 'low',
  contract: 'general',
};
