/** Small readers of syntax trees that all languages share. None recurses, none asks for a parent. */
import type { CodeSymbol, SymbolKind } from '../../types/code.js';
import type { Node, Source } from './language.js';

/** A signature is cut here; nothing a person wrote is longer. */
const SIGNATURE_LIMIT = 400;
/** So much of a declaration's head is looked at. */
const SOURCE_LIMIT = 4000;
/** Declarations nested deeper than this are not listed. */
export const DEEPEST = 50;

/** The text of a node. */
export function textOf(source: Source, node: Node | null | undefined): string {
  return node ? source.text.slice(node.startIndex, node.endIndex) : '';
}

export function field(node: Node, name: string): Node | undefined {
  return node.childForFieldName(name) ?? undefined;
}

/** First child that is no decorator: where a declaration itself begins. */
export function afterDecorators(node: Node): Node {
  return node.children.find((child) => child.type !== 'decorator' && !child.isExtra) ?? node;
}

/** First child of a type, named or not. */
export function childOf(node: Node, ...types: readonly string[]): Node | undefined {
  return node.children.find((child) => types.includes(child.type));
}

/** Puts many on a stack so that the first of them is taken first; a spread of as many arguments as a hostile text has children exhausts the call stack. */
export function pushAll<T>(stack: T[], items: readonly T[]): void {
  for (let index = items.length; index-- > 0; ) stack.push(items[index] as T);
}

/** Children of a node that are declarations or statements; what an error holds stands in its place. */
export function statementsOf(node: Node | undefined): Node[] {
  if (!node) return [];
  const found: Node[] = [];
  const stack = node.namedChildren.toReversed();
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.isError) pushAll(stack, next.namedChildren);
    else if (!next.isExtra) found.push(next);
  }
  return found;
}

/** 1-based. */
export function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}

/** 1-based line of the last character; a node that ends with a line break ends on the line before. */
export function endLineOf(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row : row + 1;
}

/** Makes a symbol; `at` is the node whose lines count. */
export function symbolOf(
  at: Node,
  about: {
    readonly name: string;
    readonly kind: SymbolKind;
    readonly signature: string;
    readonly exported: boolean;
    /** Node of the line to show when it is not where `at` begins. */
    readonly from?: Node;
    readonly container?: string;
    readonly children?: readonly CodeSymbol[];
  },
): CodeSymbol {
  const { from, children, signature, container, ...rest } = about;
  return {
    ...rest,
    signature: signature.length > SIGNATURE_LIMIT ? `${signature.slice(0, SIGNATURE_LIMIT - 1)}…` : signature,
    startLine: lineOf(from ?? at),
    endLine: endLineOf(at),
    ...(container === undefined ? {} : { container }),
    children: children ?? [],
  };
}

/** Source text between two offsets as one line: comments and decorators out, line breaks and indentation folded, no trailing comma in brackets. */
export function oneLine(source: Source, node: Node, from = node.startIndex, until = node.endIndex): string {
  const end = Math.min(until, from + SOURCE_LIMIT);
  let text = '';
  let at = from;
  for (const one of leftOutIn(source, node, from, end)) {
    text += source.text.slice(at, one.startIndex);
    at = one.type === 'decorator' ? afterSpace(source.text, one.endIndex) : one.endIndex;
  }
  return folded(text + source.text.slice(at, Math.max(at, end)));
}

/** A decorator goes with the space behind it. */
function afterSpace(text: string, at: number): number {
  let end = at;
  while (/\s/.test(text.charAt(end))) end++;
  return end;
}

function leftOutIn(source: Source, node: Node, from: number, until: number): Node[] {
  if (!/\/[/*]|#|--|@/.test(source.text.slice(from, until))) return [];
  const found: Node[] = [];
  const stack = [node];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if ((next.isExtra && next.type.includes('comment')) || next.type === 'decorator') found.push(next);
    else
      pushAll(
        stack,
        next.children.filter((child) => child.startIndex < until && child.endIndex > from),
      );
  }
  return found.filter((one) => one.startIndex >= from);
}

/** Line breaks with the space around them become one space, or nothing beside a bracket. */
export function folded(text: string): string {
  return text
    .replace(/[ \t]*\\\r?\n\s*/g, ' ')
    .replace(/([([{<])[ \t]*\r?\n\s*/g, '$1')
    .replace(/,?[ \t]*\r?\n\s*([)\]}>])/g, '$1')
    .replace(/\s*\r?\n\s*/g, ' ')
    .replace(/[ \t\f\v]{2,}/g, ' ')
    .trim();
}

/** The head of a declaration: from the node (or `from`) to its body, as one line. */
export function headOf(source: Source, node: Node, body: Node | undefined, from?: Node): string {
  return oneLine(source, node, from?.startIndex ?? node.startIndex, body?.startIndex ?? node.endIndex).replace(/\s*[{:;=]$/, '');
}

/** First place in the tree that could not be read, 1-based line, or undefined. */
export function firstErrorLine(root: Node): number | undefined {
  if (!root.hasError) return undefined;
  let node: Node = root;
  for (;;) {
    if (node.isMissing) return lineOf(node);
    if (node.isError) {
      // Whole declarations at the beginning of what could not be read were read.
      const first = node.children.find((child) => child.childCount === 0 || child.hasError || child.isMissing);
      if (!first?.hasError) return lineOf(first ?? node);
      node = first;
      continue;
    }
    const next = node.children.find((child) => child.hasError || child.isMissing);
    // A fault without a place is one of the grammar: a token it makes up was not there.
    if (!next) return node === root ? undefined : lineOf(node);
    node = next;
  }
}
