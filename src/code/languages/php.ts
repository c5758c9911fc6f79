/** PHP: namespaces, types of all forms, members with promoted properties, functions, constants; text outside of the tags is passed over. */
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
  shortValue,
  splitName,
  symbolsIn,
} from './shared/declarations.js';

import { preparePhp } from './shared/php-prepare.js';

export const php: Language = {
  id: 'php',
  name: 'PHP',
  grammar: 'php',
  extensions: ['.php', '.phtml', '.php5', '.php7'],
  shebangs: ['php'],
  prepare: preparePhp,
  symbols: (source) => symbolsIn(declarations, source.root, fileScope(source, true)),
  references: '(name) @name',
  imports,
};

const ATTRIBUTES = new Set(['attribute_list']);
const BRANCHES = [
  'if_statement',
  'else_clause',
  'else_if_clause',
  'compound_statement',
  'colon_block',
  'try_statement',
  'catch_clause',
];

const declarations: Declarations = {
  readers: {
    namespace_definition: namespace,
    class_declaration: type('class'),
    interface_declaration: type('interface'),
    trait_declaration: type('trait'),
    enum_declaration: type('enum'),
    enum_case: enumCase,
    function_definition: callable('function'),
    method_declaration: callable('method'),
    property_declaration: properties,
    const_declaration: constants,
    expression_statement: defined,
  },
  transparent: new Set(BRANCHES),
};

const head = (source: Source, node: Node, until: Node | number | undefined) => headOf(source, node, until, ATTRIBUTES);

/** Only `private` keeps a member from other files. */
const exported = (source: Source, node: Node, scope: Scope): boolean =>
  scope.open &&
  !node.namedChildren.some(
    (one) => one.type === 'visibility_modifier' && textOf(source, one).toLowerCase().startsWith('private'),
  );

function namespace(node: Node, scope: Scope): CodeSymbol[] {
  const body = field(node, 'body');
  const name = textOf(scope.source, field(node, 'name'));
  const children = symbolsIn(declarations, body, inside(scope, node, '', true));
  if (name === '') return children;
  return [symbolOf(node, { name, kind: 'namespace', signature: `namespace ${name}`, exported: true, children })];
}

function type(kind: SymbolKind): Reader {
  return (node, scope) => {
    const name = textOf(scope.source, field(node, 'name'));
    if (name === '') return [];
    const body = field(node, 'body');
    const { text, from } = head(scope.source, node, body);
    const children = symbolsIn(declarations, body, inside(scope, node, name, true));
    return [symbolOf(node, { name, kind, signature: text, exported: true, from, children })];
  };
}

function enumCase(node: Node, scope: Scope): CodeSymbol[] {
  const name = textOf(scope.source, field(node, 'name'));
  if (name === '') return [];
  const { text, from } = head(scope.source, node, undefined);
  return [symbolOf(node, { name, kind: 'enum-member', signature: text, exported: true, from })];
}

function callable(kind: 'function' | 'method'): Reader {
  return (node, scope) => {
    const { source } = scope;
    const name = textOf(source, field(node, 'name'));
    if (name === '') return [];
    const { text, from } = head(source, node, field(node, 'body'));
    const constructs = name.toLowerCase() === '__construct' && kind === 'method';
    const about = { name, kind: constructs ? 'constructor' : kind, signature: text, from } as const;
    return [symbolOf(node, { ...about, exported: exported(source, node, scope) }), ...(constructs ? promoted(node, scope) : [])];
  };
}

/** Properties that the parameters of a constructor declare. */
function promoted(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  return (field(node, 'parameters')?.namedChildren ?? []).flatMap((one) => {
    if (one.type !== 'property_promotion_parameter') return [];
    const { text, from } = head(source, one, childOf(one, '=', 'property_hook_list'));
    const name = variable(source, field(one, 'name'));
    return name === ''
      ? []
      : [symbolOf(one, { name, kind: 'property', signature: text, exported: exported(source, one, scope), from })];
  });
}

/** `count` of `$count`. */
const variable = (source: Source, node: Node | undefined): string => textOf(source, node).replace(/^&?\$/, '');

