/** `/session`: which conversation this is and how to come back to it. */
import type { Command } from '../types/command.js';

export const session: Command = {
  name: 'session',
  aliases: [],
  summary: 'command.session',
  run(_words, context) {
    const { id, mode } = context.session;
    context.print(`${context.t('command.sessionLine', { id, mode })}\n${context.t('command.sessionHint', { id })}`);
  },
};
