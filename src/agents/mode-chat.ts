/** The main agent of chat mode. */
import type { Agent } from '../types/agent.js';
import prompt from './mode-chat.md';

export const chatMode: Agent = {
  name: 'chat',
  description: 'Plain conversation, looking at files when that helps.',
  prompt,
  skills: [],
  readOnly: false,
  limits: { turns: 50 },
  contract: 'chat',
};
