/** `/doctor`: what is installed, in force and broken, each with the way to mend it. */
import type { Command } from '../types/command.js';

export const doctor: Command = {
  name: 'doctor',
  aliases: [],
  summary: 'command.doctor',
  group: 'project',
  async run(_words, { doctor: look, print, t }) {
    print(look ? (await look()).join('\n') : t('command.notHere'));
  },
};
