/** `/export [md|html|json] [FILE] [--force]`: the conversation as a document. */
import type { Command } from '../types/command.js';
import { reasonOf } from './shared/session-lines.js';

type Form = 'md' | 'html' | 'json';
const FORMS: readonly Form[] = ['md', 'html', 'json'];

export const exportSession: Command = {
  name: 'export',
  aliases: [],
  summary: 'command.export',
  group: 'session',
  async run(words, { session, sessions, files, print, t, failed }) {
    if (!sessions || !files) return print(t('command.notHere'));
    const { form, path, replace } = parse(words, session.id);
    try {
      const written = files.write(path, await sessions.document(session.id, form), { replace });
      return print(t(written.replaced ? 'export.replaced' : 'export.written', { path: written.path }));
    } catch (error) {
      failed?.();
      return print(reasonOf(error));
    }
  },
  complete: (_word, _context, before) => (before === '' ? FORMS.map((insert) => ({ insert })) : []),
};

/** A form, a file name, or both; the ending of the name tells the form where none is given. */
function parse(words: string, id: string): { readonly form: Form; readonly path: string; readonly replace: boolean } {
  const rest = words.replace(/(?:^|\s+)(?:--force|-f)(?=\s|$)/, '').trim();
  const [first = ''] = rest.split(/\s+/);
  const given = FORMS.find((form) => form === first.toLowerCase() || (form === 'md' && /^markdown$/i.test(first)));
  const path = given ? rest.slice(first.length).trim() : rest;
  const ending = FORMS.find((form) => path.toLowerCase().endsWith(`.${form}`) || (form === 'html' && /\.htm$/i.test(path)));
  const form = given ?? ending ?? 'md';
  return { form, path: path || `chatcli-${id}.${form}`, replace: rest !== words.trim() };
}
