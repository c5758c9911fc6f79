/** `/agents`: the agents there are. */
import type { Command } from '../types/command.js';

export const agents: Command = {
  name: 'agents',
  aliases: [],
  summary: 'command.agents',
  group: 'work',
  async run(_words, { agentLines, print, t }) {
    const lines = (await agentLines?.()) ?? [];
    print(lines.length > 0 ? lines.join('\n') : t('agents.off'));
  },
};
