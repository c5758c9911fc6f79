/** What all rich cards share: lines from styled pieces that fit the columns, and folding. */
import { clipped, columnsOf } from '../markdown/cells.js';
import { cutLine, flowed } from '../markdown/flow.js';
import { harmlessLine, withoutTabs } from '../markdown/harmless.js';
import { paintSpans, type Span } from '../markdown/spans.js';
import { safeText } from '../safe-text.js';
import type { ScreenLine } from '../screen/port.js';
import type { Text } from '../text/index.js';
import type { Role, Theme } from '../theme/theme.js';

export interface CardRoom {
  readonly text: Text;
  readonly theme: Theme;
  readonly columns: number;
  readonly unicode: boolean;
  /** Unfolded: more of it is shown. */
  readonly open: boolean;
  /** What was searched for, to be marked in the hits; taken literally. */
  readonly find?: string;
  /** What stands above names the file. */
  readonly named?: boolean;
}

/** No card is longer, however far it is unfolded. */
export const MOST_LINES = 400;
/** A line of a file or an output is cut at so many characters before anything else happens to it. */
const LONGEST = 2000;

export const piece = (text: string, role?: Role): Span => (role === undefined ? { text } : { text, role });

/** The lines of a text without control sequences, tabs as spaces, nothing hidden in them. The last line end makes no line. */
export function plainLines(text: string): string[] {
  const lines = safeText(text).replace(/\n$/, '').split('\n');
  return lines.map(plainLine);
}

/** The same for text that is one line already. */
export function plainLine(line: string): string {
  const text = withoutTabs(harmlessLine(safeText(line.slice(0, LONGEST)).replace(/\n/g, ' ')));
  return line.length > LONGEST ? `${text} …` : text;
}

/** One line of the screen; what does not fit is cut, and shows that it is. */
export function oneLine(spans: readonly Span[], { columns, theme, unicode }: CardRoom): ScreenLine {
  const whole = spans.reduce((sum, span) => sum + columnsOf(span.text), 0);
  if (whole <= columns) return paintSpans(spans, theme);
  const mark = unicode ? '…' : '~';
  const kept: Span[] = [];
  let left = columns - 1;
  for (const span of spans) {
    const text = clipped(span.text, left, '');
    if (text !== '') kept.push({ ...span, text });
    left -= columnsOf(text);
    if (text.length < span.text.length) break;
  }
  return paintSpans([...kept, piece(mark, 'dim')], theme);
}

/** A sentence on as many lines as it needs. */
export function sentence(text: string, room: CardRoom, role?: Role): ScreenLine[] {
  return flowed([piece(harmlessLine(safeText(text)), role)], Math.max(4, room.columns)).map((line) =>
    paintSpans(line, room.theme),
  );
}

/** Text of a file or an output: unfolded it wraps, otherwise it is cut. `lead` stands before the first line. */
export function codeLines(lead: readonly Span[], code: readonly Span[], room: CardRoom): ScreenLine[] {
  if (!room.open) return [oneLine([...lead, ...code], room)];
  const indent = lead.reduce((sum, span) => sum + columnsOf(span.text), 0);
  if (indent > room.columns / 2) return [oneLine([...lead, ...code], room)];
  const rows = cutLine(code, room.columns - indent);
  return rows.map((row, index) => paintSpans(index === 0 ? [...lead, ...row] : [piece(' '.repeat(indent)), ...row], room.theme));
}

/** The first lines, and how many more there are. */
export function folded(lines: readonly ScreenLine[], most: number, room: CardRoom): ScreenLine[] {
  if (lines.length <= most + 1) return [...lines];
  return [...lines.slice(0, most), ...sentence(room.text.t('card.moreLines', { count: lines.length - most }), room, 'dim')];
}
