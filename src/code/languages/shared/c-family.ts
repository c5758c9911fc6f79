/** Declarations and includes of C and C++ from either grammar. */
import type { CodeImport, CodeSymbol, SymbolKind } from '../../../types/code.js';
import type { Node, Source } from '../../parse/language.js';
import { childOf, field, lineOf, oneLine, symbolOf, textOf } from '../../parse/nodes.js';
import { type Declared, declaredBy } from './c-declarators.js';
import { prepareC } from './c-prepare.js';
import { isTypeNode, typeSymbol } from './c-types.js';
import { type Declarations, fileScope, flatten, headOf, inside, type Scope, shortValue, symbolsIn } from './declarations.js';

const BRANCHES = [
  'preproc_if',
  'preproc_ifdef',
  'preproc_else',
  'preproc_elif',
  'preproc_elifdef',
  'linkage_specification',
  'declaration_list',
];

const declarations: Declarations = {
  readers: {
    function_definition: definition,
    declaration: variables,
    field_declaration: variables,
    type_definition: typedefs,
    struct_specifier: types,
    union_specifier: types,
    class_specifier: types,
    enum_specifier: types,
    enumerator: enumerator,
    preproc_def: macro,
    preproc_function_def: macro,
    namespace_definition: namespace,
    namespace_alias_definition: simple('namespace'),
    alias_declaration: simple('type'),
    concept_definition: simple('type'),
    template_declaration: template,
    friend_declaration: friend,
  },
  transparent: new Set(BRANCHES),
};

/** Symbols of a file; signatures show what the grammar read, without other branches of `#if` in them. */
export function cSymbols(source: Source): CodeSymbol[] {
  const read: Source = { root: source.root, text: prepareC(source.text) };
  return symbolsIn(declarations, read.root, fileScope(read, true));
}

const words = (source: Source, node: Node): string[] =>
  node.children
    .filter((one) => one.type === 'storage_class_specifier' || one.type === 'type_qualifier')
    .map((one) => textOf(source, one));

/** `static` outside of a type keeps a name in its file. */
const exported = (source: Source, node: Node, scope: Scope): boolean =>
  scope.open && !(scope.owner === '' && words(source, node).includes('static'));

function types(node: Node, scope: Scope): CodeSymbol[] {
  return typeSymbol(declarations, node, scope);
}

function definition(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const declarator = field(node, 'declarator');
  const declared = declarator && declaredBy(source, declarator);
  if (!declared?.isFunction) return [];
  const end =
    childOf(node, 'field_initializer_list', 'default_method_clause', 'delete_method_clause', 'try_statement') ??
    field(node, 'body');
  const { text, from } = headOf(source, node, end, ATTRIBUTES);
  const inner = field(node, 'type');
  const before = isTypeNode(inner) ? types(inner, scope) : [];
  return [
    ...before,
    symbolOf(node, { ...callable(declared, scope), signature: text, exported: exported(source, node, scope), from }),
  ];
}

const ATTRIBUTES = new Set(['attribute_specifier', 'attribute_declaration']);

function callable(declared: Declared, scope: Scope): { name: string; kind: SymbolKind; container?: string } {
  const { name, container } = declared;
  const owner = container?.split('::').at(-1) ?? scope.owner;
  const kind = owner === '' ? 'function' : name === owner ? 'constructor' : 'method';
  return { name, kind, ...(container ? { container } : {}) };
}

/** Variables, fields, prototypes, and the type that may be defined on the way. */
function variables(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const type = field(node, 'type');
  const declarators = node.childrenForFieldName('declarator').filter((one) => one.isNamed);
  const first = declarators[0];
  if (!first) return isTypeNode(type) ? types(type, scope) : [];
  const body = isTypeNode(type) ? field(type, 'body') : undefined;
  const anonymous = body && isTypeNode(type) && !field(type, 'name') ? typeSymbol(declarations, type, scope) : [];
  const before = body && isTypeNode(type) && anonymous.length === 0 ? types(type, scope) : [];
  const head = headOf(source, node, first, ATTRIBUTES);
  const start = body
    ? `${oneLine(source, node, head.from.startIndex, body.startIndex)} `
    : head.text === ''
      ? ''
      : `${head.text} `;
  return declarators.reduce<CodeSymbol[]>((found, one, index) => {
    const declared = declaredBy(source, one);
    if (!declared) return found;
    const from = index === 0 ? head.from : one;
    const about = declared.isFunction ? callable(declared, scope) : variable(source, node, declared, scope);
    const value = about.kind === 'const' ? shortValue(source, field(one, 'value') ?? field(node, 'default_value')) : '';
    const signature = start + starred(oneLine(source, declared.node)) + value;
    const children = index === 0 ? anonymous : [];
    found.push(
      symbolOf(declarators.length === 1 ? node : one, {
        ...about,
        signature,
        exported: exported(source, node, scope),
        from,
        children,
      }),
    );
    return found;
  }, before);
}

