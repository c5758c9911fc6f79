/** Struct, union, class and enum of C and C++: with a name, without one, inside a typedef or the declaration of a variable. */
import type { CodeSymbol, SymbolKind } from '../../../types/code.js';
import type { Node } from '../../parse/language.js';
import { DEEPEST, field, oneLine, symbolOf, textOf } from '../../parse/nodes.js';
import { withoutArguments } from './c-declarators.js';
import { type Declarations, flatten, headOf, inside, type Scope } from './declarations.js';

const KINDS: Readonly<Record<string, SymbolKind>> = {
  struct_specifier: 'struct',
  union_specifier: 'union',
  class_specifier: 'class',
  enum_specifier: 'enum',
};

/** Whether a node is a type, with or without a body. */
export const isTypeNode = (node: Node | undefined): node is Node => node !== undefined && Object.hasOwn(KINDS, node.type);

/** Forward declarations declare nothing new and are left out. */
export function typeSymbol(
  declarations: Declarations,
  node: Node,
  scope: Scope,
  given?: { readonly name: string; readonly at: Node },
): CodeSymbol[] {
  const { source } = scope;
  const body = field(node, 'body');
  const kind = KINDS[node.type];
  if (!body || !kind) return [];
  const named = field(node, 'name');
  const whole = withoutArguments(
    oneLine(source, named ?? body, named?.startIndex ?? body.startIndex, named?.endIndex ?? body.startIndex),
  );
  const bare = whole.split('::').at(-1)?.trim() ?? '';
  const name = bare || given?.name || '';
  const children = membersOf(declarations, node, body, inside(scope, node, name || '?', scope.open));
  if (name === '') return children;
  const { text, from } = headOf(source, node, body);
  const before = whole.includes('::') ? whole.slice(0, whole.lastIndexOf('::')) : '';
  const signature = bare === '' ? `typedef ${text.trim()} ${name}` : text;
  const about = { name, kind, signature, exported: scope.open, children, ...(before ? { container: before } : {}) };
  return [symbolOf(bare === '' ? (given?.at ?? node) : node, bare === '' ? about : { ...about, from })];
}

/** Members with the access that holds where they stand. */
export function membersOf(declarations: Declarations, node: Node, body: Node, scope: Scope): CodeSymbol[] {
  if (scope.depth > DEEPEST) return [];
  const found: CodeSymbol[] = [];
  let open = scope.open && node.type !== 'class_specifier';
  for (const child of flatten(body, declarations.transparent)) {
    if (child.type === 'access_specifier') open = scope.open && !textOf(scope.source, child).startsWith('private');
    const reader = Object.hasOwn(declarations.readers, child.type) ? declarations.readers[child.type] : undefined;
    if (reader) for (const symbol of reader(child, { ...scope, open })) found.push(symbol);
  }
  return found;
}
