/** `/compact`: says that there is no compaction yet, and what to do about a full window. */
import type { Command } from '../types/command.js';

export const compact: Command = {
  name: 'compact',
  aliases: [],
  summary: 'command.compact',
  group: 'session',
  run: (_words, { print, t }) => print(t('compact.absent')),
};
