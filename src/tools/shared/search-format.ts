/** The matches of a search as text for a model: by file, numbered, long lines as an excerpt around the match. */
import type { SearchHit } from '../../types/tool.js';
import { printable } from './printable.js';
import type { FoundLine, SearchFound } from './search-types.js';

const HIT_WIDTH = 300;
const CONTEXT_WIDTH = 200;
/** Characters shown before the match in an excerpt. */
const BEFORE = 100;

export interface FormatOptions {
  /** How a real path is shown. */
  show(path: string): string;
}

/** One block a file; `>` marks the matching lines, `--` stands between places that do not touch. */
export function matchesText(found: SearchFound, { show }: FormatOptions): string {
  return found.files
    .map((file) => {
      const lines: string[] = [`${printable(show(file.path))}`];
      let last: number | undefined;
      for (const line of file.lines) {
        if (last !== undefined && line.number > last + 1) lines.push('--');
        lines.push(`${line.at === undefined ? ' ' : '>'} ${String(line.number).padStart(4)} | ${excerpt(line)}`);
        last = line.number;
      }
      return `${lines.join('\n')}\n`;
    })
    .join('\n');
}

export function hitsOf(found: SearchFound, { show }: FormatOptions): SearchHit[] {
  return found.files.flatMap((file) =>
    file.lines
      .filter((line) => line.at !== undefined)
      .map((line) => ({ path: show(file.path), line: line.number, text: excerpt(line) })),
  );
}

function excerpt({ text, at }: FoundLine): string {
  const width = at === undefined ? CONTEXT_WIDTH : HIT_WIDTH;
  const clean = (piece: string) => piece.replaceAll('\0', '\\x00').replaceAll('\r', '\\r');
  if (text.length <= width) return clean(text);
  const start = whole(text, Math.max(0, Math.min((at ?? 0) - BEFORE, text.length - width)));
  const end = whole(text, Math.min(text.length, start + width));
  return `${start > 0 ? '...' : ''}${clean(text.slice(start, end))}${end < text.length ? '...' : ''} [line of ${text.length} characters]`;
}

/** An offset that does not cut a character in two. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
