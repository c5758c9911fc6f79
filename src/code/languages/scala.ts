/** Scala 2 and 3: classes, traits, objects, enums, givens, extensions, definitions and values of types, packages with and without a body. */
import type { CodeImport, CodeSymbol, SymbolKind } from '../../types/code.js';
import type { Language, Node, Source } from '../parse/language.js';
import { childOf, field, lineOf, oneLine, symbolOf, textOf } from '../parse/nodes.js';
import {
  type Declarations,
  fileScope,
  flatten,
  headOf,
  inside,
  type Reader,
  type Scope,
  symbolsIn,
} from './shared/declarations.js';

export const scala: Language = {
  id: 'scala',
  name: 'Scala',
  grammar: 'scala',
  extensions: ['.scala', '.sc', '.sbt'],
  restart:
    /^(?:(?:abstract|final|sealed|implicit|private|protected|override|lazy|inline|case|open|transparent)\s+)*(?:class|object|trait|def|val|var|type|enum|given|extension|package|import)\b/,
  symbols: (source) => symbolsIn(declarations, source.root, fileScope(source, true)),
  references: '[(identifier) (type_identifier)] @name',
  imports,
};

const ANNOTATIONS = new Set(['annotation']);

const declarations: Declarations = {
  readers: {
    package_clause: packages,
    package_object: type('object'),
    class_definition: type('class'),
    trait_definition: type('trait'),
    object_definition: type('object'),
    enum_definition: type('enum'),
    simple_enum_case: enumCase,
    full_enum_case: enumCase,
    function_definition: callable,
    function_declaration: callable,
    val_definition: values,
    val_declaration: values,
    var_definition: values,
    var_declaration: values,
    type_definition: alias,
    given_definition: given,
    extension_definition: extension,
  },
  transparent: new Set(['enum_case_definitions', 'template_body', 'with_template_body', 'enum_body']),
};

const head = (source: Source, node: Node, until: Node | number | undefined) => headOf(source, node, until, ANNOTATIONS);

/** `private` without brackets keeps a name from other files. */
function exported(node: Node, scope: Scope): boolean {
  const access = childOf(childOf(node, 'modifiers') ?? node, 'access_modifier');
  return scope.open && !(access && /^private(?:\s*\[\s*this\s*\])?$/.test(textOf(scope.source, access)));
}

/** Like `symbolOf`; indented bodies end with their last line, not where the next declaration begins. */
function made(source: Source, node: Node, about: Parameters<typeof symbolOf>[1]): CodeSymbol {
  const symbol = symbolOf(node, about);
  const last = /\s*$/.exec(source.text.slice(Math.max(node.startIndex, node.endIndex - 2000), node.endIndex))?.[0] ?? '';
  return { ...symbol, endLine: Math.max(symbol.startLine, node.endPosition.row + 1 - last.split('\n').length + 1) };
}

const plain = (name: string): string => name.replace(/^`(.*)`$/, '$1');

function packages(node: Node, scope: Scope): CodeSymbol[] {
  const name = oneLine(scope.source, field(node, 'name') ?? node);
  const body = field(node, 'body');
  const children = symbolsIn(declarations, body, inside(scope, node, '', true));
  return [made(scope.source, node, { name, kind: 'package', signature: `package ${name}`, exported: true, children })];
}

function type(kind: SymbolKind): Reader {
  return (node, scope) => {
    const name = plain(textOf(scope.source, field(node, 'name')));
    if (name === '') return [];
    const body = field(node, 'body');
    const { text, from } = head(scope.source, node, body);
    const within = inside(scope, node, name, exported(node, scope));
    const children = [...headerValues(node, within), ...symbolsIn(declarations, body, within)];
    return [made(scope.source, node, { name, kind, signature: text, exported: within.open, from, children })];
  };
}

/** Parameters of a class that are members: `val` and `var`, and all of the first list of a case class. */
function headerValues(node: Node, scope: Scope): CodeSymbol[] {
  const caseClass =
    childOf(node, 'case') !== undefined ||
    /^(?:\w+\s+)*case\s/.test(scope.source.text.slice(node.startIndex, node.startIndex + 80));
  return node.childrenForFieldName('class_parameters').flatMap((list, index) =>
    list.namedChildren.flatMap((one) => {
      if (one.type !== 'class_parameter' || !(childOf(one, 'val', 'var') || (caseClass && index === 0))) return [];
      const name = plain(textOf(scope.source, field(one, 'name')));
      const { text, from } = head(scope.source, one, childOf(one, '='));
      return name === ''
        ? []
        : [made(scope.source, one, { name, kind: 'property', signature: text, exported: exported(one, scope), from })];
    }),
  );
}

function enumCase(node: Node, scope: Scope): CodeSymbol[] {
  const name = plain(textOf(scope.source, field(node, 'name')));
  const signature = `case ${oneLine(scope.source, node)}`;
  return name === '' ? [] : [made(scope.source, node, { name, kind: 'enum-member', signature, exported: scope.open })];
}

