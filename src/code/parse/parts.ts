/** Where a text with faults is parsed anew: at lines that begin a declaration, within what the parser took for one broken thing. */
import type { CodeSymbol, SymbolKind } from '../../types/code.js';
import type { Language, Node, Source, SourcePart } from './language.js';

/** One part, as a parser wants it. */
export interface Part {
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: { readonly row: number; readonly column: number };
  readonly endPosition: { readonly row: number; readonly column: number };
}

const MOST_PARTS = 1_000;
/** What stands on lines of its own before a declaration and belongs to it. */
const BEFORE = /^(?:@|#\[)/;

/** Parts of the whole text in their order; none when there is no line to begin anew at. */
export function partsOf(root: Node, text: string, restart: RegExp): Part[] {
  const broken = root.type === 'ERROR' ? [root] : root.children.filter((child) => child.hasError || child.isMissing);
  const starts: { readonly index: number; readonly row: number }[] = [];
  let next = 0;
  let row = 0;
  let decorated: { readonly index: number; readonly row: number } | undefined;
  for (let index = 0; index < text.length; row++) {
    const found = text.indexOf('\n', index);
    const end = found < 0 ? text.length : found + 1;
    while (broken[next] && (broken[next]?.endIndex ?? 0) <= index) next++;
    const line = text.slice(index, Math.min(end, index + 200));
    if (BEFORE.test(line)) decorated ??= { index, row };
    else {
      if ((broken[next]?.startIndex ?? text.length) <= index && restart.test(line)) starts.push(decorated ?? { index, row });
      decorated = undefined;
    }
    index = end;
  }
  if (starts.length === 0 || starts.length >= MOST_PARTS) return [];
  const places = [...(starts[0]?.index === 0 ? [] : [{ index: 0, row: 0 }]), ...starts, { index: text.length, row }];
  return places.slice(1).map((end, i) => {
    const start = places[i] ?? end;
    return {
      startIndex: start.index,
      endIndex: end.index,
      startPosition: { row: start.row, column: 0 },
      endPosition: { row: end.row, column: 0 },
    };
  });
}

/** The first line of a part with an empty body up to its end: as long as the part. Undefined when there is nothing to be made of it. */
export function headOfPart(part: string, closing: string): string | undefined {
  const first = part.search(/^(?!@|#\[)/m);
  if (first < 0) return undefined;
  const end = part.trimEnd().length;
  const lineEnd = part.indexOf('\n', first);
  if (lineEnd < 0 || lineEnd >= end)
    return `${blank(part.slice(0, first))}${withoutBody(part.slice(first, end))}${part.slice(end)}`;
  if (end - closing.length < lineEnd) return undefined;
  const line = closedHead(part.slice(first, lineEnd));
  return `${blank(part.slice(0, first))}${line}${blank(part.slice(lineEnd, end - closing.length))}${closing}${part.slice(end)}`;
}

/** Parameters that are not closed on their line are closed at once. */
function closedHead(line: string): string {
  const from = line.indexOf('(');
  const body = line.trimEnd().endsWith('{') ? line.lastIndexOf('{') : line.length;
  if (from < 0 || line.indexOf(')', from) >= 0 || body < from + 2) return line;
  return `${line.slice(0, from)}()${' '.repeat(body - from - 2)}${line.slice(body)}`;
}

/** Of a line that is all there is: `func f( {` is `func f();`. */
function withoutBody(line: string): string {
  const from = line.indexOf('(');
  return from < 0 || line.length < from + 3 ? line : `${line.slice(0, from)}();`.padEnd(line.length);
}

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

/** The declarations of a text, whole or in parts. */
export function symbolsOf(language: Language, source: Source): CodeSymbol[] {
  if (!source.parts) return language.symbols(source);
  const found: CodeSymbol[] = [];
  for (const part of source.parts) for (const one of inPart(language, part, source.text)) found.push(one);
  return found;
}

const TYPES: ReadonlySet<SymbolKind> = new Set(['class', 'module', 'interface', 'struct', 'enum', 'trait', 'object', 'protocol']);

function inPart(language: Language, { root, head }: SourcePart, text: string): CodeSymbol[] {
  const inside = language.symbols({ root, text });
  const [named] = head ? language.symbols({ root: head, text }) : [];
  if (!named || inside.some(({ name, startLine }) => name === named.name && startLine === named.startLine)) return inside;
  return TYPES.has(named.kind) ? [{ ...named, children: inside }] : [named, ...inside];
}

/** All that is declared, what is inside of others too. */
export function countOf(symbols: readonly CodeSymbol[]): number {
  const stack = [...symbols];
  let count = 0;
  for (let next = stack.pop(); next; next = stack.pop()) {
    count++;
    for (const child of next.children) stack.push(child);
  }
  return count;
}

/** What is asked of every root of a text. */
export function eachRoot<T>(source: Source, ask: (one: Source) => readonly T[]): T[] {
  const found: T[] = [];
  for (const { root } of source.parts ?? [source]) for (const one of ask({ root, text: source.text })) found.push(one);
  return found;
}
