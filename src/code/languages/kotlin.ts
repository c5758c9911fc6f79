/** Kotlin: classes of all forms with the properties of their header, objects, extensions by receiver, properties, type aliases. */
import type { CodeImport, CodeSymbol, SymbolKind } from '../../types/code.js';
import type { Language, Node, Source } from '../parse/language.js';
import { childOf, field, lineOf, oneLine, symbolOf, textOf } from '../parse/nodes.js';
import {
  type Declarations,
  fileScope,
  headOf,
  inside,
  type Scope,
  shortValue,
  splitName,
  symbolsIn,
} from './shared/declarations.js';
import { prepareKotlin } from './shared/kotlin-prepare.js';

export const kotlin: Language = {
  id: 'kotlin',
  name: 'Kotlin',
  grammar: 'kotlin',
  extensions: ['.kt', '.kts'],
  prepare: prepareKotlin,
  restart:
    /^(?:(?:public|private|internal|protected|abstract|final|sealed|open|data|enum|annotation|value|inline|suspend|const|lateinit|expect|actual|tailrec|operator|infix|external|override)\s+)*(?:class|interface|object|fun|val|var|typealias|import)\b/,
  closing: '}',
  symbols: (source) => symbolsIn(declarations, source.root, fileScope(source, true)),
  references: '(identifier) @name',
  imports,
};

const ANNOTATIONS = new Set(['annotation']);
const MODIFIERS = new Set(['modifiers']);

const declarations: Declarations = {
  readers: {
    package_header: (node, { source }) => [
      symbolOf(node, { name: pathOf(source, node), kind: 'package', signature: oneLine(source, node), exported: true }),
    ],
    class_declaration: type,
    object_declaration: type,
    companion_object: type,
    enum_entry: enumEntry,
    function_declaration: callable,
    secondary_constructor: secondary,
    property_declaration: properties,
    type_alias: alias,
  },
  transparent: new Set([]),
};

const head = (source: Source, node: Node, until: Node | number | undefined) =>
  headOf(source, node, until, ANNOTATIONS, MODIFIERS);

const pathOf = (source: Source, node: Node): string =>
  textOf(source, childOf(node, 'qualified_identifier', 'identifier')).replace(/\s+/g, '');

/** Words before the declaration, annotations left out. */
function modifiersOf(source: Source, node: Node): string[] {
  const found = childOf(node, 'modifiers')?.namedChildren ?? [];
  return found.filter((one) => one.type !== 'annotation').map((one) => textOf(source, one));
}

const exported = (node: Node, scope: Scope): boolean => scope.open && !modifiersOf(scope.source, node).includes('private');

/** A name without the backticks it may be quoted with. */
const plain = (name: string): string => name.replace(/^`(.*)`$/, '$1');

function kindOf(source: Source, node: Node): SymbolKind {
  if (node.type !== 'class_declaration') return 'object';
  if (childOf(node, 'interface')) return 'interface';
  const modifiers = modifiersOf(source, node);
  return modifiers.includes('enum') ? 'enum' : modifiers.includes('annotation') ? 'annotation' : 'class';
}

function type(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const name = plain(textOf(source, field(node, 'name'))) || (node.type === 'companion_object' ? 'Companion' : '');
  if (name === '') return [];
  const body = childOf(node, 'class_body', 'enum_class_body');
  const { text, from } = head(source, node, body);
  const open = exported(node, scope);
  const within = inside(scope, node, name, open);
  const children = [...headerProperties(node, within), ...symbolsIn(declarations, body, within)];
  return [symbolOf(node, { name, kind: kindOf(source, node), signature: text, exported: open, from, children })];
}

/** `val` and `var` parameters of the primary constructor. */
function headerProperties(node: Node, scope: Scope): CodeSymbol[] {
  const parameters = childOf(childOf(node, 'primary_constructor') ?? node, 'class_parameters')?.namedChildren ?? [];
  return parameters.flatMap((parameter) => {
    if (!childOf(parameter, 'val', 'var')) return [];
    const name = plain(textOf(scope.source, childOf(parameter, 'identifier')));
    const equals = childOf(parameter, '=');
    const { text, from } = head(scope.source, parameter, equals);
    return name === ''
      ? []
      : [symbolOf(parameter, { name, kind: 'property', signature: text, exported: exported(parameter, scope), from })];
  });
}

