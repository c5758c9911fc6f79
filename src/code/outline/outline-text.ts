/** Symbols as lines for a model: `L12 func Run(ctx context.Context) error`, members indented below their type. */
import type { CodeSymbol } from '../../types/code.js';

/** One line of an outline. `depth` 0: declared at the top of the file. */
export interface OutlineEntry {
  readonly symbol: CodeSymbol;
  readonly depth: number;
}

/** A line of an outline is cut here. */
const LINE_LIMIT = 240;
/** What is left out first where there is too much. */
const DETAILS: ReadonlySet<string> = new Set(['field', 'enum-member', 'property']);

/** Characters that nobody sees, or that turn the order of others around; shown as escapes. */
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/** All symbols in the order of the text, members after their container. Iterative: nesting cannot exhaust the stack. */
export function entriesOf(symbols: readonly CodeSymbol[]): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const stack = symbols.map((symbol) => ({ symbol, depth: 0 })).reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    entries.push(next);
    const depth = next.depth + 1;
    for (const symbol of [...next.symbol.children].reverse()) stack.push({ symbol, depth });
  }
  return entries;
}

/** Python's properties are functions. */
const FUNCTION = /\bdef \w+\(/;

/** Whether an entry only says what is in a type: a field, a property, a value of an enum. */
export function isDetail({ symbol, depth }: OutlineEntry): boolean {
  return depth > 0 && DETAILS.has(symbol.kind) && symbol.children.length === 0 && !FUNCTION.test(symbol.signature);
}

/** `  L12 name string`; a declaration of several lines ends with ` (to L20)`. One line whatever the symbol holds. */
export function entryLine({ symbol, depth }: OutlineEntry): string {
  const { startLine, endLine, signature, name } = symbol;
  const text = (signature || name)
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(UNSEEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const shown = text.length > LINE_LIMIT ? `${text.slice(0, LINE_LIMIT - 1)}…` : text;
  const range = endLine > startLine ? ` (to L${endLine})` : '';
  return `${'  '.repeat(Math.min(depth, 20))}L${startLine} ${shown}${range}`;
}
