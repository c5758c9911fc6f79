/** Card of a listed directory: how many entries. */
import type { Display } from '../../types/tool.js';
import type { CardTools } from './shared.js';

export function treeCard({ entries }: Extract<Display, { kind: 'tree' }>, { text }: CardTools): string[] {
  return [text.t('card.entries', { count: entries })];
}
