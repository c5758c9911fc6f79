/** Which lines of a file a read wants, from its flags. */
import { invalid } from './args.js';

export type Window =
  /** No flag: the first page. */
  | { readonly kind: 'page'; readonly first: 1; readonly last: number }
  | { readonly kind: 'range'; readonly first: number; readonly last: number }
  | { readonly kind: 'tail'; readonly count: number };

/** Lines of a read that names no range. */
export const PAGE_LINES = 2000;

export interface WindowArgs {
  readonly start?: number;
  readonly end?: number;
  readonly head?: number;
  readonly tail?: number;
}

/** `names`: how the call spells start and end, for messages. Throws ToolFault `InvalidArgs`. */
export function windowOf(
  { start, end, head = 0, tail = 0 }: WindowArgs,
  names: { readonly start: string; readonly end: string },
): Window {
  if (head > 0 && tail > 0) throw invalid('tail', 'head and tail cannot be combined; use one of them');
  if (head > 0) return { kind: 'range', first: 1, last: head };
  if (tail > 0) return { kind: 'tail', count: tail };
  if (start === undefined && end === undefined) return { kind: 'page', first: 1, last: PAGE_LINES };
  const first = start ?? 1;
  const last = end ?? Number.MAX_SAFE_INTEGER;
  if (last < first) throw invalid(names.end, `invalid range: ${names.end} ${last} lies before ${names.start} ${first}`);
  return { kind: 'range', first, last };
}
