/** `/review [RANGE]`: a run that reads what changed and says what is wrong with it. */
import type { Command } from '../types/command.js';

export const review: Command = {
  name: 'review',
  aliases: [],
  summary: 'command.review',
  group: 'work',
  run(words, { start, prompt, print, t, failed }) {
    if (!start || !prompt) return print(t('command.notHere'));
    const range = words.trim();
    // It becomes part of a sentence for the model; what is no revision is no range.
    if (range !== '' && !/^[A-Za-z0-9][\w./@^~-]{0,200}$/.test(range)) {
      failed?.();
      return print(t('review.badRange', { range }));
    }
    const what =
      range === ''
        ? 'Review the changes of this work tree that are not committed (git-status, git-diff, staged and not, new files too); if there are none, the last commit.'
        : `Review the changes of the git range ${range}.`;
    return start(`${what} Change nothing. ${prompt('reviewer')}`, 'agent');
  },
};
