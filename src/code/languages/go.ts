/** Go: functions, methods with their receiver, types with fields and methods, constants and variables. */
import type { CodeImport, CodeSymbol } from '../../types/code.js';
import type { Language, Node, Source } from '../parse/language.js';
import { childOf, DEEPEST, field, headOf, lineOf, oneLine, statementsOf, symbolOf, textOf } from '../parse/nodes.js';
import { inShortLines } from './shared/short-lines.js';

/** `const ( A = iota; B )`: the grammar wants an end behind the last one too. */
const ONE_LINE_GROUP = /^([ \t]*(?:const|var)[ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)(?<![;(\s])[ \t]\)/gm;

export const go: Language = {
  id: 'go',
  name: 'Go',
  grammar: 'go',
  extensions: ['.go'],
  restart: /^(?:func|type|var|const|import)\b/,
  closing: '}',
  mend: (text) => inShortLines(text, (short) => short.replace(ONE_LINE_GROUP, '$1;)')),
  symbols: (source) => statementsOf(source.root).flatMap((node) => declared(source, node)),
  references: '[(identifier) (type_identifier) (field_identifier)] @name',
  imports,
};

/** Exported: the first letter is upper case. */
const isExported = (name: string): boolean => /^\p{Lu}/u.test(name);

function declared(source: Source, node: Node): CodeSymbol[] {
  switch (node.type) {
    case 'function_declaration':
      return named(source, node, (name) => ({ kind: 'function', name, signature: headOf(source, node, field(node, 'body')) }));
    case 'method_declaration': {
      const container = receiverType(source, node);
      const kind = childOf(field(node, 'receiver') ?? node, 'parameter_declaration') ? 'method' : 'function';
      const signature = headOf(source, node, field(node, 'body'));
      return named(source, node, (name) => ({ kind, name, signature, ...(container ? { container } : {}) }));
    }
    case 'type_declaration':
      return specsOf(node).flatMap((spec) => typeSpec(source, node, spec));
    case 'const_declaration':
      return specsOf(node).flatMap((spec) => values(source, node, spec, 'const'));
    case 'var_declaration':
      return specsOf(node).flatMap((spec) => values(source, node, spec, 'var'));
    default:
      return [];
  }
}

function named(
  source: Source,
  node: Node,
  about: (name: string) => Omit<Parameters<typeof symbolOf>[1], 'exported'>,
): CodeSymbol[] {
  const name = textOf(source, field(node, 'name'));
  return name === '' || name === '_' ? [] : [symbolOf(node, { ...about(name), exported: isExported(name) })];
}

/** The specs of `const (…)`, `var (…)`, `type (…)`, or the only one. */
function specsOf(node: Node): Node[] {
  return statementsOf(node).flatMap((child) => (child.type === 'var_spec_list' ? statementsOf(child) : [child]));
}

/** `T` of `(r *T[K])`. */
function receiverType(source: Source, node: Node): string | undefined {
  const parameter = childOf(field(node, 'receiver') ?? node, 'parameter_declaration');
  let type = parameter && field(parameter, 'type');
  while (type && type.type !== 'type_identifier') {
    type = field(type, 'type') ?? type.namedChildren[0];
  }
  return type && textOf(source, type);
}

/** One spec of a declaration without brackets begins where its keyword does. */
const lineNode = (declaration: Node, spec: Node): Node =>
  declaration.children.some((child) => child.type === '(' || child.type === 'var_spec_list') ? spec : declaration;

function typeSpec(source: Source, declaration: Node, spec: Node): CodeSymbol[] {
  const type = field(spec, 'type');
  const at = lineNode(declaration, spec);
  return named(source, spec, (name) => {
    const head = `type ${name}${textOf(source, field(spec, 'type_parameters'))}`;
    if (type?.type === 'struct_type')
      return { kind: 'struct', name, from: at, signature: `${head} struct`, children: fieldsOf(source, type, 0) };
    if (type?.type === 'interface_type')
      return { kind: 'interface', name, from: at, signature: `${head} interface`, children: methodsOf(source, type) };
    const equals = spec.type === 'type_alias' ? ' =' : '';
    return { kind: 'type', name, from: at, signature: `${head}${equals} ${type ? oneLine(source, type) : ''}`.trim() };
  });
}

function fieldsOf(source: Source, struct: Node, depth: number): CodeSymbol[] {
  return statementsOf(childOf(struct, 'field_declaration_list')).flatMap((node) => {
    if (node.type !== 'field_declaration') return [];
    const type = field(node, 'type');
    const inner = type?.type === 'struct_type' ? type : undefined;
    const shown = inner ? 'struct' : type ? oneLine(source, type) : '';
    const names = node.childrenForFieldName('name').map((name) => textOf(source, name));
    const star = childOf(node, '*') ? '*' : '';
    const embedded = names.length === 0;
    return (embedded ? [embeddedName(shown)] : names)
      .filter((name) => name !== '_' && name !== '')
      .map((name) =>
        symbolOf(node, {
          name,
          kind: 'field',
          signature: embedded ? `${star}${shown}` : `${name} ${shown}`,
          exported: isExported(name),
          children: inner && depth < DEEPEST ? fieldsOf(source, inner, depth + 1) : [],
        }),
      );
  });
}

/** `T` of `pkg.T[K]`. */
const embeddedName = (type: string): string => type.replace(/\[.*$/s, '').replace(/^.*\./s, '').trim();
const NAMED_TYPES: ReadonlySet<string> = new Set(['type_identifier', 'qualified_type', 'generic_type']);

function methodsOf(source: Source, type: Node): CodeSymbol[] {
  return statementsOf(type).flatMap((node) => {
    if (node.type === 'type_elem') return [embeddedIn(source, node)];
    const name = textOf(source, field(node, 'name'));
    if (node.type !== 'method_elem' || name === '') return [];
    return [symbolOf(node, { name, kind: 'method', signature: oneLine(source, node), exported: isExported(name) })];
  });
}

/** `fmt.Stringer`, or what a type may be: `~int | ~string`. */
function embeddedIn(source: Source, node: Node): CodeSymbol {
  const signature = oneLine(source, node);
  const [first, ...more] = node.namedChildren.filter((child) => !child.isExtra);
  const name = more.length === 0 && NAMED_TYPES.has(first?.type ?? '') ? embeddedName(signature) : signature;
  return symbolOf(node, { name, kind: 'field', signature, exported: isExported(name) });
}

function values(source: Source, declaration: Node, spec: Node, kind: 'const' | 'var'): CodeSymbol[] {
  if (spec.type !== 'const_spec' && spec.type !== 'var_spec') return [];
  const at = lineNode(declaration, spec);
  const type = field(spec, 'type');
  const names = spec.childrenForFieldName('name').filter((node) => node.isNamed);
  const value = names.length === 1 ? shortValue(source, field(spec, 'value')) : '';
  return names.flatMap((node) => {
    const name = textOf(source, node);
    if (name === '_') return [];
    const signature = `${kind} ${name}${type ? ` ${oneLine(source, type)}` : ''}${value}`;
    return [symbolOf(spec, { name, kind, from: names.length > 1 ? node : at, signature, exported: isExported(name) })];
  });
}

/** ` = 5` when it fits on a line, otherwise nothing. */
function shortValue(source: Source, node: Node | undefined): string {
  const text = textOf(source, node);
  return text === '' || text.length > 60 || text.includes('\n') ? '' : ` = ${text}`;
}

function imports(source: Source): CodeImport[] {
  return statementsOf(source.root)
    .filter((node) => node.type === 'import_declaration')
    .flatMap((node) => statementsOf(node))
    .flatMap((node) => (node.type === 'import_spec_list' ? statementsOf(node) : [node]))
    .filter((node) => node.type === 'import_spec')
    .map((node) => {
      const alias = textOf(source, field(node, 'name'));
      const path = textOf(source, field(node, 'path')).slice(1, -1);
      const names = alias === '_' ? [] : [{ name: '*', alias: alias || (path.split('/').at(-1) ?? path) }];
      return { source: path, line: lineOf(node), names };
    });
}
