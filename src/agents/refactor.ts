/** The refactor agent: renames, extracts, moves and inlines code. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './refactor.md';

export const refactorAgent: WorkerAgent = {
  name: 'refactor',
  description: 'renames, extracts, moves and inlines code',
  prompt,
  tools: ['read', 'write', 'patch', 'search', 'tree'],
  skills: ['rename-symbol', 'extract-interface', 'move-function', 'inline-variable'],
  abilities: [
    { name: 'extract-interface', summary: "makes an interface from a type's methods" },
    { name: 'move-function', summary: 'moves a function and mends imports' },
    { name: 'inline-variable', summary: 'puts the value in place of a variable' },
  ],
  readOnly: false,
  effort: 'high',
  contract: 'general',
};
