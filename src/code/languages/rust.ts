/** Rust: items, impl blocks with trait and generics, traits, fields and variants, macros, modules, foreign blocks. */
import type { CodeImport, CodeSymbol, SymbolKind } from '../../types/code.js';
import type { Language, Node, Source } from '../parse/language.js';
import { childOf, field, lineOf, oneLine, pushAll, symbolOf, textOf } from '../parse/nodes.js';
import {
  type Declarations,
  fileScope,
  headOf,
  inside,
  type Reader,
  type Scope,
  shortValue,
  splitName,
  symbolsIn,
} from './shared/declarations.js';
import { openWrappers } from './shared/rust-prepare.js';

export const rust: Language = {
  id: 'rust',
  name: 'Rust',
  grammar: 'rust',
  extensions: ['.rs'],
  prepare: openWrappers,
  restart:
    /^(?:pub(?:\([^)]*\))?\s+)?(?:(?:unsafe|async|const|extern(?:\s+"[^"]*")?|default)\s+)*(?:fn|struct|enum|union|trait|impl|mod|use|const|static|type|macro_rules!)(?!\w)/,
  closing: '}',
  symbols: (source) => symbolsIn(declarations, source.root, fileScope(source, false)),
  references: '[(identifier) (type_identifier) (field_identifier)] @name',
  imports,
};

const declarations: Declarations = {
  readers: {
    function_item: callable,
    function_signature_item: callable,
    struct_item: type('struct'),
    union_item: type('union'),
    enum_item: type('enum'),
    trait_item: type('trait'),
    mod_item: type('module'),
    impl_item: implementation,
    enum_variant: value('enum-member'),
    field_declaration: value('field'),
    const_item: value('const'),
    static_item: value('var'),
    type_item: value('type'),
    associated_type: value('type'),
    macro_definition: macro,
  },
  transparent: new Set(['foreign_mod_item', 'declaration_list']),
};

/** `pub` in any of its forms, or what the trait, enum or impl of a trait around it says. */
const exported = (node: Node, scope: Scope): boolean => scope.open || childOf(node, 'visibility_modifier') !== undefined;

function callable(node: Node, scope: Scope): CodeSymbol[] {
  const name = textOf(scope.source, field(node, 'name'));
  if (name === '') return [];
  const { text } = headOf(scope.source, node, field(node, 'body'));
  const member = scope.within === 'impl_item' || scope.within === 'trait_item';
  return [symbolOf(node, { name, kind: member ? 'method' : 'function', signature: text, exported: exported(node, scope) })];
}

/** What is inside is open for enums, and for traits that are. */
function type(kind: SymbolKind): Reader {
  return (node, scope) => {
    const name = textOf(scope.source, field(node, 'name'));
    if (name === '') return [];
    const body = field(node, 'body');
    const tuple = body?.type === 'ordered_field_declaration_list';
    const { text } = headOf(scope.source, node, tuple ? undefined : body);
    const open = exported(node, scope);
    const within = inside(scope, node, name, open && (kind === 'enum' || kind === 'trait'));
    const children = tuple ? [] : symbolsIn(declarations, body, within);
    return [symbolOf(node, { name, kind, signature: text, exported: open, children })];
  };
}

function implementation(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const target = field(node, 'type');
  const name = bareType(source, target);
  const body = field(node, 'body');
  const { text } = headOf(source, node, body);
  const within = inside(scope, node, name, field(node, 'trait') !== undefined);
  return [
    symbolOf(node, { name, kind: 'impl', signature: text, exported: true, children: symbolsIn(declarations, body, within) }),
  ];
}

/** `Pair` of `a::Pair<T>`; other types as they are written. */
function bareType(source: Source, node: Node | undefined): string {
  let at = node;
  while (at?.type === 'generic_type' || at?.type === 'reference_type') at = field(at, 'type');
  if (at?.type === 'scoped_type_identifier') at = field(at, 'name');
  return at ? oneLine(source, at) : '';
}

function value(kind: SymbolKind): Reader {
  return (node, scope) => {
    const name = textOf(scope.source, field(node, 'name'));
    if (name === '' || name === '_') return [];
    const given = kind === 'type' ? undefined : field(node, 'value');
    const { text } = headOf(scope.source, node, given);
    const signature = kind === 'const' || kind === 'enum-member' ? `${text}${shortValue(scope.source, given)}` : text;
    return [symbolOf(node, { name, kind, signature, exported: exported(node, scope) })];
  };
}

function macro(node: Node, scope: Scope): CodeSymbol[] {
  const name = textOf(scope.source, field(node, 'name'));
  if (name === '') return [];
  return [
    symbolOf(node, { name, kind: 'macro', signature: `macro_rules! ${name}`, exported: hasMacroExport(node, scope.source) }),
  ];
}

function hasMacroExport(node: Node, source: Source): boolean {
  for (let before = node.previousNamedSibling; before; before = before.previousNamedSibling) {
    if (before.type === 'attribute_item') {
      if (textOf(source, before).includes('macro_export')) return true;
    } else if (!before.isExtra) return false;
  }
  return false;
}

/** Trees of `use` taken apart, `extern crate`, and `mod name;` as `self::name`; inside inline modules too. */
function imports(source: Source): CodeImport[] {
  const found: CodeImport[] = [];
  const stack = [...source.root.namedChildren].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    const line = lineOf(node);
    if (node.type === 'use_declaration') {
      const reexport = childOf(node, 'visibility_modifier') ? { reexport: true } : {};
      for (const one of useTree(source, field(node, 'argument')))
        found.push({ source: one.source, line, names: [one.name], ...reexport });
    } else if (node.type === 'extern_crate_declaration') {
      const name = textOf(source, field(node, 'name'));
      const alias = textOf(source, field(node, 'alias'));
      found.push({ source: name, line, names: [alias === '' ? { name: '*' } : { name: '*', alias }] });
    } else if (node.type === 'mod_item') {
      const body = field(node, 'body');
      if (body) pushAll(stack, body.namedChildren);
      else found.push({ source: `self::${textOf(source, field(node, 'name'))}`, line, names: [] });
    }
  }
  return found;
}

