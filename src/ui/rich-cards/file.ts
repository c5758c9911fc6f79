/** Rich card of a file that was read: which lines; unfolded, what they say. */
import type { Display } from '../../types/tool.js';
import type { ScreenLine } from '../screen/port.js';
import { type CardRoom, codeLines, folded, MOST_LINES, piece, plainLines, sentence } from './shared.js';

export function fileCard({ from, to, total }: Extract<Display, { kind: 'file' }>, room: CardRoom, output: string): ScreenLine[] {
  const head = sentence(room.text.t('card.lines', { from, to, total }), room, 'dim');
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