function properties(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const elements = node.namedChildren.filter((one) => one.type === 'property_element');
  const start = head(source, node, elements[0]);
  return elements.flatMap((one, index) => {
    const name = variable(source, field(one, 'name'));
    if (name === '') return [];
    const about = { name, kind: 'property', signature: `${start.text} $${name}`, from: index === 0 ? start.from : one } as const;
    return [symbolOf(elements.length === 1 ? node : one, { ...about, exported: exported(source, node, scope) })];
  });
}

function constants(node: Node, scope: Scope): CodeSymbol[] {
  const { source } = scope;
  const elements = node.namedChildren.filter((one) => one.type === 'const_element');
  const start = head(source, node, elements[0]);
  return elements.flatMap((one, index) => {
    const name = textOf(source, childOf(one, 'name'));
    if (name === '') return [];
    const value = shortValue(source, one.namedChildren.at(-1));
    const about = {
      name,
      kind: 'const',
      signature: `${start.text} ${name}${value}`,
      from: index === 0 ? start.from : one,
    } as const;
    return [symbolOf(one, { ...about, exported: exported(source, node, scope) })];
  });
}

/** `define('NAME', …)` as a statement. */
function defined(node: Node, { source }: Scope): CodeSymbol[] {
  const call = node.namedChildren[0];
  if (call?.type !== 'function_call_expression') return [];
  const word = textOf(source, field(call, 'function')).toLowerCase();
  if (word !== 'define' && word !== '\\define') return [];
  const first = field(call, 'arguments')?.namedChildren[0]?.namedChildren[0];
  const name = first && (first.type === 'string' || first.type === 'encapsed_string') ? textOf(source, first).slice(1, -1) : '';
  if (name === '') return [];
  const { text } = headOf(source, node, undefined);
  return [symbolOf(node, { name: splitName(name, '\\').name, kind: 'const', signature: text, exported: true })];
}

const INCLUDES = new Set(['require_expression', 'require_once_expression', 'include_expression', 'include_once_expression']);

/** `use` in all its forms, and literal paths of `require` and `include` (those after `__DIR__` as `./…`) outside of functions. */
function imports(source: Source): CodeImport[] {
  const found: CodeImport[] = [];
  for (const node of flatten(source.root, new Set([...BRANCHES, 'namespace_definition']))) {
    if (node.type === 'namespace_use_declaration') for (const use of uses(source, node)) found.push(use);
    const inner = node.type === 'expression_statement' ? node.namedChildren[0] : undefined;
    if (!inner || !INCLUDES.has(inner.type)) continue;
    const path = includedPath(source, inner.namedChildren[0]);
    if (path !== undefined) found.push({ source: path, line: lineOf(node), names: [] });
  }
  return found;
}

function uses(source: Source, node: Node): CodeImport[] {
  const group = field(node, 'body');
  const prefix = group ? `${textOf(source, childOf(node, 'namespace_name')).replace(/^\\/, '')}\\` : '';
  return (group ?? node).namedChildren.flatMap((clause) => {
    if (clause.type !== 'namespace_use_clause') return [];
    const alias = textOf(source, field(clause, 'alias'));
    const target = childOf(clause, 'qualified_name', 'name');
    const { name, before } = splitName(`${prefix}${textOf(source, target).replace(/^\\/, '')}`, '\\');
    return [{ source: before ?? name, line: lineOf(clause), names: [alias === '' ? { name } : { name, alias }] }];
  });
}

function includedPath(source: Source, given: Node | undefined): string | undefined {
  let node = given;
  while (node?.type === 'parenthesized_expression') node = node.namedChildren[0];
  if (node?.type === 'string' || node?.type === 'encapsed_string') return textOf(source, node).slice(1, -1);
  const right = node?.type === 'binary_expression' ? field(node, 'right') : undefined;
  if (
    !node ||
    right?.type !== 'string' ||
    !/^(?:__DIR__|dirname\s*\(\s*__FILE__\s*\))$/i.test(oneLine(source, field(node, 'left') ?? node))
  )
    return undefined;
  return `.${textOf(source, right).slice(1, -1)}`;
}
