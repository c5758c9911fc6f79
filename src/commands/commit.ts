/** `/commit`: a message for what changed, shown and to be changed; `/commit MESSAGE` commits with it. */
import type { Command } from '../types/command.js';
import { reasonOf } from './shared/session-lines.js';
import { oneLine } from './shared/undo-report.js';

const MOST_NAMED = 20;

export const commit: Command = {
  name: 'commit',
  aliases: [],
  summary: 'command.commit',
  group: 'changes',
  async run(words, { commits, propose, print, t, failed }) {
    if (!commits) return print(t('command.notHere'));
    try {
      const { staged, files } = await commits.pending();
      if (files.length === 0) return print(t('commit.nothing'));
      if (words !== '') {
        const { done, lines, again } = await commits.commit(words);
        if (!done) failed?.();
        if (again) propose?.(`/commit ${words}`);
        return print(lines.join('\n'));
      }
      const more = files.length - MOST_NAMED;
      print(
        [
          t(staged ? 'commit.staged' : 'commit.all', { count: files.length }),
          ...files.slice(0, MOST_NAMED).map((path) => `  ${oneLine(path)}`),
          ...(more > 0 ? [t('list.more', { count: more })] : []),
        ].join('\n'),
      );
      const message = await commits.write();
      const isProposed = propose?.(`/commit ${message}`) === true;
      return print(isProposed ? t('commit.proposed') : `${message}\n\n${t('commit.hint')}`);
    } catch (error) {
      failed?.();
      return print(reasonOf(error));
    }
  },
};
