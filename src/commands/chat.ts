/** `/chat`: changes to this mode; words behind it are a task the shell then starts. */
import type { Command } from '../types/command.js';

export const chat: Command = {
  name: 'chat',
  aliases: [],
  summary: 'command.chat',
  group: 'work',
  run(words, { session, print, t }) {
    session.setMode('chat');
    if (words === '') print(t('command.modeSet', { mode: 'chat' }));
  },
};
