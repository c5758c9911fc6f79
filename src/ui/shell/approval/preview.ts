/** What an edit would make of its files, as lines: each change can be marked, left out, and found again. */
import { detailBlock, type QuestionStyle } from '../../approve-text.js';
import { clipped } from '../../markdown/cells.js';
import { rowLines } from '../../rich-cards/diff.js';
import { type DiffRow, diffRows } from '../../rich-cards/diff-lines.js';
import type { CardRoom } from '../../rich-cards/shared.js';
import { safeLine, visibleText } from '../../safe-text.js';
import { createTheme, type Theme } from '../../theme/theme.js';
import { type Hunk, hunksOf, type ProposedFile, textLines } from './hunks.js';

/** A file of the proposal and the changes that are left out. */
export interface PreviewFile {
  readonly file: ProposedFile;
  readonly hunks: readonly Hunk[];
  /** Indices into `hunks`. */
  readonly left: ReadonlySet<number>;
}

export interface Preview {
  readonly lines: readonly string[];
  /** A line was too wide, or there were too many. */
  readonly cut: boolean;
  /** Where each change begins in `lines`, in the order of files and changes. */
  readonly starts: readonly number[];
}

const CONTEXT = 2;
const NEW_LINES = 24;
const MOST_ROWS = 60;
/** Longer rows would be cut where all is to be seen. */
const LONGEST_ROW = 1900;

export const previewFile = (file: ProposedFile): PreviewFile => ({ file, hunks: hunksOf(file), left: new Set() });

/** `at`: the change the keys work on, counted over all files. Numbers stand before changes only when there are several. */
export function previewLines(
  files: readonly PreviewFile[],
  at: number,
  style: QuestionStyle,
  { theme, unicode }: { readonly theme: Theme; readonly unicode: boolean },
): Preview {
  const { text, columns } = style;
  const all = files.reduce((sum, { hunks }) => sum + hunks.length, 0);
  const open = style.full === true;
  const room: CardRoom = { text, theme, columns: Math.max(8, columns - 6), unicode, open };
  const lines: string[] = [];
  const starts: number[] = [];
  let cut = false;
  let number = 0;
  const add = (rows: readonly DiffRow[], dimmed: boolean): void => {
    const most = open ? rows.length : MOST_ROWS;
    const shown = open ? rows.flatMap(pieces) : rows.slice(0, most);
    const width = String(shown.reduce((top, row) => Math.max(top, row.number), 0)).length;
    const look = dimmed ? { ...room, theme: createTheme('none', 0) } : room;
    const made = shown.flatMap((row) => rowLines(row, width, look)).map((line) => `     ${dimmed ? theme.dim(line) : line}`);
    lines.push(...made);
    if (!open) cut ||= made.some((line) => line.includes(unicode ? '…' : '~')) || rows.length > most;
    if (rows.length > most) lines.push(`     ${theme.dim(text.t('card.moreLines', { count: rows.length - most }))}`);
  };
  for (const { file, hunks, left } of files) {
    lines.push(...detailBlock(text.t('approval.detail.file', { value: headOf(file, style) }), style));
    if (file.before === undefined) {
      const rows = seen(textLines(file.after)).map(
        (line, index): DiffRow => ({ kind: 'added', number: index + 1, text: line.replace(/\n$/, '') }),
      );
      const shown = open ? rows : rows.slice(0, NEW_LINES);
      add(shown, false);
      if (shown.length < rows.length) {
        cut = true;
        lines.push(`     ${theme.dim(text.t('card.moreLines', { count: rows.length - shown.length }))}`);
      }
      continue;
    }
    let shift = 0;
    for (const [index, hunk] of hunks.entries()) {
      starts.push(lines.length);
      if (all > 1) lines.push(headline(number, all, { isAt: number === at, isLeft: left.has(index) }, style, { theme, unicode }));
      add(rowsOf(file.before, hunk, shift), left.has(index));
      shift += hunk.added.length - hunk.removed.length;
      number++;
    }
  }
  return { lines, cut, starts };
}

function headOf({ path, before, after }: ProposedFile, { text }: QuestionStyle): string {
  return before === undefined ? `${path} (${text.t('approval.change.created')})` : after === '' ? `${path} (0)` : path;
}

function headline(
  number: number,
  all: number,
  { isAt, isLeft }: { readonly isAt: boolean; readonly isLeft: boolean },
  { text, columns }: QuestionStyle,
  { theme, unicode }: { readonly theme: Theme; readonly unicode: boolean },
): string {
  const mark = isAt ? (unicode ? '▸' : '>') : ' ';
  const box = isLeft ? '[ ]' : unicode ? '[✓]' : '[x]';
  const name = text.t('approval.change.number', { number: number + 1, all });
  const line = clipped(` ${mark} ${box} ${name}${isLeft ? ` · ${text.t('approval.change.left')}` : ''}`, columns);
  return isAt ? theme.accent(line) : isLeft ? theme.dim(line) : line;
}

/** A change with a little of what stands around it; `shift`: how many lines the changes before it add. */
function rowsOf(text: string, { from, removed, added }: Hunk, shift: number): DiffRow[] {
  const old = textLines(text);
  const head = old.slice(Math.max(0, from - CONTEXT), from);
  const tail = old.slice(from + removed.length, from + removed.length + CONTEXT);
  const before = [...head, ...removed, ...tail];
  const after = [...head, ...added, ...tail];
  const sides = seen([...before, ...after]);
  const rows = diffRows(sides.slice(0, before.length).join(''), sides.slice(before.length).join(''));
  const first = from - head.length;
  const moved = rows.map((row) => ({ ...row, number: row.number + first + (row.kind === 'removed' ? 0 : shift) }));
  // Texts that differ in the end of their last line only have no rows to show.
  return moved.length > 0 ? moved : [{ kind: 'added', number: first + shift + 1, text: safeLine(added.join(' '), 200) }];
}

/** Lines with what could hide in them as codes; the carriage returns of a file that has them everywhere are no news. */
function seen(lines: readonly string[]): string[] {
  const isWide = lines.every((line) => !line.endsWith('\n') || line.endsWith('\r\n'));
  return lines.map((line) => visibleText(isWide ? line.replace(/\r\n$/, '\n') : line));
}

function pieces(row: DiffRow): DiffRow[] {
  if (row.text.length <= LONGEST_ROW) return [row];
  const letters = [...row.text];
  const out: DiffRow[] = [];
  for (let at = 0; at < letters.length; at += LONGEST_ROW)
    out.push({ kind: row.kind, number: row.number, text: letters.slice(at, at + LONGEST_ROW).join('') });
  return out;
}
