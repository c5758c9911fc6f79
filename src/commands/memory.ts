/** `/memory`: says that nothing is remembered beyond sessions yet, and what there is instead. */
import type { Command } from '../types/command.js';

export const memory: Command = {
  name: 'memory',
  aliases: [],
  summary: 'command.memory',
  group: 'project',
  run: (_words, { print, t }) => print(t('memory.absent')),
};
