/** Declarations by assignment: `module.exports = …`, `exports.x = …`, `Foo.prototype.bar = function …`. */
import type { CodeSymbol } from '../../../types/code.js';
import type { Node, Source } from '../../parse/language.js';
import { field, oneLine, symbolOf, textOf } from '../../parse/nodes.js';
import { classMembers, objectMembers } from './ecma-members.js';
import { isFunction, valueText } from './ecma-value-text.js';

/** How many targets of `a = b = c = value` are followed. */
const MOST_TARGETS = 200;

/** The symbols of an expression statement that assigns; empty for any other. */
export function assignedSymbols(source: Source, statement: Node): CodeSymbol[] {
  const targets: Node[] = [];
  let node = statement.namedChildren.find((child) => !child.isExtra);
  while (node?.type === 'assignment_expression' && targets.length < MOST_TARGETS) {
    const left = field(node, 'left');
    if (left) targets.push(left);
    node = field(node, 'right');
  }
  const value = node;
  if (!value || value.type === 'assignment_expression') return [];
  return targets.flatMap((target) => assigned(source, statement, target, value));
}

function assigned(source: Source, statement: Node, target: Node, value: Node): CodeSymbol[] {
  if (target.type !== 'member_expression') return [];
  // A target is a path of names; anything with a call or an index in it declares nothing.
  if (target.endIndex - target.startIndex > 200) return [];
  const path = textOf(source, target).replace(/\s+/g, '');
  if (!/^[\w$.]+$/.test(path)) return [];
  const words = path.split('.');
  const name = words.at(-1) ?? '';
  const owner = words.slice(0, -1).join('.');
  const isExports = path === 'module.exports' || owner === 'exports' || owner === 'module.exports';
  if (isExports) return exportsSymbol(source, { statement, value, path, name });
  const isProto = owner.endsWith('.prototype');
  if (words[0] === 'this' || words[0] === 'window' || words[0] === 'globalThis') return [];
  if (name === 'prototype' && value.type === 'object') {
    const members = objectMembers(source, value, true);
    return members.map((member) => ({ ...member, container: owner }));
  }
  if (!isFunction(value) && value.type !== 'class') return [];
  const container = isProto ? owner.slice(0, -'.prototype'.length) : owner;
  const kind = value.type === 'class' ? 'class' : 'method';
  return [
    symbolOf(statement, {
      name,
      kind,
      signature: `${path}${valueText(source, value)}`,
      exported: false,
      container,
      ...membersOf(source, value),
    }),
  ];
}

function exportsSymbol(
  source: Source,
  { statement, value, path, name }: { statement: Node; value: Node; path: string; name: string },
): CodeSymbol[] {
  // Compilers clear all names first: `exports.a = exports.b = void 0`.
  if (/^(?:void 0|undefined)$/.test(oneLine(source, value))) return [];
  const whole = path === 'module.exports';
  const kind = isFunction(value) ? 'function' : value.type === 'class' ? 'class' : 'export';
  const own = field(value, 'name');
  const shown = whole && value.type === 'object' ? ` = ${oneLine(source, value)}` : valueText(source, value);
  return [
    symbolOf(statement, {
      name: whole ? textOf(source, own) || 'module.exports' : name,
      kind,
      signature: `${path}${shown}`,
      exported: true,
      ...membersOf(source, value),
    }),
  ];
}

function membersOf(source: Source, value: Node): { children?: CodeSymbol[] } {
  if (value.type === 'object') return { children: objectMembers(source, value, true) };
  if (value.type === 'class') return { children: classMembers(source, field(value, 'body'), { exported: true, depth: 1 }) };
  return {};
}