function enumEntry(node: Node, scope: Scope): CodeSymbol[] {
  const body = childOf(node, 'class_body');
  const name = plain(textOf(scope.source, childOf(node, 'identifier')));
  if (name === '') return [];
  const { text, from } = head(scope.source, node, body);
  const children = symbolsIn(declarations, body, inside(scope, node, name, scope.open));
  return [symbolOf(node, { name, kind: 'enum-member', signature: text, exported: scope.open, from, children })];
}

function callable(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const named = field(node, 'name');
  const name = plain(textOf(source, named));
  if (!named || name === '') return [];
  const { text, from } = head(source, node, childOf(node, 'function_body'));
  const container = receiver(source, node, named);
  const kind = scope.owner === '' ? 'function' : 'method';
  return [
    symbolOf(node, { name, kind, signature: text, exported: exported(node, scope), from, ...(container ? { container } : {}) }),
  ];
}

/** `List` of `fun <R> List<R>.go()`: the type that stands before the name and a dot. */
function receiver(source: Source, node: Node, name: Node): string | undefined {
  let type: Node | undefined;
  for (const child of node.children) {
    if (child.startIndex >= name.startIndex) return undefined;
    if (child.type === '.') break;
    if (child.isNamed) type = child;
  }
  if (!type || type.type === 'modifiers' || type.type === 'type_parameters') return undefined;
  const bare = oneLine(source, type)
    .replace(/<.*$/s, '')
    .replace(/[?()\s]/g, '');
  return bare === '' ? undefined : splitName(bare, '.').name;
}

function secondary(node: Node, scope: Scope): CodeSymbol[] {
  const { text, from } = head(scope.source, node, childOf(node, 'constructor_delegation_call', 'block'));
  const name = scope.owner === '' ? 'constructor' : scope.owner;
  return [symbolOf(node, { name, kind: 'constructor', signature: text, exported: exported(node, scope), from })];
}

/** A property, or the several of `val (a, b) = pair`. */
function properties(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const target = childOf(node, 'variable_declaration', 'multi_variable_declaration');
  if (!target) return [];
  const { text, from } = head(source, node, target.endIndex);
  const several = target.type === 'multi_variable_declaration';
  const constant = modifiersOf(source, node).includes('const');
  const value = constant ? shortValue(source, childOf(node, '=')?.nextNamedSibling ?? undefined) : '';
  const container = several ? undefined : receiver(source, node, target);
  const variables = several ? target.namedChildren.filter((one) => one.type === 'variable_declaration') : [target];
  return variables.flatMap((one) => {
    const name = plain(textOf(source, childOf(one, 'identifier')));
    if (name === '' || name === '_') return [];
    const about = { name, kind: constant ? 'const' : 'property', signature: text + value, from } as const;
    return [symbolOf(node, { ...about, exported: exported(node, scope), ...(container ? { container } : {}) })];
  });
}

function alias(node: Node, scope: Scope): CodeSymbol[] {
  const { text, from } = head(scope.source, node, undefined);
  const name = plain(textOf(scope.source, field(node, 'type') ?? childOf(node, 'identifier')));
  return name === '' ? [] : [symbolOf(node, { name, kind: 'type', signature: text, exported: exported(node, scope), from })];
}

/** `import a.b.C as D` takes `C` from `a.b`. */
function imports(source: Source): CodeImport[] {
  return source.root.namedChildren
    .filter((node) => node.type === 'import')
    .flatMap((node) => {
      const path = pathOf(source, node);
      if (path === '') return [];
      if (childOf(node, '*')) return [{ source: path, line: lineOf(node), names: [{ name: '*' }] }];
      const { name, before } = splitName(path, '.');
      const alias = plain(textOf(source, childOf(node, 'as')?.nextNamedSibling));
      return [{ source: before ?? name, line: lineOf(node), names: [alias === '' ? { name } : { name, alias }] }];
    });
}