function variable(
  source: Source,
  node: Node,
  { name, container, isIndirect }: Declared,
  scope: Scope,
): { name: string; kind: SymbolKind; container?: string } {
  const said = words(source, node);
  const constant = said.includes('constexpr') || (said.includes('const') && !isIndirect);
  const kind = constant ? 'const' : scope.owner === '' ? 'var' : 'field';
  return { name, kind, ...(container ? { container } : {}) };
}

function typedefs(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const type = field(node, 'type');
  const declarators = node.childrenForFieldName('declarator').filter((one) => one.isNamed);
  const names = declarators.flatMap((one) => declaredBy(source, one) ?? []);
  const body = isTypeNode(type) ? field(type, 'body') : undefined;
  const unnamed = body && isTypeNode(type) && !field(type, 'name');
  const first = names[0];
  const defined = body && isTypeNode(type) ? typeSymbol(declarations, type, scope, first && { name: first.name, at: node }) : [];
  const rest = unnamed ? names.slice(1) : names;
  const start = oneLine(source, node, node.startIndex, body?.startIndex ?? declarators[0]?.startIndex);
  return [
    ...defined,
    ...rest.map((one) =>
      symbolOf(node, {
        name: one.name,
        kind: 'type',
        signature: `${start} ${starred(oneLine(source, one.node))}`,
        exported: scope.open,
      }),
    ),
  ];
}

/** `*name` of `* name`. */
const starred = (declarator: string): string => declarator.replace(/^([*&]+) +/, '$1');

function enumerator(node: Node, scope: Scope): CodeSymbol[] {
  const name = textOf(scope.source, field(node, 'name'));
  const value = shortValue(scope.source, field(node, 'value'));
  return name === '' ? [] : [symbolOf(node, { name, kind: 'enum-member', signature: name + value, exported: scope.open })];
}

/** A name that only guards its header against being read twice is no macro to list. */
const GUARD = /_(?:H|HH|HPP|HXX|INC|INCLUDED|GUARD)_*$/i;

function macro(node: Node, { source }: Scope): CodeSymbol[] {
  const name = textOf(source, field(node, 'name'));
  const value = field(node, 'value');
  if (name === '' || (!value && GUARD.test(name) && node.type === 'preproc_def')) return [];
  const parameters = field(node, 'parameters');
  const shown = parameters ? oneLine(source, parameters) : shortValue(source, value).replace(/^ = /, ' ');
  return [symbolOf(node, { name, kind: 'macro', signature: `#define ${name}${shown}`.trimEnd(), exported: true })];
}

/** What an unnamed namespace holds stands in its place and stays in its file. */
function namespace(node: Node, scope: Scope): CodeSymbol[] {
  const named = field(node, 'name');
  const name = named ? oneLine(scope.source, named).replace(/inline /g, '') : '';
  const children = symbolsIn(declarations, field(node, 'body'), inside(scope, node, '', scope.open && name !== ''));
  if (name === '') return children;
  const { text } = headOf(scope.source, node, field(node, 'body'));
  return [symbolOf(node, { name, kind: 'namespace', signature: text, exported: scope.open, children })];
}

function simple(kind: SymbolKind): (node: Node, scope: Scope) => CodeSymbol[] {
  return (node, scope) => {
    const name = textOf(scope.source, field(node, 'name'));
    const { text } = headOf(
      scope.source,
      node,
      kind === 'type' && node.type === 'concept_definition' ? childOf(node, '=') : undefined,
    );
    return name === '' ? [] : [symbolOf(node, { name, kind, signature: text, exported: scope.open })];
  };
}

/** The declaration inside, with its parameters before it. */
function template(node: Node, scope: Scope): CodeSymbol[] {
  const inner = node.namedChildren.find((one) => Object.hasOwn(declarations.readers, one.type));
  const reader = inner && declarations.readers[inner.type];
  if (!reader || scope.depth > 40) return [];
  const start = oneLine(scope.source, node, node.startIndex, inner.startIndex);
  const found = reader(inner, { ...scope, depth: scope.depth + 1 });
  return found.map((one) => ({ ...one, signature: `${start} ${one.signature}`.slice(0, 400), startLine: lineOf(node) }));
}

/** A function that a class defines for others; other friends declare nothing. */
function friend(node: Node, scope: Scope): CodeSymbol[] {
  const inner = childOf(node, 'function_definition');
  if (!inner) return [];
  return definition(inner, { ...scope, owner: '', open: true }).map((one) => ({ ...one, signature: `friend ${one.signature}` }));
}

/** `"a.h"` as `a.h`, `<a.h>` with its brackets. */
export function cImports(source: Source): CodeImport[] {
  const looked = new Set([...BRANCHES, 'namespace_definition']);
  return flatten(source.root, looked)
    .filter((node) => node.type === 'preproc_include')
    .flatMap((node) => {
      const path = textOf(source, field(node, 'path')).replace(/^"(.*)"$/, '$1');
      return path === '' ? [] : [{ source: path, line: lineOf(node), names: [] }];
    });
}
