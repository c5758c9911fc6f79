/** `/help`: every command with its summary by groups, from the list itself; `/help NAME` one of them. */
import type { Command, CommandContext } from '../types/command.js';

const GROUPS = ['work', 'changes', 'model', 'session', 'project', 'shell'] as const;
const TITLES: Readonly<Record<(typeof GROUPS)[number], string>> = {
  work: 'help.group.work',
  changes: 'help.group.changes',
  model: 'help.group.model',
  session: 'help.group.session',
  project: 'help.group.project',
  shell: 'help.group.shell',
};

export const help: Command = {
  name: 'help',
  aliases: ['?'],
  summary: 'command.help',
  group: 'shell',
  run(words, { commands, print, t, failed }) {
    const all = commands();
    const name = words.replace(/^\//, '').toLowerCase();
    if (name === '') return print(grouped(all, t).join('\n'));
    const found = all.filter((command) => [command.name, ...command.aliases].includes(name));
    if (found.length > 0) return print(rowsOf(found, t).join('\n'));
    failed?.();
    return print(t('command.unknown', { name }));
  },
  complete: (_word, { commands, t }, before) =>
    before === '' ? commands().map(({ name, summary }) => ({ insert: name, detail: t(summary) })) : [],
};

function grouped(all: readonly Command[], t: CommandContext['t']): string[] {
  const width = Math.max(0, ...all.map(({ name }) => name.length + 1));
  const sections = GROUPS.flatMap((group) =>
    section(
      t(TITLES[group]),
      all.filter((one) => one.group === group),
      t,
      width,
    ),
  );
  const own = all.filter((one) => one.group === undefined);
  return [...sections, ...section(t('help.group.templates'), own, t, width)].slice(1);
}

function section(title: string, commands: readonly Command[], t: CommandContext['t'], width: number): string[] {
  return commands.length === 0 ? [] : ['', title, ...commands.map((command) => shortRow(command, t, width))];
}

const namesOf = ({ name, aliases }: Command): string => [name, ...aliases].map((one) => `/${one}`).join(', ');

function rowsOf(commands: readonly Command[], t: CommandContext['t']): string[] {
  return commands.map((command) => `  ${namesOf(command)}  ${t(command.summary)}`);
}

/** So wide a terminal is at least, as a rule. */
const USUAL_COLUMNS = 80;

/** Other names stand behind it where there is room; `/help NAME` has them all. */
function shortRow({ name, aliases, summary }: Command, t: CommandContext['t'], width: number): string {
  const row = `  ${`/${name}`.padEnd(width)}  ${t(summary)}`;
  const others = aliases.length === 0 ? '' : ` (${aliases.map((one) => `/${one}`).join(', ')})`;
  return row.length + others.length < USUAL_COLUMNS ? row + others : row;
}
