/** Walks the declarations of a tree by a table from node type to reader; never into expressions, never deeper than people nest. */
import type { CodeSymbol } from '../../../types/code.js';
import type { Node, Source } from '../../parse/language.js';
import { DEEPEST, oneLine, pushAll } from '../../parse/nodes.js';

/** Where a declaration stands. */
export interface Scope {
  readonly source: Source;
  readonly depth: number;
  /** Name of the type around it; empty outside of types. */
  readonly owner: string;
  /** Whether a declaration that says nothing about it can be used by other files. */
  readonly open: boolean;
  /** Node type of what is around it. */
  readonly within: string;
}

/** Reads one node into the symbols it declares. */
export type Reader = (node: Node, scope: Scope) => CodeSymbol[];

/** How a language reads its declarations. */
export interface Declarations {
  readonly readers: Readonly<Record<string, Reader>>;
  /** Node types whose children stand in their place: preprocessor branches, wrappers. */
  readonly transparent: ReadonlySet<string>;
}

/** Scope of a whole file. */
export function fileScope(source: Source, open: boolean): Scope {
  return { source, depth: 0, owner: '', open, within: '' };
}

/** Symbols of the children of `body`. */
export function symbolsIn(declarations: Declarations, body: Node | undefined, scope: Scope): CodeSymbol[] {
  if (!body || scope.depth > DEEPEST) return [];
  const found: CodeSymbol[] = [];
  for (const node of flatten(body, declarations.transparent)) {
    const reader = Object.hasOwn(declarations.readers, node.type) ? declarations.readers[node.type] : undefined;
    if (reader) for (const symbol of reader(node, scope)) found.push(symbol);
  }
  return found;
}

/** Scope of what stands inside `node`, a type called `owner`. */
export function inside(scope: Scope, node: Node, owner: string, open: boolean): Scope {
  return { source: scope.source, depth: scope.depth + 1, owner, open, within: node.type };
}

/** Named children in the order of the text; what a transparent node or an error holds stands in its place. */
export function flatten(body: Node, transparent: ReadonlySet<string>): Node[] {
  const found: Node[] = [];
  const stack = [...body.namedChildren].reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (!next.isError && !transparent.has(next.type)) found.push(next);
    else for (let index = next.namedChildren.length; index-- > 0; ) pushChild(stack, next.namedChildren[index]);
  }
  return found;
}

function pushChild(stack: Node[], child: Node | undefined): void {
  if (child) stack.push(child);
}

/** The head of a declaration without its decorations, and the node it begins with. */
export interface Head {
  readonly text: string;
  readonly from: Node;
}

const COMMENTS = new Set(['comment', 'line_comment', 'block_comment', 'multiline_comment']);
const NO_TYPES: ReadonlySet<string> = new Set();

/**
 * One line from the first word of a declaration to `until` (an offset, or the node the body begins with). Children of the types
 * `decorations` are left out, also where they stand inside a child of one of the types `wrappers`.
 */
export function headOf(
  source: Source,
  node: Node,
  until: Node | number | undefined,
  decorations: ReadonlySet<string> = NO_TYPES,
  wrappers: ReadonlySet<string> = NO_TYPES,
): Head {
  const end = typeof until === 'number' ? until : (until?.startIndex ?? node.endIndex);
  const parts: Node[] = [];
  for (const child of node.children) pushAll(parts, wrappers.has(child.type) ? child.children.toReversed() : [child]);
  const first = parts.find((part) => !decorations.has(part.type) && !COMMENTS.has(part.type)) ?? node;
  const skipped = parts.filter(
    (part) => part.startIndex > first.startIndex && part.endIndex <= end && decorations.has(part.type),
  );
  let text = '';
  let at = first.startIndex;
  for (const part of skipped) {
    const piece = oneLine(source, node, at, part.startIndex);
    text += /[([]$/.test(piece) ? piece : `${piece} `;
    at = part.endIndex;
  }
  return { text: trimmed(text + oneLine(source, node, at, end)), from: first };
}

/** Without the opening of a body or the end of a statement. */
function trimmed(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s*(?:[{:;,]|=>?)$/, '');
}

/** ` = 5` when a value is short, otherwise nothing. */
export function shortValue(source: Source, value: Node | undefined): string {
  if (!value || value.endIndex - value.startIndex > 40) return '';
  const text = source.text.slice(value.startIndex, value.endIndex);
  return text.includes('\n') ? '' : ` = ${text}`;
}

/** The last part of a qualified name, and what stands before it. */
export function splitName(text: string, separator: string): { readonly name: string; readonly before?: string } {
  const at = text.lastIndexOf(separator);
  if (at < 0) return { name: text };
  const before = text.slice(0, at);
  return { name: text.slice(at + separator.length), ...(before === '' ? {} : { before }) };
}
