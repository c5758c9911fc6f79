/** C#: namespaces, types of all forms, members with their accessors, operators, events, delegates, extensions; both sides of `#if`. */
import type { CodeImport, CodeSymbol, SymbolKind } from '../../types/code.js';
import type { Language, Node, Source } from '../parse/language.js';
import { childOf, field, lineOf, oneLine, symbolOf, textOf } from '../parse/nodes.js';
import { isExtension, prepareExtensions, receiverAt } from './shared/csharp-prepare.js';
import {
  type Declarations,
  fileScope,
  flatten,
  headOf,
  inside,
  type Reader,
  type Scope,
  shortValue,
  splitName,
  symbolsIn,
} from './shared/declarations.js';

export const csharp: Language = {
  id: 'csharp',
  name: 'C#',
  grammar: 'c-sharp',
  extensions: ['.cs', '.csx'],
  restart:
    /^(?:(?:public|internal|private|protected|abstract|sealed|static|partial|readonly|ref|unsafe|file)\s+)*(?:class|interface|enum|record|struct|namespace|delegate|using)\b/,
  closing: '}',
  prepare: prepareExtensions,
  symbols: (source) => symbolsIn(declarations, source.root, fileScope(source, true)),
  references: '(identifier) @name',
  imports,
};

const ATTRIBUTES = new Set(['attribute_list']);
const BRANCHES = ['preproc_if', 'preproc_elif', 'preproc_else', 'preproc_if_in_attribute_list'];

const declarations: Declarations = {
  readers: {
    namespace_declaration: namespace,
    file_scoped_namespace_declaration: namespace,
    class_declaration: type('class'),
    struct_declaration: (node, scope) =>
      isExtension(scope.source.text, node.startIndex) ? extension(node, scope) : type('struct')(node, scope),
    interface_declaration: type('interface'),
    record_declaration: type('record'),
    record_struct_declaration: type('record'),
    enum_declaration: type('enum'),
    enum_member_declaration: enumMember,
    delegate_declaration: member('delegate'),
    method_declaration: member('method'),
    constructor_declaration: member('constructor'),
    destructor_declaration: member('method', (name) => `~${name}`),
    operator_declaration: operator,
    conversion_operator_declaration: operator,
    indexer_declaration: member('property', () => 'this'),
    property_declaration: member('property'),
    event_declaration: member('event'),
    event_field_declaration: fields('event'),
    field_declaration: fields('field'),
    local_function_statement: member('function'),
  },
  transparent: new Set([...BRANCHES, 'global_statement']),
};

const head = (source: Source, node: Node, until: Node | number | undefined) => headOf(source, node, until, ATTRIBUTES);

const modifiersOf = (source: Source, node: Node): string[] =>
  node.namedChildren.filter((one) => one.type === 'modifier').map((one) => textOf(source, one));

/** Types are open unless private or `file`; members of classes and structs only when they say so. */
function exported(node: Node, scope: Scope, byDefault = scope.owner === '' || scope.within === 'interface_declaration'): boolean {
  const words = modifiersOf(scope.source, node);
  if (words.includes('file')) return false;
  if (words.some((word) => word === 'public' || word === 'internal' || word === 'protected')) return scope.open;
  return scope.open && byDefault && !words.includes('private');
}

function namespace(node: Node, scope: Scope): CodeSymbol[] {
  const body = field(node, 'body');
  const { name } = { name: oneLine(scope.source, field(node, 'name') ?? node) };
  const { text } = headOf(scope.source, node, body);
  const children = symbolsIn(declarations, body, inside(scope, node, '', true));
  return [symbolOf(node, { name, kind: 'namespace', signature: text, exported: true, children })];
}

function type(kind: SymbolKind): Reader {
  return (node, scope) => {
    const name = textOf(scope.source, field(node, 'name'));
    if (name === '') return [];
    const body = field(node, 'body') ?? childOf(node, 'declaration_list');
    const { text, from } = head(scope.source, node, body);
    const within = inside(scope, node, name, exported(node, scope));
    const parts = kind === 'record' ? positional(node, within) : [];
    const children = [...parts, ...symbolsIn(declarations, body, within)];
    return [symbolOf(node, { name, kind, signature: text, exported: within.open, from, children })];
  };
}

/** `extension(string text) { … }`: named like the type its members are added to. */
function extension(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const receiver = receiverAt(source.text, node.startIndex + 'extension'.length);
  if (!receiver) return [];
  const words = source.text
    .slice(receiver.from + 1, receiver.to - 1)
    .replace(/\[[^\]]*\]\s*|\b(?:this|ref|in|readonly|scoped|params)\s+/g, '');
  const { name } = splitName(words.replace(/<.*$/s, '').trim().split(/\s/)[0] ?? '', '.');
  if (name === '') return [];
  const body = field(node, 'body') ?? childOf(node, 'declaration_list');
  const { text, from } = head(source, node, body);
  const children = symbolsIn(declarations, body, inside(scope, node, name, scope.open));
  return [symbolOf(node, { name, kind: 'extension', signature: text, exported: scope.open, from, children })];
}