interface Used {
  readonly source: string;
  readonly name: { readonly name: string; readonly alias?: string };
}

function useTree(source: Source, argument: Node | undefined): Used[] {
  const found: Used[] = [];
  const stack: { node: Node; prefix: string }[] = argument ? [{ node: argument, prefix: '' }] : [];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, prefix } = next;
    if (node.type === 'scoped_use_list' || node.type === 'use_list') {
      const path = join(prefix, textOf(source, field(node, 'path')));
      const list = node.type === 'use_list' ? node : field(node, 'list');
      for (const child of [...(list?.namedChildren ?? [])].reverse())
        if (!child.isExtra) stack.push({ node: child, prefix: path });
    } else if (node.type === 'use_wildcard') {
      found.push({ source: join(prefix, textOf(source, node.namedChildren[0])), name: { name: '*' } });
    } else if (node.type === 'use_as_clause') {
      const one = taken(join(prefix, textOf(source, field(node, 'path'))));
      found.push({ source: one.source, name: { name: one.name.name, alias: textOf(source, field(node, 'alias')) } });
    } else found.push(taken(join(prefix, textOf(source, node))));
  }
  return found;
}

const join = (prefix: string, path: string): string =>
  (prefix === '' || path === '' ? prefix + path : `${prefix}::${path}`).replace(/\s+/g, '');

/** `a::b::C` takes `C` from `a::b`; `a::b::self` takes `b` from `a`. */
function taken(path: string): Used {
  const { name, before } = splitName(path.replace(/::self$/, ''), '::');
  return { source: before ?? name, name: { name: before === undefined ? '*' : name } };
}
