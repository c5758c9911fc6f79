/** Rich card of a test run: the counts, and what failed. */
import type { Display } from '../../types/tool.js';
import { testsCard as countsOf, testReport } from '../cards/tests.js';
import type { ScreenLine } from '../screen/port.js';
import { type CardRoom, codeLines, folded, MOST_LINES, oneLine, piece, plainLine, plainLines } from './shared.js';

export function testsCard(display: Extract<Display, { kind: 'tests' }>, room: CardRoom, output: string): ScreenLine[] {
  const plain = { text: room.text, paint: PLAIN, verbose: room.open };
  const counts = countsOf(display, plain).map((line) => oneLine([piece(line, display.ok ? 'good' : 'bad')], room));
  if (room.open)
    return folded(
      [...counts, ...plainLines(output).flatMap((line) => codeLines([], [piece(line, 'dim')], room))],
      MOST_LINES,
      room,
    );
  return [...counts, ...testReport(display, output, plain).map((line) => oneLine([piece(plainLine(line))], room))];
}

const same = (text: string): string => text;
/** Lines are painted when they are known to fit. */
const PLAIN = { dim: same, bold: same, red: same, green: same, yellow: same, cyan: same };
