/** Members of classes, interfaces, object types, enums and object literals. */
import type { CodeSymbol } from '../../../types/code.js';
import type { Node, Source } from '../../parse/language.js';
import { afterDecorators, childOf, DEEPEST, field, headOf, oneLine, statementsOf, symbolOf, textOf } from '../../parse/nodes.js';
import { isFunction, valueText } from './ecma-value-text.js';

/** A name as it is used: without quotes; `[Symbol.iterator]` for a computed one. */
export function nameOf(source: Source, node: Node | undefined): string {
  if (!node) return '';
  const text = textOf(source, node);
  return node.type === 'string' ? text.slice(1, -1) : text.replace(/\s+/g, ' ');
}

/** Members of a class body (or the given nodes). Private and protected ones are not exported. */
export function classMembers(
  source: Source,
  body: Node | undefined,
  options: { readonly exported: boolean; readonly depth: number; readonly nodes?: readonly Node[] },
): CodeSymbol[] {
  if (options.depth > DEEPEST) return [];
  return (options.nodes ?? statementsOf(body)).flatMap((node): CodeSymbol[] => {
    switch (node.type) {
      case 'method_definition':
      case 'method_signature':
      case 'abstract_method_signature':
        return [method(source, node, options.exported)];
      case 'public_field_definition':
      case 'field_definition':
        return property(source, node, options);
      case 'index_signature':
        return [indexSignature(source, node, options.exported)];
      default:
        return [];
    }
  });
}

function method(source: Source, node: Node, exported: boolean): CodeSymbol {
  const name = nameOf(source, field(node, 'name'));
  const accessor = childOf(node, 'get', 'set') !== undefined;
  const isClassMember = node.type !== 'method_signature' || name === 'constructor';
  const kind = accessor ? 'property' : name === 'constructor' && isClassMember ? 'constructor' : 'method';
  const from = afterDecorators(node);
  const signature = headOf(source, node, field(node, 'body'), from);
  return symbolOf(node, { name, kind, from, signature, exported: exported && isPublic(source, node, name) });
}

function property(source: Source, node: Node, { exported, depth }: { exported: boolean; depth: number }): CodeSymbol[] {
  const nameNode = field(node, 'name') ?? field(node, 'property');
  const name = nameOf(source, nameNode);
  if (name === '' || !nameNode) return [];
  const from = afterDecorators(node);
  const value = field(node, 'value');
  const head = oneLine(source, node, from.startIndex, headEnd(node, value)).replace(/[\s;,]+$/, '');
  const isClass = value?.type === 'class';
  const seen = exported && isPublic(source, node, name);
  const children = isClass ? classMembers(source, field(value, 'body'), { exported: seen, depth: depth + 1 }) : [];
  const signature = value ? `${head.replace(/\s*=$/, '')}${valueText(source, value)}` : head;
  return [symbolOf(node, { name, kind: 'property', from, signature, exported: seen, children })];
}

const headEnd = (node: Node, value: Node | undefined): number => value?.startIndex ?? node.endIndex;

function isPublic(source: Source, node: Node, name: string): boolean {
  const access = textOf(source, childOf(node, 'accessibility_modifier'));
  return access !== 'private' && access !== 'protected' && !name.startsWith('#');
}

function indexSignature(source: Source, node: Node, exported: boolean): CodeSymbol {
  const signature = oneLine(source, node).replace(/[;,]$/, '');
  const close = signature.indexOf(']');
  const name = signature.slice(Math.max(0, signature.indexOf('[')), close + 1) || '[]';
  return symbolOf(node, { name, kind: 'property', signature, exported });
}

/** Members of an interface or an object type. */
export function typeMembers(source: Source, body: Node | undefined, exported: boolean): CodeSymbol[] {
  return statementsOf(body).flatMap((node): CodeSymbol[] => {
    const signature = oneLine(source, node).replace(/[;,]$/, '');
    switch (node.type) {
      case 'property_signature':
        return [symbolOf(node, { name: nameOf(source, field(node, 'name')), kind: 'property', signature, exported })];
      case 'method_signature':
        return [method(source, node, exported)];
      case 'call_signature':
        return [symbolOf(node, { name: '()', kind: 'method', signature, exported })];
      case 'construct_signature':
        return [symbolOf(node, { name: 'new', kind: 'method', signature, exported })];
      case 'index_signature':
        return [indexSignature(source, node, exported)];
      default:
        return [];
    }
  });
}

export function enumMembers(source: Source, body: Node | undefined, exported: boolean): CodeSymbol[] {
  return statementsOf(body).flatMap((node) => {
    const name = nameOf(source, node.type === 'enum_assignment' ? field(node, 'name') : node);
    if (name === '') return [];
    const signature = oneLine(source, node);
    return [symbolOf(node, { name, kind: 'enum-member', signature, exported })];
  });
}

/** What an object literal can do: its methods, accessors and function values, and those of the objects in it. */
export function objectMembers(source: Source, object: Node, exported: boolean, depth = 0): CodeSymbol[] {
  if (depth > DEEPEST) return [];
  return statementsOf(object).flatMap((node): CodeSymbol[] => {
    if (node.type === 'method_definition') return [method(source, node, exported)];
    const value = node.type === 'pair' ? field(node, 'value') : undefined;
    if (!value) return [];
    const name = nameOf(source, field(node, 'key'));
    if (isFunction(value)) {
      const signature = `${name}: ${valueText(source, value).replace(/^ = /, '')}`;
      return [symbolOf(node, { name, kind: 'method', signature, exported })];
    }
    const children = value.type === 'object' ? objectMembers(source, value, exported, depth + 1) : [];
    return children.length === 0
      ? []
      : [symbolOf(node, { name, kind: 'property', signature: `${name}: {…}`, exported, children })];
  });
}
