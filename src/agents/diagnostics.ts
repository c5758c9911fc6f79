/** The diagnostics agent: finds root causes of errors, bad dependencies and slowness. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './diagnostics.md';

export const diagnosticsAgent: WorkerAgent = {
  name: 'diagnostics',
  description: 'finds root causes of errors, bad dependencies and slowness',
  prompt,
  tools: ['read', 'search', 'tree', 'exec'],
  skills: ['check-deps', 'analyze-error', 'bisect-bug', 'profile-bottleneck'],
  abilities: [
    { name: 'analyze-error', summary: 'maps error messages and stack traces to the code' },
    { name: 'bisect-bug', summary: 'finds the commit that brought a fault' },
    { name: 'profile-bottleneck', summary: 'runs benchmarks or profiles and finds hot spots' },
  ],
  readOnly: false,
  effort: 'high',
  contract: 'general',
};
