/** What an edit did to a file: counts and texts for the diff card. */
import { diffStat } from '../../base/diff-stat.js';
import { decodeUtf16, detect } from '../../base/text-encoding.js';
import type { Display, FileChange } from '../../types/tool.js';

/** Texts beyond this many characters are left out of the display. */
const MOST_SHOWN = 200_000;

/** `before` undefined: the file is new. */
export function changeOf(path: string, before: Buffer | undefined, after: Buffer): FileChange {
  const old = before && textOf(before);
  const now = textOf(after);
  if ((before !== undefined && old === undefined) || now === undefined) return { path, added: 0, removed: 0 };
  const { added, removed } = diffStat(old ?? '', now);
  if ((old?.length ?? 0) + now.length > MOST_SHOWN) return { path, added, removed };
  return { path, ...(old === undefined ? {} : { before: old }), after: now, added, removed };
}

export function diffDisplay(changes: readonly FileChange[]): Display {
  return { kind: 'diff', changes };
}

/** `+3 -1 lines`. */
export function statText({ added, removed }: FileChange): string {
  return `+${added} -${removed} lines`;
}

/** The text of a file, or undefined for a binary one. */
export function textOf(bytes: Buffer): string | undefined {
  const { encoding, binary } = detect(bytes);
  if (binary) return undefined;
  const text = encoding === 'utf-16le' || encoding === 'utf-16be' ? decodeUtf16(bytes, encoding) : bytes.toString('utf8');
  return text.replace(/^\ufeff/, '');
}
