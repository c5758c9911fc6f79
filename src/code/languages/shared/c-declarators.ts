/** Finds what a C or C++ declarator declares: the name inside pointers, arrays, brackets and parameters. */
import type { Node, Source } from '../../parse/language.js';
import { field, oneLine, textOf } from '../../parse/nodes.js';

/** What a declarator names. */
export interface Declared {
  readonly name: string;
  /** `A::B` of `A<T>::B::name`. */
  readonly container?: string;
  readonly isFunction: boolean;
  /** It is a pointer or an array of what its type says. */
  readonly isIndirect: boolean;
  /** Initializers and bit widths left out. */
  readonly node: Node;
}

const LEAVES = new Set([
  'identifier',
  'field_identifier',
  'type_identifier',
  'qualified_identifier',
  'operator_name',
  'destructor_name',
  'operator_cast',
  'template_function',
  'template_method',
  'primitive_type',
]);

/** Undefined for declarators without a name and for what errors left behind. */
export function declaredBy(source: Source, declarator: Node): Declared | undefined {
  const node = declarator.type === 'init_declarator' ? field(declarator, 'declarator') : declarator;
  let isFunction = false;
  let isIndirect = false;
  let at = node;
  while (at && !LEAVES.has(at.type)) {
    if (at.type === 'function_declarator') isFunction = true;
    else if (at.type !== 'parenthesized_declarator' && at.type !== 'attributed_declarator') {
      isFunction = false;
      isIndirect ||= at.type !== 'reference_declarator';
    }
    at =
      field(at, 'declarator') ?? at.namedChildren.find((child) => LEAVES.has(child.type) || child.type.endsWith('_declarator'));
  }
  return node && at ? named(source, node, at, isFunction, isIndirect) : undefined;
}

function named(source: Source, node: Node, top: Node, isFunction: boolean, isIndirect: boolean): Declared | undefined {
  let leaf = top;
  while (leaf.type === 'qualified_identifier') {
    const next = field(leaf, 'name');
    if (!next) return undefined;
    leaf = next;
  }
  const name = nameOf(source, leaf);
  if (name === '') return undefined;
  const before = source.text.slice(top.startIndex, leaf.startIndex);
  const container = withoutArguments(before)
    .replace(/\s+/g, '')
    .replace(/::(?:template)?$/, '')
    .replace(/^::/, '');
  const cast = leaf.type === 'operator_cast';
  return { name, ...(container === '' ? {} : { container }), isFunction: isFunction || cast, isIndirect, node };
}

function nameOf(source: Source, leaf: Node): string {
  if (leaf.type === 'operator_cast') return oneLine(source, leaf, leaf.startIndex, field(leaf, 'declarator')?.startIndex);
  if (leaf.type === 'template_function' || leaf.type === 'template_method') return textOf(source, field(leaf, 'name'));
  return oneLine(source, leaf);
}

/** `A::B` of `A<T, U<V>>::B`. */
export function withoutArguments(text: string): string {
  let result = '';
  let depth = 0;
  for (const letter of text) {
    if (letter === '<') depth++;
    else if (letter === '>') depth = Math.max(0, depth - 1);
    else if (depth === 0) result += letter;
  }
  return result;
}