function callable(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const name = plain(textOf(source, field(node, 'name')));
  if (name === '') return [];
  const { text, from } = head(source, node, childOf(node, '=') ?? field(node, 'body'));
  const extended = scope.within === 'extension_definition';
  const kind = name === 'this' ? 'constructor' : scope.owner === '' && !extended ? 'function' : 'method';
  const about = { name: name === 'this' ? scope.owner : name, kind, signature: text, from } as const;
  return [made(scope.source, node, { ...about, exported: exported(node, scope) })];
}

/** One symbol for each name of `val a, b = 1` and `val (p, q) = pair`. */
function values(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const pattern = field(node, 'pattern') ?? field(node, 'name');
  if (!pattern) return [];
  const { text, from } = head(source, node, childOf(node, '='));
  const kind = scope.owner === '' ? (node.type.startsWith('val') ? 'const' : 'var') : 'property';
  const names =
    pattern.type === 'identifier' || pattern.type === 'operator_identifier'
      ? [pattern]
      : flatten(pattern, new Set(['tuple_pattern', 'identifiers']));
  return names.flatMap((one) => {
    const name = one.type === 'identifier' || one.type === 'operator_identifier' ? plain(textOf(source, one)) : '';
    return name === '' ? [] : [made(scope.source, node, { name, kind, signature: text, exported: exported(node, scope), from })];
  });
}

function alias(node: Node, scope: Scope): CodeSymbol[] {
  const name = plain(textOf(scope.source, field(node, 'name')));
  const { text, from } = head(scope.source, node, undefined);
  return name === ''
    ? []
    : [made(scope.source, node, { name, kind: 'type', signature: text, exported: exported(node, scope), from })];
}

/** `given intOrd: Ord[Int] with`; one without a name is called by its type. */
function given(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const result = node.childrenForFieldName('return_type').find((one) => one.isNamed);
  const name = plain(textOf(source, field(node, 'name'))) || (result ? oneLine(source, result) : '');
  if (name === '') return [];
  const body = field(node, 'body');
  const { text, from } = head(source, node, childOf(node, '=') ?? body);
  const children = childOf(node, '=') ? [] : symbolsIn(declarations, body, inside(scope, node, name, true));
  return [
    made(scope.source, node, {
      name,
      kind: 'const',
      signature: text.replace(/ with$/, ''),
      exported: exported(node, scope),
      from,
      children,
    }),
  ];
}

/** `extension (s: String)` with its methods. */
function extension(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const parameters = node
    .childrenForFieldName('parameters')
    .find((one) => one.namedChildren.some((child) => child.type === 'parameter'));
  const type = field(childOf(parameters ?? node, 'parameter') ?? node, 'type');
  const name = type ? oneLine(source, type).replace(/\[.*$/s, '') : '';
  if (name === '') return [];
  const first = field(node, 'body');
  const { text, from } = head(source, node, first);
  const children = symbolsIn(declarations, node, inside(scope, node, '', true));
  return [made(scope.source, node, { name, kind: 'extension', signature: text, exported: true, from, children })];
}

/** `import a.b.{C => D, _}` takes `C` and all of `a.b`; those inside of types too. */
function imports(source: Source): CodeImport[] {
  const found: CodeImport[] = [];
  const looked = new Set(['package_clause', 'template_body', 'object_definition', 'class_definition', 'trait_definition']);
  for (const node of flatten(source.root, looked)) {
    if (node.type !== 'import_declaration' && node.type !== 'export_declaration') continue;
    const text = oneLine(source, node).replace(/^(?:import|export)\s+/, '');
    const reexport = node.type === 'export_declaration' ? { reexport: true } : {};
    for (const one of splitTop(text)) found.push({ ...clause(one), line: lineOf(node), ...reexport });
  }
  return found;
}

/** At commas outside of braces. */
function splitTop(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '{') depth++;
    else if (letter === '}') depth--;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function clause(text: string): Pick<CodeImport, 'source' | 'names'> {
  const brace = text.indexOf('{');
  const dot = (brace < 0 ? text.replace(/\s+as\s.*$/s, '') : text.slice(0, brace).replace(/\.\s*$/, '.')).lastIndexOf('.');
  const path = dot < 0 ? text : text.slice(0, dot);
  const last = dot < 0 ? '*' : text.slice(dot + 1);
  const names = last
    .replace(/^\s*\{|\}\s*$/g, '')
    .split(',')
    .map((one) => one.trim().split(/\s*=>\s*|\s+as\s+/))
    .map(([name = '', alias]) => ({
      name: name === '_' || name === '*' || name.startsWith('given') ? '*' : plain(name),
      ...(alias ? { alias } : {}),
    }));
  return { source: path.replace(/\s+/g, ''), names: names.filter((one) => one.name !== '' && one.alias !== '_') };
}
