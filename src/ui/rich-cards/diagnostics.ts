/** What language servers said after an edit, read from the part of the result that tells the model. */
import type { ScreenLine } from '../screen/port.js';
import { type CardRoom, codeLines, folded, MOST_LINES, piece, plainLine, sentence } from './shared.js';

const HEAD = '[DIAGNOSTICS]';
const FINDING = /^- L(\d+:\d+) \[(\w+)\] (.*)$/;
const FILE = /^\d+ diagnostic\(s\) in (.*):$/;
const FOLDED = 8;

/** No lines when there is nothing to say. */
export function diagnosticsLines(output: string, room: CardRoom): ScreenLine[] {
  const start = output.startsWith(HEAD) ? 0 : output.indexOf(`\n${HEAD}`);
  if (start < 0) return [];
  const lines: ScreenLine[] = [];
  let count = 0;
  for (const raw of output.slice(start).split('\n')) {
    const line = plainLine(raw);
    const [finding, file] = [FINDING.exec(line), FILE.exec(line)];
    if (file) lines.push(...codeLines([], [piece(file[1] ?? '', 'accent')], room));
    if (!finding) continue;
    const [, place = '', severity = '', message = ''] = finding;
    count++;
    lines.push(...codeLines([piece(`  ${place}  `, 'dim')], [piece(message, severity === 'error' ? 'bad' : 'warn')], room));
  }
  if (count === 0) return [];
  return [
    ...sentence(room.text.t('card.problems', { count }), room, 'warn'),
    ...folded(lines, room.open ? MOST_LINES : FOLDED, room),
  ];
}
