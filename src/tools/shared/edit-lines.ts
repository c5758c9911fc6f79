/** Where edits stand in a file, in words. */
import type { EditedLines } from './edit-apply.js';

const MOST_SHOWN = 5;

/** `line 3`, `lines 5-7 -> 5-9`, for the first few places. */
export function linesText(lines: readonly EditedLines[]): string {
  const shown = lines.slice(0, MOST_SHOWN).map(({ old, now }) => {
    const from = range(old);
    const to = now[1] < now[0] ? 'removed' : range(now);
    return from === to ? from : `${from} -> ${to}`;
  });
  const [only] = lines;
  const single = lines.length === 1 && only?.old[0] === only?.old[1];
  return `line${single ? '' : 's'} ${shown.join(', ')}${lines.length > MOST_SHOWN ? ', ...' : ''}`;
}

function range([from, to]: readonly [number, number]): string {
  return from === to ? String(from) : `${from}-${to}`;
}
