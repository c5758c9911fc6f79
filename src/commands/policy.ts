/** `/policy`: the rules in force. */
import type { Command } from '../types/command.js';

export const policy: Command = {
  name: 'policy',
  aliases: [],
  summary: 'command.policy',
  run(_words, { policyLines, print, t }) {
    const lines = policyLines();
    print(lines.length > 0 ? lines.join('\n') : t('command.policyNone'));
  },
};
