/** Card of a file that was read: which lines. */
import type { Display } from '../../types/tool.js';
import type { CardTools } from './shared.js';

export function fileCard({ from, to, total }: Extract<Display, { kind: 'file' }>, { text }: CardTools): string[] {
  return [text.t('card.lines', { from, to, total })];
}
