/** Rich card of edits: each file with its counts, and the changed lines with numbers and marked words. */
import type { Display, FileChange } from '../../types/tool.js';
import { paintSpans, type Span } from '../markdown/spans.js';
import type { ScreenLine } from '../screen/port.js';
import { type DiffRow, diffRows } from './diff-lines.js';
import { type CardRoom, codeLines, MOST_LINES, oneLine, piece, plainLine, sentence } from './shared.js';

const FOLDED = 20;
const MOST_FILES = 50;

export function diffCard({ changes }: Extract<Display, { kind: 'diff' }>, room: CardRoom): ScreenLine[] {
  const most = room.open ? MOST_LINES : FOLDED;
  const lines: ScreenLine[] = [];
  let hidden = 0;
  for (const change of changes.slice(0, MOST_FILES)) {
    if (!room.named) lines.push(headOf(change, room));
    const { rows, more } = rowsOf(change, room);
    // Every file shows at least that it changed, and a little of how.
    const left = Math.max(0, most - lines.length);
    const shown = rows.length <= left + 1 ? rows : rows.slice(0, left);
    lines.push(...shown);
    hidden += rows.length - shown.length + more;
  }
  if (changes.length > MOST_FILES)
    lines.push(...sentence(room.text.t('card.moreLines', { count: changes.length - MOST_FILES }), room, 'dim'));
  if (hidden === 0) return lines;
  const sum = (side: 'added' | 'removed'): number => changes.reduce((total, change) => total + change[side], 0);
  return [
    ...lines,
    ...sentence(room.text.t('card.moreChange', { count: hidden, added: sum('added'), removed: sum('removed') }), room, 'dim'),
  ];
}

function headOf(change: FileChange, room: CardRoom): ScreenLine {
  return oneLine([{ ...piece(plainLine(change.path)), strong: true }, ...noteOf(change, room)], room);
}

/** The counts of the only change, for a label that names its file; undefined: the card has to name what changed. */
export function changeNote(
  display: Display | undefined,
  label: string,
  room: Pick<CardRoom, 'text' | 'theme' | 'unicode'>,
): string | undefined {
  const [change, more] = display?.kind === 'diff' ? display.changes : [];
  if (!change || more || !label.endsWith(` ${change.path}`)) return undefined;
  return paintSpans(noteOf(change, room), room.theme);
}

function noteOf(change: FileChange, room: Pick<CardRoom, 'text' | 'unicode'>): Span[] {
  const { added, removed, before, after } = change;
  const minus = room.unicode ? '−' : '-';
  const state = before === undefined && after !== undefined && removed === 0 ? room.text.t('card.created') : undefined;
  const gone = after === undefined && before !== undefined && added === 0 ? room.text.t('card.deleted') : undefined;
  return [
    ...(state || gone ? [piece(` (${state ?? gone})`, gone ? 'removed' : 'added')] : []),
    ...(added > 0 ? [piece('  '), piece(`+${added}`, 'added')] : []),
    ...(removed > 0 ? [piece(added > 0 ? ' ' : '  '), piece(`${minus}${removed}`, 'removed')] : []),
  ];
}

/** `more`: rows of the change that no card has room for. */
function rowsOf(change: FileChange, room: CardRoom): { readonly rows: ScreenLine[]; readonly more: number } {
  const { before, after, added, removed } = change;
  // One side alone may only have been left out: then the counts say that there was more.
  const leftOut = before === undefined ? (after === undefined ? added : 0) + removed > 0 : after === undefined && added > 0;
  if (leftOut) return { rows: sentence(room.text.t('card.tooLong'), room, 'dim'), more: 0 };
  const all = diffRows(before ?? '', after ?? '');
  const rows = all.slice(0, MOST_LINES);
  const width = String(rows.reduce((most, { number }) => Math.max(most, number), 0)).length;
  return { rows: rows.flatMap((row) => rowLines(row, width, room)), more: all.length - rows.length };
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** One row of a change as lines of the screen; numbers are `width` wide. */
export function rowLines(row: DiffRow, width: number, room: CardRoom): ScreenLine[] {
  if (row.kind === 'gap')
    return [oneLine([piece(`${' '.repeat(Math.max(0, width - 1))}${room.unicode ? '⋮' : ':'}`, 'dim')], room)];
  const role = row.kind === 'same' ? undefined : row.kind;
  const lead = [piece(String(row.number).padStart(width), 'dim'), piece(` ${SIGNS[row.kind]} `, role)];
  return codeLines(lead, codeOf(row), room);
}

function codeOf(row: DiffRow): Span[] {
  if (row.kind === 'same' || row.kind === 'gap') return [piece(plainLine(row.text))];
  const { kind, words } = row;
  if (!words?.some(({ changed }) => changed)) return [piece(plainLine(row.text), kind)];
  return words.map(({ text, changed }) => piece(plainLine(text), changed && text.trim() !== '' ? `${kind}Word` : kind));
}
