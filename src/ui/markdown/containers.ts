/** Quotes and list items that stand around a block: what they take of a line's beginning, and what they show there. */
import { columnsOf } from './cells.js';
import type { Span } from './spans.js';

export type Container =
  | { readonly kind: 'quote'; readonly shown: boolean }
  /** `content`: spaces that its further lines begin with; `shown`: its mark is on the screen. */
  | { readonly kind: 'item'; readonly content: number; readonly mark: string; readonly shown: boolean };

/** Deeper nesting is text. */
export const DEEPEST = 12;

/** What is left of a line behind the containers it goes on with, and how many those are. */
export function matchContainers(
  containers: readonly Container[],
  line: string,
): { readonly rest: string; readonly matched: number } {
  let rest = line;
  let matched = 0;
  for (const container of containers) {
    if (container.kind === 'quote') {
      const found = /^ {0,3}> ?/.exec(rest);
      if (!found) break;
      rest = rest.slice(found[0].length);
    } else if (rest.trim() === '') rest = '';
    else if (indentOf(rest) >= container.content) rest = rest.slice(container.content);
    else break;
    matched++;
  }
  return { rest, matched };
}

export const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0;

export interface Opened {
  readonly container: Container;
  readonly rest: string;
}

/** A quote or an item that begins here. `interrupts`: the line would otherwise go on with a paragraph. */
export function openContainer(line: string, interrupts: boolean, unicode: boolean, depth: number): Opened | undefined {
  const quote = /^ {0,3}> ?/.exec(line);
  if (quote) return { container: { kind: 'quote', shown: false }, rest: line.slice(quote[0].length) };
  const found = /^( {0,3})(?:([-*+])|(\d{1,9})([.)]))( +|$)/.exec(line);
  if (!found) return undefined;
  const [whole, lead = '', bullet, number, dot, space = ''] = found;
  const after = line.slice(whole.length);
  if (interrupts && (after === '' || (number !== undefined && number !== '1'))) return undefined;
  const marker = bullet ?? `${number}${dot}`;
  // Five spaces and more belong to code inside the item.
  const gap = after === '' || space.length > 4 ? 1 : space.length;
  const rest = `${' '.repeat(space.length > 4 ? space.length - 1 : 0)}${after}`;
  const task = /^\[([ xX])\] (?=\S)/.exec(rest);
  const done = unicode ? '✓' : 'x';
  const mark = task ? `[${task[1] === ' ' ? ' ' : done}] ` : number === undefined ? `${bulletOf(unicode, depth)} ` : `${marker} `;
  const content = lead.length + marker.length + gap;
  return { container: { kind: 'item', content, mark, shown: false }, rest: task ? rest.slice(task[0].length) : rest };
}

const bulletOf = (unicode: boolean, depth: number): string =>
  (unicode ? ['•', '◦', '▪'][depth % 3] : ['-', '*', '+'][depth % 3]) ?? '-';

/** What stands before a line: bars of quotes, marks of new items, spaces. At most half of the columns. */
export function prefixOf(
  containers: readonly Container[],
  columns: number,
  unicode: boolean,
): { readonly spans: Span[]; readonly width: number } {
  const spans: Span[] = [];
  let width = 0;
  for (const container of containers) {
    const text =
      container.kind === 'quote'
        ? unicode
          ? '│ '
          : '> '
        : container.shown
          ? ' '.repeat(columnsOf(container.mark))
          : container.mark;
    const wide = columnsOf(text);
    if (width + wide > columns / 2) continue;
    width += wide;
    spans.push(
      container.kind === 'quote'
        ? { text, role: 'border' }
        : container.shown
          ? { text }
          : { text, role: markRole(container.mark) },
    );
  }
  return { spans, width };
}

const markRole = (mark: string): Span['role'] => (/^\[[✓x]\]/.test(mark) ? 'good' : 'accent');
