/** `/agents`: who is at work, else the agents there are; `/agents list` all of it; `/agents cancel ID` stops one. */
import type { Command } from '../types/command.js';

export const agents: Command = {
  name: 'agents',
  aliases: [],
  summary: 'command.agents',
  group: 'work',
  async run(words, { agentLines, cancelAgent, failed, print, t }) {
    const [verb = '', worker = ''] = words.trim().split(/\s+/);
    if (verb === 'cancel') {
      if (cancelAgent?.(worker)) return print(t('agents.cancelled', { worker }));
      failed?.();
      return print(worker === '' ? t('agents.cancelWhich') : t('agents.notAtWork', { worker }));
    }
    const lines = (await agentLines?.(verb === 'list')) ?? [];
    print(lines.length > 0 ? lines.join('\n') : t('agents.off'));
  },
};
