/** `/effort [LEVEL]`: how hard the model thinks, from the next message on. */
import type { Command } from '../types/command.js';
import type { Effort } from '../types/provider.js';

const LEVELS: readonly Effort[] = ['low', 'medium', 'high', 'max'];

export const effort: Command = {
  name: 'effort',
  aliases: ['thinking'],
  summary: 'command.effort',
  group: 'model',
  run(words, { models, print, t, failed }) {
    if (!models) return print(t('command.notHere'));
    const wanted = words.toLowerCase();
    if (wanted === '') return print(t('effort.now', { level: models.effort ?? t('effort.own'), levels: LEVELS.join(', ') }));
    if (wanted === 'default' || wanted === 'auto') models.setEffort(undefined);
    else {
      const level = LEVELS.find((one) => one === wanted);
      if (!level) {
        failed?.();
        return print(t('effort.unknown', { level: wanted, levels: [...LEVELS, 'default'].join(', ') }));
      }
      models.setEffort(level);
    }
    return print(t('effort.set', { level: models.effort ?? t('effort.own') }));
  },
  complete: (_word, _context, before) => (before === '' ? [...LEVELS, 'default'].map((insert) => ({ insert })) : []),
};
