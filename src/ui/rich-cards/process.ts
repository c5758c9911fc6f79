/** Rich card of a command: how it ended, and the last lines it wrote. */
import type { Display } from '../../types/tool.js';
import { processCard as endOf } from '../cards/process.js';
import type { ScreenLine } from '../screen/port.js';
import { type CardRoom, codeLines, MOST_LINES, piece, plainLines, sentence } from './shared.js';

const FOLDED = 5;

export function processCard(display: Extract<Display, { kind: 'process' }>, room: CardRoom, output: string): ScreenLine[] {
  const { theme, text } = room;
  const good = display.exitCode === 0;
  const [end = ''] = endOf(display, { text, paint: theme, verbose: room.open });
  const lines = bodyOf(output);
  const shown = lines.slice(-(room.open ? MOST_LINES : FOLDED));
  const rest = lines.length - shown.length;
  return [
    ...(good ? sentence(end, room, 'dim') : sentence(end, room, 'bad')),
    ...(rest > 0 ? sentence(text.t('card.earlier', { count: rest }), room, 'dim') : []),
    ...shown.flatMap((line) => codeLines([], [piece(line, good ? 'dim' : undefined)], room)),
  ];
}

/** What the command wrote: without the line that repeats it, and the one that says how it ended. */
function bodyOf(output: string): string[] {
  const lines = plainLines(output);
  if (lines[0]?.startsWith('$ ')) lines.shift();
  const end = lines.findLastIndex((line) => /^(?:exit code: |killed |stopped after )/.test(line));
  if (end >= 0) lines.splice(end, 1);
  while (lines.at(-1)?.trim() === '') lines.pop();
  while (lines[0]?.trim() === '') lines.shift();
  return lines;
}
