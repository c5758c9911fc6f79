/** `/redo`: brings back what `/undo` took back last. */
import type { Command } from '../types/command.js';
import { isIncomplete, reportLines } from './shared/undo-report.js';

export const redo: Command = {
  name: 'redo',
  aliases: [],
  summary: 'command.redo',
  group: 'changes',
  async run(words, { undoing, print, t, failed }) {
    if (!undoing) return print(t('undo.unavailable'));
    if (words !== '' && !/^\d{1,3}$/.test(words)) {
      failed?.();
      return print(t('undo.redoUsage'));
    }
    const report = await undoing.redo({ times: words === '' ? 1 : Number(words) });
    const lines = reportLines(report, 'undo.brought', t);
    if (report.turns.length === 0) lines.unshift(t('undo.nothingToRedo'));
    if (isIncomplete(report)) failed?.();
    return print(lines.join('\n'));
  },
};
