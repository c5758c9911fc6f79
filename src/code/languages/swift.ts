/** Swift: types of all forms, extensions, protocols with their requirements, initializers, subscripts, operators, macros; both sides of `#if`. */
import type { CodeImport, CodeSymbol, SymbolKind } from '../../types/code.js';
import type { Language, Node, Source } from '../parse/language.js';
import { childOf, field, lineOf, oneLine, pushAll, symbolOf, textOf } from '../parse/nodes.js';
import { type Declarations, fileScope, headOf, inside, type Reader, type Scope, symbolsIn } from './shared/declarations.js';
import { mendSwift } from './shared/swift-mend.js';

export const swift: Language = {
  id: 'swift',
  name: 'Swift',
  grammar: 'swift',
  extensions: ['.swift', '.swiftinterface'],
  mend: mendSwift,
  restart:
    /^(?:(?:public|open|internal|private|fileprivate|final|indirect|static|@\w+)\s+)*(?:func|class|struct|enum|protocol|extension|actor|let|var|typealias|import)\b/,
  closing: '}',
  symbols: (source) => symbolsIn(declarations, source.root, fileScope(source, true)),
  references: '[(simple_identifier) (type_identifier)] @name',
  imports,
};

const ATTRIBUTES = new Set(['attribute']);
const MODIFIERS = new Set(['modifiers']);

const declarations: Declarations = {
  readers: {
    class_declaration: type,
    protocol_declaration: type,
    enum_entry: enumEntry,
    function_declaration: member('function'),
    protocol_function_declaration: member('method'),
    init_declaration: member('constructor', 'init'),
    deinit_declaration: member('method', 'deinit'),
    subscript_declaration: member('method', 'subscript'),
    property_declaration: properties,
    protocol_property_declaration: properties,
    typealias_declaration: member('type'),
    associatedtype_declaration: member('type'),
    macro_declaration: member('macro'),
    operator_declaration: operator,
    precedence_group_declaration: operator,
  },
  transparent: new Set(['statements']),
};

const KINDS: Readonly<Record<string, SymbolKind>> = {
  struct: 'struct',
  enum: 'enum',
  extension: 'extension',
  protocol: 'protocol',
};

const head = (source: Source, node: Node, until: Node | number | undefined) => headOf(source, node, until, ATTRIBUTES, MODIFIERS);

/** Internal is the default; `private` and `fileprivate` without `(set)` keep a name in its file. */
function exported(node: Node, scope: Scope): boolean {
  const words = childOf(node, 'modifiers')?.namedChildren ?? [];
  const hidden = words.some((one) => one.type === 'visibility_modifier' && /^(?:file)?private$/.test(textOf(scope.source, one)));
  return scope.open && !hidden;
}

const plain = (name: string): string => name.replace(/^`(.*)`$/, '$1');

function type(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const word = textOf(source, field(node, 'declaration_kind')) || 'protocol';
  const named = field(node, 'name');
  const name = named ? plain(oneLine(source, named).replace(/<.*$/s, '')) : '';
  if (name === '') return [];
  const body = field(node, 'body');
  const { text, from } = head(source, node, body);
  const within = inside(scope, node, name, exported(node, scope));
  const about = { name, kind: KINDS[word] ?? 'class', signature: text, from } as const;
  return [symbolOf(node, { ...about, exported: within.open, children: symbolsIn(declarations, body, within) })];
}

function enumEntry(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const names = node.childrenForFieldName('name').filter((one) => one.type === 'simple_identifier');
  return names.map((one, index) => {
    const next = names[index + 1];
    const signature = `case ${oneLine(source, node, one.startIndex, next?.startIndex ?? node.endIndex).replace(/\s*[,;]$/, '')}`;
    return symbolOf(one, { name: plain(textOf(source, one)), kind: 'enum-member', signature, exported: scope.open });
  });
}

function member(kind: SymbolKind, fixed?: string): Reader {
  return (node, scope) => {
    const { source } = scope;
    const named = field(node, 'name') ?? childOf(node, 'simple_identifier', 'type_identifier');
    const name = fixed ?? plain(textOf(source, named));
    if (name === '') return [];
    const body = field(node, 'body') ?? childOf(node, 'computed_property', 'protocol_property_requirements', 'macro_definition');
    const { text, from } = head(source, node, kind === 'macro' ? (childOf(node, '=') ?? body) : body);
    const shown = kind === 'function' && scope.owner !== '' ? 'method' : kind;
    return [symbolOf(node, { name, kind: shown, signature: text, exported: exported(node, scope), from })];
  };
}

/** One symbol for each name of `var a = 1, b = 2` and `let (p, q) = pair`. */
function properties(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const patterns = node.childrenForFieldName('name').filter((one) => one.type === 'pattern');
  const first = patterns[0];
  if (!first) return [];
  const annotation = childOf(node, 'type_annotation');
  const typed =
    annotation && (patterns[1] === undefined || annotation.startIndex < patterns[1].startIndex) ? annotation : undefined;
  const { text, from } = head(source, node, typed?.endIndex ?? first.endIndex);
  const constant = /(?:^|\s)let\s/.test(text);
  const kind = scope.owner !== '' ? 'property' : constant ? 'const' : 'var';
  const requirements = childOf(node, 'protocol_property_requirements');
  const start = text.slice(0, Math.max(0, text.lastIndexOf(textOf(source, first))));
  return patterns.flatMap((pattern, index) =>
    namesIn(pattern).flatMap((one) => {
      const name = plain(textOf(source, one));
      if (name === '' || name === '_') return [];
      const signature =
        index === 0 ? text + (requirements ? ` ${oneLine(source, requirements)}` : '') : `${start}${oneLine(source, pattern)}`;
      return [symbolOf(node, { name, kind, signature, exported: exported(node, scope), from: index === 0 ? from : pattern })];
    }),
  );
}

function namesIn(pattern: Node): Node[] {
  const found: Node[] = [];
  const stack = [pattern];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.type === 'simple_identifier') found.push(next);
    else if (next.type === 'pattern') pushAll(stack, next.namedChildren);
  }
  return found;
}

/** `infix operator +++`, `precedencegroup PG`. */
function operator(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const name = textOf(source, childOf(node, 'custom_operator', 'simple_identifier'));
  const { text } = head(source, node, childOf(node, 'precedence_group_attributes'));
  return name === '' ? [] : [symbolOf(node, { name, kind: 'type', signature: text, exported: true })];
}

/** `import Foo` takes all of a module, `import class Foo.Bar` one name of it. */
function imports(source: Source): CodeImport[] {
  return source.root.namedChildren.flatMap((node) => {
    const path = node.type === 'import_declaration' ? childOf(node, 'identifier') : undefined;
    if (!path) return [];
    const parts = path.namedChildren.map((one) => textOf(source, one));
    const picked = childOf(node, 'class', 'struct', 'enum', 'protocol', 'func', 'var', 'let', 'typealias') !== undefined;
    const name = picked ? parts.pop() : undefined;
    return [{ source: parts.join('.'), line: lineOf(node), names: [{ name: name ?? '*' }] }];
  });
}
