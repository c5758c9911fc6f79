/** `/coder`: changes to this mode; words behind it are a task the shell then starts. */
import type { Command } from '../types/command.js';

export const coder: Command = {
  name: 'coder',
  aliases: [],
  summary: 'command.coder',
  group: 'work',
  run(words, { session, print, t }) {
    session.setMode('coder');
    if (words === '') print(t('command.modeSet', { mode: 'coder' }));
  },
};
