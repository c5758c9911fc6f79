/** `/model`: which provider and model answer. */
import type { Command } from '../types/command.js';

export const model: Command = {
  name: 'model',
  aliases: [],
  summary: 'command.model',
  run(_words, context) {
    const { provider, id } = context.model;
    context.print(`${context.t('command.modelLine', { provider, model: id })}\n${context.t('command.modelHint')}`);
  },
};
