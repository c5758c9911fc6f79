/** `/exit`: leaves the shell. */
import type { Command } from '../types/command.js';

export const exit: Command = {
  name: 'exit',
  aliases: ['quit', 'sair'],
  summary: 'command.exit',
  group: 'shell',
  run: (_words, context) => context.stop(),
};
