/** The list of completions as lines: the chosen one marked, and how many there are when not all can be seen. */
import { clipped, columnsOf } from '../markdown/cells.js';
import { safeLine } from '../safe-text.js';
import type { ScreenLine } from '../screen/port.js';
import type { Completing } from './completing.js';
import type { EditorView } from './port.js';
import { showText } from './show-letter.js';

/** At most `most` lines; with more items the last line says where in them one is. */
export function completionLines(list: Completing, { columns, theme, unicode }: EditorView, most: number): ScreenLine[] {
  const { items, index } = list;
  const isLong = items.length > most;
  const room = isLong && most > 1 ? most - 1 : most;
  const first = Math.max(0, Math.min(index - Math.floor(room / 2), items.length - room));
  const shown = items.slice(first, first + room);
  const names = shown.map(({ label, insert }) => showText(safeLine(label ?? insert, 200)));
  const widest = Math.max(0, ...names.map(columnsOf));
  const wide = Math.min(Math.floor(columns / 2), widest);
  const lines = shown.map(({ detail = '' }, at) => {
    const isChosen = first + at === index;
    const mark = isChosen ? (unicode ? '▸ ' : '> ') : '  ';
    const name = clipped(names[at] ?? '', Math.max(1, detail === '' ? columns - 2 : wide));
    const gap = ' '.repeat(Math.max(0, wide - columnsOf(name)) + 2);
    const left = columns - 2 - columnsOf(name) - gap.length;
    const said = detail === '' || left < 4 ? '' : gap + clipped(showText(safeLine(detail, 300)), left);
    return isChosen ? theme.selection(`${mark}${name}${said}`) : `${mark}${name}${theme.dim(said)}`;
  });
  if (!isLong || most <= 1) return lines;
  const count = `${index + 1}/${items.length}${list.more ? '+' : ''}`;
  return [...lines, theme.dim(clipped(`  ${unicode ? '↑↓ ' : ''}${count}`, columns))];
}
