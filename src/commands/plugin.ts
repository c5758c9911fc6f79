/** `/plugin [list]`: the plugins there are, builtin ones marked. */
import type { Command } from '../types/command.js';

export const plugin: Command = {
  name: 'plugin',
  aliases: ['plugins'],
  summary: 'command.plugin',
  group: 'project',
  async run(words, { listing, print, t, failed }) {
    if (!listing) return print(t('command.notHere'));
    if (words !== '' && words !== 'list') {
      failed?.();
      return print(t('plugin.onlyBuiltin'));
    }
    return print([...(await listing('plugins')), t('plugin.onlyBuiltin')].join('\n'));
  },
  complete: (_word, _context, before) => (before === '' ? [{ insert: 'list' }] : []),
};