/** The properties a record declares in its header. */
function positional(node: Node, scope: Scope): CodeSymbol[] {
  const parameters = childOf(node, 'parameter_list')?.namedChildren ?? [];
  return parameters.flatMap((one) => {
    const name = one.type === 'parameter' ? textOf(scope.source, field(one, 'name')) : '';
    if (name === '') return [];
    const { text, from } = head(scope.source, one, childOf(one, '='));
    return [symbolOf(one, { name, kind: 'property', signature: text, exported: scope.open, from })];
  });
}

function enumMember(node: Node, scope: Scope): CodeSymbol[] {
  const name = textOf(scope.source, field(node, 'name'));
  if (name === '') return [];
  const { text, from } = head(scope.source, node, undefined);
  return [symbolOf(node, { name, kind: 'enum-member', signature: text, exported: scope.open, from })];
}

/** Where the head of a member ends: at its body, its accessors, its value. */
const endOfHead = (node: Node): Node | undefined =>
  field(node, 'accessors') ??
  childOf(node, 'constructor_initializer', 'block', 'arrow_expression_clause', 'accessor_list', '=', ';');

function member(kind: SymbolKind, rename: (name: string) => string = (name) => name): Reader {
  return (node, scope) => {
    const { source } = scope;
    const name = rename(textOf(source, field(node, 'name')));
    if (name === '') return [];
    const { text, from } = head(source, node, endOfHead(node));
    const by = childOf(node, 'explicit_interface_specifier');
    const container = by ? oneLine(source, by).replace(/\.$/, '').replace(/<.*$/s, '') : extended(source, node);
    const open = by !== undefined ? scope.open : exported(node, scope, openByDefault(kind, scope));
    const signature = text + accessors(source, node);
    return [symbolOf(node, { name, kind, signature, exported: open, from, ...(container ? { container } : {}) })];
  };
}

/** A delegate is a type, a function a statement of the program. */
const openByDefault = (kind: SymbolKind, scope: Scope): boolean =>
  kind !== 'function' && (scope.owner === '' || scope.within === 'interface_declaration');

/** The type an extension method belongs to. */
function extended(source: Source, node: Node): string | undefined {
  if (node.type !== 'method_declaration') return undefined;
  const first = field(node, 'parameters')?.namedChildren.find((one) => one.type === 'parameter');
  if (!first || !modifiersOf(source, first).includes('this')) return undefined;
  return splitName(oneLine(source, field(first, 'type') ?? first).replace(/<.*$/s, ''), '.').name;
}

/** ` { get; private set; }` */
function accessors(source: Source, node: Node): string {
  const list = field(node, 'accessors') ?? childOf(node, 'accessor_list');
  if (!list || node.type === 'event_declaration') return '';
  const shown = list.namedChildren.flatMap((one) => {
    const name = textOf(source, field(one, 'name'));
    return one.type === 'accessor_declaration' && name !== '' ? [[...modifiersOf(source, one), name].join(' ')] : [];
  });
  return shown.length === 0 ? '' : ` { ${shown.join('; ')}; }`;
}

/** `operator +`, `operator string`. */
function operator(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const sign = field(node, node.type === 'operator_declaration' ? 'operator' : 'type');
  if (!sign) return [];
  const { text, from } = head(source, node, endOfHead(node));
  return [
    symbolOf(node, {
      name: `operator ${oneLine(source, sign)}`,
      kind: 'method',
      signature: text,
      exported: exported(node, scope),
      from,
    }),
  ];
}

/** One symbol for each name of a field or event. */
function fields(kind: 'field' | 'event'): Reader {
  return (node, scope) => {
    const { source } = scope;
    const variables =
      childOf(node, 'variable_declaration')?.namedChildren.filter((one) => one.type === 'variable_declarator') ?? [];
    const start = head(source, node, variables[0]);
    const constant = kind === 'field' && modifiersOf(source, node).includes('const');
    return variables.flatMap((one, index) => {
      const name = textOf(source, field(one, 'name'));
      if (name === '') return [];
      const value = constant ? shortValue(source, childOf(one, '=')?.nextNamedSibling ?? undefined) : '';
      const from = index === 0 ? start.from : one;
      const about = { name, kind: constant ? 'const' : kind, signature: `${start.text} ${name}${value}`, from } as const;
      return [symbolOf(one, { ...about, exported: exported(node, scope) })];
    });
  };
}

/** `using A.B` takes all of a namespace, `using static A.B` all of a type, `using X = A.B.C` one name. */
function imports(source: Source): CodeImport[] {
  const found: CodeImport[] = [];
  const looked = new Set([...BRANCHES, 'namespace_declaration', 'declaration_list']);
  for (const node of flatten(source.root, looked)) {
    if (node.type !== 'using_directive') continue;
    const alias = textOf(source, field(node, 'name'));
    const target = node.namedChildren.filter((one) => !one.isExtra).at(-1);
    const path = target ? oneLine(source, target).replace(/<.*$/s, '') : '';
    if (path === '') continue;
    const { name, before } = splitName(path, '.');
    const line = lineOf(node);
    if (alias !== '') found.push({ source: before ?? name, line, names: [{ name, alias }] });
    else found.push({ source: path, line, names: [{ name: '*' }] });
  }
  return found;
}
