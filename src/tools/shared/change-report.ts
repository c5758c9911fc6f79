/** What an edit did to a file: counts and texts for the diff card. */
import { diffStat } from '../../base/diff-stat.js';
import { decodeUtf16, detect } from '../../base/text-encoding.js';
import type { Display, FileChange } from '../../types/tool.js';
import type { EditedLines } from './edit-apply.js';

/** Texts beyond this many characters are left out of the display. */
const MOST_SHOWN = 200_000;

/** `before` undefined: the file is new; `after` undefined: it is gone. */
export function changeOf(path: string, before: Buffer | undefined, after: Buffer | undefined): FileChange {
  const old = before && textOf(before);
  const now = after && textOf(after);
  if ((before && old === undefined) || (after && now === undefined)) return { path, added: 0, removed: 0 };
  const { added, removed } = diffStat(old ?? '', now ?? '');
  if ((old?.length ?? 0) + (now?.length ?? 0) > MOST_SHOWN) return { path, added, removed };
  return { path, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }), added, removed };
}

export function diffDisplay(changes: readonly FileChange[]): Display {
  return { kind: 'diff', changes };
}

/** `+3 -1 lines`. */
export function statText({ added, removed }: FileChange): string {
  return `+${added} -${removed} lines`;
}

/** `line 3`, `lines 5-7 -> 5-9`, for the first few places. */
export function linesText(lines: readonly EditedLines[]): string {
  const shown = lines.slice(0, 5).map(({ old, now }) => {
    if (now[1] < now[0]) return `${range(old)} -> removed`;
    if (old[1] < old[0]) return `${range(now)} new`;
    const [from, to] = [range(old), range(now)];
    return from === to ? from : `${from} -> ${to}`;
  });
  return `line${lines.length === 1 && lines[0]?.old[0] === lines[0]?.old[1] ? '' : 's'} ${shown.join(', ')}${lines.length > 5 ? ', ...' : ''}`;
}

function range([from, to]: readonly [number, number]): string {
  return from === to ? String(from) : `${from}-${to}`;
}

/** The text of a file, or undefined for a binary one. */
export function textOf(bytes: Buffer): string | undefined {
  const { encoding, binary } = detect(bytes);
  if (binary) return undefined;
  const text = encoding === 'utf-16le' || encoding === 'utf-16be' ? decodeUtf16(bytes, encoding) : bytes.toString('utf8');
  return text.replace(/^\ufeff/, '');
}
