/** `/skills`: scripts without a model, and skill packages. */
import type { Command } from '../types/command.js';

export const skills: Command = {
  name: 'skills',
  aliases: ['skill'],
  summary: 'command.skills',
  group: 'project',
  async run(_words, { listing, print, t }) {
    const lines = (await listing?.('skills')) ?? [];
    print(lines.length > 0 ? lines.join('\n') : t('command.notHere'));
  },
};
