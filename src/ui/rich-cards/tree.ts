/** Rich card of a listed directory: how many entries; unfolded, the tree. */
import type { Display } from '../../types/tool.js';
import type { ScreenLine } from '../screen/port.js';
import { type CardRoom, codeLines, folded, MOST_LINES, piece, plainLines, sentence } from './shared.js';

export function treeCard({ entries }: Extract<Display, { kind: 'tree' }>, room: CardRoom, output: string): ScreenLine[] {
  const head = sentence(room.text.t('card.entries', { count: entries }), room, 'dim');
  if (!room.open) return head;
  return [
    ...head,
    ...folded(
      plainLines(output).flatMap((line) => codeLines([], [piece(line, 'dim')], room)),
      MOST_LINES,
      room,
    ),
  ];
}
