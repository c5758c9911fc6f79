/** `/model [NAME]`: the models of the active service, or another one from the next message on. */
import type { Command, CommandContext } from '../types/command.js';
import type { ModelChoice } from '../types/command-ports.js';

const MOST_SHOWN = 60;

export const model: Command = {
  name: 'model',
  aliases: [],
  summary: 'command.model',
  group: 'model',
  async run(words, context) {
    const { models, print, t, failed } = context;
    const { provider, id } = context.model;
    if (!models) return print(`${t('command.modelLine', { provider, model: id })}\n${t('command.modelHint')}`);
    const name = words.replace(/^--model[\s=]+/, '').trim();
    if (name === '') return print((await listed(context, models)).join('\n'));
    const known = models.known(models.provider);
    const wanted = /^\d{1,3}$/.test(name) ? (known[Number(name) - 1] ?? name) : name;
    const { done, lines } = await models.use({ model: wanted });
    if (!done) failed?.();
    const isKnown = known.length === 0 || known.includes(wanted);
    return print([...lines, ...(done && !isKnown ? [t('model.unlisted', { model: wanted })] : [])].join('\n'));
  },
  complete: (_word, { models }, before) =>
    models && before === '' ? models.known(models.provider).map((id) => ({ insert: id })) : [],
};

async function listed({ t, number }: CommandContext, models: NonNullable<CommandContext['models']>): Promise<string[]> {
  const { source, models: all } = await models.list();
  const shown = all.slice(0, MOST_SHOWN);
  const width = Math.max(0, ...shown.map(({ id }) => id.length));
  const rows = shown.map((one, index) => {
    const mark = one.id === models.model ? '*' : ' ';
    return `${mark} ${String(index + 1).padStart(3)}  ${one.id.padEnd(width)}  ${about(one, t, number)}`.trimEnd();
  });
  const more = all.length - shown.length;
  return [
    t('command.modelLine', { provider: models.provider, model: models.model }),
    ...rows,
    ...(more > 0 ? [t('list.more', { count: more })] : []),
    ...(all.length === 0 ? [t('model.none')] : [t(source === 'service' ? 'model.fromService' : 'model.fromCatalogue')]),
    t('model.hint'),
  ];
}

function about(
  { contextWindow, price }: ModelChoice,
  t: CommandContext['t'],
  number: NonNullable<CommandContext['number']> = String,
): string {
  const window = t('model.window', { tokens: number(contextWindow) });
  if (!price) return window;
  return `${window}  ${t('model.price', { input: number(price.input, 2), output: number(price.output, 2) })}`;
}
