/** `/cost`: what was spent in this session, by agent and model. */
import type { Command, CommandContext } from '../types/command.js';
import type { Spent } from '../types/command-ports.js';

export const cost: Command = {
  name: 'cost',
  aliases: ['usage'],
  summary: 'command.cost',
  group: 'session',
  run(_words, { spent, number = String, print, t }) {
    const all = spent?.() ?? [];
    if (all.length === 0) return print(t('cost.nothing'));
    const rows = all.map((one) => lineOf(one, number, t));
    return print([...rows, ...(all.length > 1 ? [lineOf(total(all, t), number, t)] : [])].join('\n'));
  },
};

function lineOf(one: Spent, number: NonNullable<CommandContext['number']>, t: CommandContext['t']): string {
  const { input, output, cacheRead } = one.usage;
  const values = {
    agent: one.agent,
    model: one.model,
    requests: number(one.requests),
    input: number(input),
    output: number(output),
    cached: input === 0 ? 0 : Math.round((100 * cacheRead) / input),
  };
  const price = one.cost === undefined ? t('cost.unknown') : t('run.cost', { amount: number(one.cost, 4) });
  return `${t('cost.line', values)} · ${price}`;
}

function total(all: readonly Spent[], t: CommandContext['t']): Spent {
  const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const usage = all.reduce(
    (sum, { usage: one }) => ({
      input: sum.input + one.input,
      output: sum.output + one.output,
      cacheRead: sum.cacheRead + one.cacheRead,
      cacheWrite: sum.cacheWrite + one.cacheWrite,
      reasoning: sum.reasoning + one.reasoning,
    }),
    zero,
  );
  const costs = all.map((one) => one.cost);
  const cost = costs.some((one) => one === undefined) ? undefined : costs.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  return { agent: t('cost.total'), model: '', requests: all.reduce((sum, one) => sum + one.requests, 0), usage, cost };
}
