/** Rich card of a plain text: its first lines. */
import type { Display } from '../../types/tool.js';
import type { ScreenLine } from '../screen/port.js';
import { type CardRoom, codeLines, folded, MOST_LINES, piece, plainLines, sentence } from './shared.js';

const FOLDED = 4;

export function textCard(display: Extract<Display, { kind: 'text' }>, room: CardRoom): ScreenLine[] {
  const lines = plainLines(display.text).filter((line) => room.open || line.trim() !== '');
  if (lines.every((line) => line.trim() === '')) return sentence(room.text.t('card.noOutput'), room, 'dim');
  return folded(
    lines.flatMap((line) => codeLines([], [piece(line, 'dim')], room)),
    room.open ? MOST_LINES : FOLDED,
    room,
  );
}
