/** `/agent`: changes to this mode; words behind it are a task the shell then starts. */
import type { Command } from '../types/command.js';

export const agent: Command = {
  name: 'agent',
  aliases: ['run'],
  summary: 'command.agent',
  group: 'work',
  run(words, { session, print, t }) {
    session.setMode('agent');
    if (words === '') print(t('command.modeSet', { mode: 'agent' }));
  },
};
