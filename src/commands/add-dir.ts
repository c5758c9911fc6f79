/** `/add-dir DIR`: a further folder that file tools may work in, from the next message on. */
import type { Command } from '../types/command.js';

export const addDir: Command = {
  name: 'add-dir',
  aliases: [],
  summary: 'command.addDir',
  group: 'project',
  run(words, { addFolder, print, t, failed }) {
    if (!addFolder) return print(t('command.notHere'));
    if (words === '') return print(t('addDir.usage'));
    const { done, lines } = addFolder(words.replace(/^(["'])(.*)\1$/s, '$2'));
    if (!done) failed?.();
    return print(lines.join('\n'));
  },
};
