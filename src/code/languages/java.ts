/** Java: types of all five forms, their members, enum constants with bodies, packages and modules. */
import type { CodeImport, CodeSymbol, SymbolKind } from '../../types/code.js';
import type { Language, Node, Source } from '../parse/language.js';
import { childOf, field, lineOf, oneLine, symbolOf, textOf } from '../parse/nodes.js';
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

export const java: Language = {
  id: 'java',
  name: 'Java',
  grammar: 'java',
  extensions: ['.java'],
  restart:
    /^(?:(?:public|protected|private|abstract|final|sealed|non-sealed|static|strictfp)\s+)*(?:class|interface|enum|record|@interface|import)\b/,
  closing: '}',
  symbols: (source) => symbolsIn(declarations, source.root, fileScope(source, true)),
  references: '[(identifier) (type_identifier)] @name',
  imports,
};

const ANNOTATIONS = new Set(['annotation', 'marker_annotation']);
const MODIFIERS = new Set(['modifiers']);

const declarations: Declarations = {
  readers: {
    package_declaration: (node, { source }) => named(node, source, 'package'),
    module_declaration: (node, { source }) => named(node, source, 'module'),
    class_declaration: type('class'),
    interface_declaration: type('interface'),
    enum_declaration: type('enum'),
    record_declaration: type('record'),
    annotation_type_declaration: type('annotation'),
    enum_constant: type('enum-member'),
    method_declaration: member('method'),
    annotation_type_element_declaration: member('method'),
    constructor_declaration: member('constructor'),
    compact_constructor_declaration: member('constructor'),
    field_declaration: fields,
    constant_declaration: fields,
  },
  transparent: new Set(['enum_body_declarations']),
};

const head = (source: Source, node: Node, until: Node | number | undefined) =>
  headOf(source, node, until, ANNOTATIONS, MODIFIERS);

const has = (node: Node, modifier: string): boolean =>
  childOf(node, 'modifiers')?.children.some((one) => one.type === modifier) ?? false;

/** Whatever is not private can be used from the package, members of interfaces from everywhere. */
const exported = (node: Node, scope: Scope): boolean => scope.open && !has(node, 'private');

function named(node: Node, source: Source, kind: SymbolKind): CodeSymbol[] {
  const name = field(node, 'name') ?? childOf(node, 'scoped_identifier', 'identifier');
  const { text, from } = headOf(source, node, childOf(node, 'module_body'), ANNOTATIONS);
  return name ? [symbolOf(node, { name: textOf(source, name), kind, signature: text, exported: true, from })] : [];
}

function type(kind: SymbolKind): Reader {
  return (node, scope) => {
    const name = textOf(scope.source, field(node, 'name'));
    if (name === '') return [];
    const body = field(node, 'body');
    const { text, from } = head(scope.source, node, body);
    const within = inside(scope, node, name, exported(node, scope));
    const parts = kind === 'record' ? components(node, within) : [];
    const children = [...parts, ...symbolsIn(declarations, body, within)];
    return [symbolOf(node, { name, kind, signature: text, exported: within.open, from, children })];
  };
}

/** Header parameters of a record. */
function components(node: Node, scope: Scope): CodeSymbol[] {
  return (field(node, 'parameters')?.namedChildren ?? []).flatMap((parameter) => {
    const declarator = childOf(parameter, 'variable_declarator') ?? parameter;
    const name = textOf(scope.source, field(declarator, 'name'));
    const { text, from } = head(scope.source, parameter, undefined);
    return name === '' ? [] : [symbolOf(parameter, { name, kind: 'field', signature: text, exported: scope.open, from })];
  });
}

function member(kind: SymbolKind): Reader {
  return (node, scope) => {
    const name = textOf(scope.source, field(node, 'name'));
    if (name === '') return [];
    const { text, from } = head(scope.source, node, field(node, 'body'));
    return [symbolOf(node, { name, kind, signature: text, exported: exported(node, scope), from })];
  };
}

/** One symbol for each name of `int a = 1, b[];`. */
function fields(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const declarators = node.childrenForFieldName('declarator').filter((one) => one.isNamed);
  const constant = node.type === 'constant_declaration' || (has(node, 'static') && has(node, 'final'));
  const start = head(source, node, declarators[0]);
  return declarators.flatMap((one, index) => {
    const name = textOf(source, field(one, 'name'));
    if (name === '') return [];
    const dimensions = field(one, 'dimensions');
    const value = constant ? shortValue(source, field(one, 'value')) : '';
    const signature = `${start.text} ${name}${dimensions ? oneLine(source, dimensions) : ''}${value}`;
    const from = index === 0 ? start.from : one;
    return [symbolOf(one, { name, kind: constant ? 'const' : 'field', signature, exported: exported(node, scope), from })];
  });
}

/** `import a.b.C` takes `C` from `a.b`. */
function imports(source: Source): CodeImport[] {
  return source.root.namedChildren
    .filter((node) => node.type === 'import_declaration')
    .flatMap((node) => {
      const path = textOf(source, childOf(node, 'scoped_identifier', 'identifier')).replace(/\s+/g, '');
      if (path === '') return [];
      if (childOf(node, 'asterisk')) return [{ source: path, line: lineOf(node), names: [{ name: '*' }] }];
      const { name, before } = splitName(path, '.');
      return [{ source: before ?? name, line: lineOf(node), names: [{ name }] }];
    });
}
