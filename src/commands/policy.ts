/** `/policy`: the rules, in force or not; `/policy remove PATTERN` takes one out. */
import type { Command } from '../types/command.js';

export const policy: Command = {
  name: 'policy',
  aliases: [],
  summary: 'command.policy',
  group: 'project',
  run(words, { policyLines, removeRule, print, t, failed }) {
    const removal = /^remove(?:\s+([\s\S]+))?$/.exec(words);
    if (removal?.[1] && removeRule) {
      const { done, lines } = removeRule(removal[1].trim());
      if (!done) failed?.();
      return print(lines.join('\n'));
    }
    if (words !== '' && words !== 'list') return print(t('policy.removeUsage'));
    const lines = policyLines();
    print(lines.length > 0 ? lines.join('\n') : t('command.policyNone'));
  },
};
