/** `/session [list|show [ID]]`: this conversation, or those of this folder. */
import type { Command } from '../types/command.js';
import { idOf, previewLines, reasonOf, sessionLines } from './shared/session-lines.js';

export const session: Command = {
  name: 'session',
  aliases: ['sessions'],
  summary: 'command.session',
  group: 'session',
  async run(words, { session: present, sessions, print, t, failed }) {
    const { id, mode } = present;
    const [action = '', name = id] = words === '' ? [] : words.split(/\s+/);
    if (action === '' || !sessions) {
      const more = sessions ? [t('sessions.hint')] : [];
      return print([t('command.sessionLine', { id, mode }), t('command.sessionHint', { id }), ...more].join('\n'));
    }
    try {
      const all = await sessions.list();
      if (action === 'list') return print(all.length > 0 ? sessionLines(all, id, t).join('\n') : t('sessions.none'));
      if (action === 'show') return print(previewLines(await sessions.read(idOf(name, all)), t).join('\n'));
      print(t('sessions.usage'));
    } catch (error) {
      print(reasonOf(error));
    }
    return failed?.();
  },
  complete: (_word, _context, before) => (before === '' ? ['list', 'show'].map((insert) => ({ insert })) : []),
};
