/** `/help`: every command with its summary, from the list itself. */
import type { Command } from '../types/command.js';

export const help: Command = {
  name: 'help',
  aliases: ['?'],
  summary: 'command.help',
  run(_words, { commands, print, t }) {
    const rows = commands().map(
      (command) => [[command.name, ...command.aliases].map((name) => `/${name}`).join(', '), t(command.summary)] as const,
    );
    const width = Math.max(0, ...rows.map(([names]) => names.length));
    print(rows.map(([names, summary]) => `  ${names.padEnd(width)}  ${summary}`).join('\n'));
  },
};
