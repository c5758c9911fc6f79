/** `/resume [ID]`: the saved conversations of this folder, or one to go on with. */
import type { Command } from '../types/command.js';
import { dateOf, idOf, previewLines, reasonOf, sessionLines } from './shared/session-lines.js';

export const resume: Command = {
  name: 'resume',
  aliases: ['continue'],
  summary: 'command.resume',
  group: 'session',
  async run(words, { session, sessions, print, t, failed }) {
    if (!sessions) return print(t('command.notHere'));
    try {
      const all = await sessions.list();
      if (words === '') {
        const lines = all.length > 0 ? [...sessionLines(all, session.id, t), t('resume.hint')] : [t('sessions.none')];
        return print(lines.join('\n'));
      }
      const id = idOf(words, all);
      if (id === session.id) return print(t('resume.same'));
      print(previewLines(await sessions.read(id), t).join('\n'));
      return sessions.resume(id);
    } catch (error) {
      failed?.();
      return print(reasonOf(error));
    }
  },
  complete: async (_word, { sessions }, before) =>
    before === '' && sessions
      ? (await sessions.list()).map(({ id, title, updated }) => ({ insert: id, detail: `${dateOf(updated)}  ${title}` }))
      : [],
};
