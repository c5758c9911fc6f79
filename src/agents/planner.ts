/** The planner agent: breaks a task down and orders the steps, without tools. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './planner.md';

export const plannerAgent: WorkerAgent = {
  name: 'planner',
  description: 'breaks a task down and orders the steps',
  prompt,
  tools: [],
  skills: ['analyze-task', 'create-plan', 'decompose'],
  abilities: [
    { name: 'analyze-task', summary: 'weighs complexity and risks' },
    { name: 'create-plan', summary: 'makes a plan of execution' },
    { name: 'decompose', summary: 'splits a large task' },
  ],
  readOnly: true,
  effort: 'high',
  contract: 'general',
};
