/** The coder agent: writes, patches and creates code. */
import type { WorkerAgent } from '../types/worker.js';
import prompt from './coder.md';

export const coderAgent: WorkerAgent = {
  name: 'coder',
  description: 'writes, patches and creates code',
  prompt,
  tools: ['write', 'patch', 'read', 'tree'],
  skills: ['write-file', 'patch-file', 'create-module', 'refactor'],
  abilities: [
    { name: 'write-file', summary: 'creates new files' },
    { name: 'patch-file', summary: 'changes existing code precisely' },
    { name: 'create-module', summary: 'makes the usual parts of a new module' },
    { name: 'refactor', summary: 'renames and restructures safely' },
  ],
  readOnly: false,
  effort: 'medium',
  contract: 'general',
};
