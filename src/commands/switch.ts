/** `/switch [PROVIDER [MODEL]]`: the services there are, or another one from the next message on. */
import type { Command, CommandContext } from '../types/command.js';
import type { ModelsPort, ProviderChoice } from '../types/command-ports.js';

export const switchProvider: Command = {
  name: 'switch',
  aliases: ['provider'],
  summary: 'command.switch',
  group: 'model',
  async run(words, { models, print, t, failed }) {
    if (!models) return print(t('command.notHere'));
    const [name = '', ...rest] = words
      .replace(/(?:^|\s)--(?:provider|model)(?=\s|=)=?/g, ' ')
      .trim()
      .split(/\s+/);
    if (name === '') return print(listed(models, t).join('\n'));
    const provider = named(name, models.providers());
    const choice = { provider, ...(rest.length > 0 ? { model: rest.join(' ') } : {}) };
    const { done, lines } = await models.use(choice);
    if (!done) failed?.();
    return print(lines.join('\n'));
  },
  complete(_word, { models, t }, before) {
    if (!models) return [];
    if (before === '') return models.providers().map((one) => ({ insert: one.name, detail: readiness(one, t) }));
    if (/\s/.test(before)) return [];
    return models.known(before).map((id) => ({ insert: id }));
  },
};

/** The number of a line in the list, or a name. */
function named(word: string, providers: readonly ProviderChoice[]): string {
  return /^\d{1,3}$/.test(word) ? (providers[Number(word) - 1]?.name ?? word) : word;
}

function listed(models: ModelsPort, t: CommandContext['t']): string[] {
  const all = models.providers();
  const width = Math.max(...all.map(({ name }) => name.length));
  const rows = all.map((one, index) => {
    const mark = one.isActive ? '*' : ' ';
    return `${mark} ${String(index + 1).padStart(2)}  ${one.name.padEnd(width)}  ${readiness(one, t)}`;
  });
  return [t('command.modelLine', { provider: models.provider, model: models.model }), ...rows, t('switch.hint')];
}

function readiness({ ready, variables }: ProviderChoice, t: CommandContext['t']): string {
  if (ready === 'key') return t('switch.keyed');
  return ready === 'local' ? t('switch.local') : t('switch.needs', { variables: variables.join(', ') });
}
