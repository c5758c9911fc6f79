/** Where a name stands in a text as code: not in comments and strings, its declarations first. */
import type { Language } from '../parse/language.js';
import { pushAll } from '../parse/nodes.js';
import { type ParseLimits, parseText } from '../parse/parse-text.js';
import { symbolsOf } from '../parse/parts.js';

const MOST_PLACES = 200;
/** Lines from the beginning of a declaration to its name. */
const LONGEST_HEAD = 10;
/** Leaves that are text and no code. */
const TEXT = /comment|string|content|fragment|heredoc|regex|char|rune|^text|_text|documentation/;

/** Lines and columns from 1, in UTF-16 units, in the order of the text. */
export interface NamePlaces {
  readonly places: readonly { readonly line: number; readonly column: number; readonly declares: boolean }[];
}

/** Places of a name; undefined: the text could not be parsed within the limits, or only in part. */
export async function namePlaces(
  language: Language,
  { text, name }: { readonly text: string; readonly name: string },
  limits?: ParseLimits,
): Promise<NamePlaces | undefined> {
  const skipped = text.startsWith('\uFEFF') ? 1 : 0;
  const parsed = await parseText(
    language,
    text,
    (source) => {
      const found: { line: number; column: number }[] = [];
      const stack = [source.root];
      for (let node = stack.pop(); node !== undefined && found.length < MOST_PLACES; node = stack.pop()) {
        if (TEXT.test(node.type) && node.childCount === 0) continue;
        if (node.childCount > 0) {
          pushAll(stack, node.children);
          continue;
        }
        if (source.text.slice(node.startIndex, node.endIndex) !== name) continue;
        const line = node.startPosition.row + 1;
        const start = source.text.lastIndexOf('\n', node.startIndex - 1) + 1;
        found.push({ line, column: node.startIndex - start + 1 + (line === 1 ? skipped : 0) });
      }
      const starts = declaredLines(symbolsOf(language, source), name);
      const heads = new Set(starts.map((from) => found.findIndex(({ line }) => line >= from && line < from + LONGEST_HEAD)));
      return found.map((place, index) => ({ ...place, declares: heads.has(index) }));
    },
    limits,
  );
  return parsed.ok ? { places: parsed.value } : undefined;
}

type Declared = ReturnType<typeof symbolsOf>[number];

function declaredLines(symbols: readonly Declared[], name: string): number[] {
  const lines: number[] = [];
  const stack = [...symbols];
  for (let symbol = stack.pop(); symbol !== undefined; symbol = stack.pop()) {
    if (symbol.name === name) lines.push(symbol.startLine);
    pushAll(stack, symbol.children);
  }
  return lines;
}
