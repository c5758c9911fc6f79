/** What TypeScript, TSX, JavaScript and JSX share: declarations of a file, of its namespaces and of the functions that only wrap it. */
import type { CodeSymbol } from '../../../types/code.js';
import type { Node, Source } from '../../parse/language.js';
import { afterDecorators, childOf, DEEPEST, field, headOf, oneLine, statementsOf, symbolOf, textOf } from '../../parse/nodes.js';
import { assignedSymbols } from './ecma-assigned.js';
import { exportStatement, markExported } from './ecma-exports.js';
import { classMembers, enumMembers, nameOf, typeMembers } from './ecma-members.js';
import { isMade } from './ecma-mend.js';
import type { Declared, Place } from './ecma-types.js';
import { isFunction, valueText } from './ecma-value-text.js';
import { variableSymbols } from './ecma-values.js';

export function ecmaSymbols(source: Source): CodeSymbol[] {
  const statements = statementsOf(source.root);
  const symbols = statements.flatMap((node) => statementSymbols(source, node, { open: false, depth: 0 }));
  return markExported(source, statements, symbols);
}

function statementSymbols(source: Source, node: Node, place: Place): CodeSymbol[] {
  if (place.depth > DEEPEST) return [];
  if (node.type === 'export_statement') {
    const declaration = field(node, 'declaration');
    if (declaration) return declaredSymbols(source, { node: inner(declaration), outer: node, exported: true, place });
    return exportStatement(source, node);
  }
  if (node.type === 'expression_statement') {
    const module = childOf(node, 'internal_module');
    if (module) return declaredSymbols(source, { node: module, outer: node, exported: place.open, place });
    const wrapped = wrappedStatements(node);
    if (wrapped.length > 0) {
      const symbols = wrapped.flatMap((one) => statementSymbols(source, one, { open: false, depth: place.depth + 1 }));
      return markExported(source, wrapped, symbols);
    }
    const opened = usingSymbol(source, node);
    return opened ? [opened] : assignedSymbols(source, node);
  }
  if (BLOCKS.has(node.type)) return blockSymbols(source, node, place);
  return declaredSymbols(source, { node: inner(node), outer: node, exported: place.open, place });
}

/** `using file = open()`, which one of the grammars takes for an assignment. */
function usingSymbol(source: Source, statement: Node): CodeSymbol | undefined {
  let node = statement.namedChildren.find((child) => !child.isExtra);
  if (node?.type === 'await_expression') node = node.namedChildren.find((child) => !child.isExtra);
  const name = node?.type === 'assignment_expression' ? field(node, 'left') : undefined;
  if (!node || name?.type !== 'identifier' || !childOf(node, 'using')) return undefined;
  const right = field(node, 'right');
  const signature = `${oneLine(source, statement, statement.startIndex, name.endIndex)}${right ? valueText(source, right) : ''}`;
  return symbolOf(statement, { name: textOf(source, name), kind: 'const', signature, exported: false });
}

/** Statements that hold others, and the parts they hold them in. */
const BLOCKS: ReadonlySet<string> = new Set([
  ...['statement_block', 'if_statement', 'else_clause', 'try_statement', 'catch_clause', 'finally_clause', 'labeled_statement'],
  ...['switch_statement', 'switch_body', 'switch_case', 'switch_default', 'with_statement'],
  ...['for_statement', 'for_in_statement', 'while_statement', 'do_statement'],
]);
const LOOPS = /^(?:for|while|do)_/;
/** Of what a block declares for itself alone only these are worth a line; `var` and functions can be used from elsewhere. */
const LOCAL: ReadonlySet<string> = new Set(['lexical_declaration', 'using_declaration']);

/** What is declared inside of blocks: seldom at home there, but often all a file has (`if (!window.x) { function … }`). */
function blockSymbols(source: Source, node: Node, place: Place): CodeSymbol[] {
  const within = { open: false, depth: place.depth + 1 };
  const body = LOOPS.test(node.type) ? field(node, 'body') : undefined;
  const statements = LOOPS.test(node.type) ? (body ? [body] : []) : statementsOf(node);
  return statements.flatMap((child) => {
    const found = statementSymbols(source, child, within);
    return LOCAL.has(child.type) ? found.filter(({ kind }) => kind === 'function' || kind === 'class') : found;
  });
}

/** The declaration behind `declare`. */
function inner(node: Node): Node {
  if (node.type !== 'ambient_declaration') return node;
  return node.namedChildren.find((child) => !child.isExtra) ?? node;
}

function declaredSymbols(source: Source, declared: Declared): CodeSymbol[] {
  const { node, outer, exported, place } = declared;
  switch (node.type) {
    case 'function_declaration':
    case 'generator_function_declaration':
    case 'function_signature':
      return one(source, declared, 'function', []);
    case 'class_declaration':
    case 'abstract_class_declaration':
      return one(source, declared, 'class', classMembers(source, field(node, 'body'), { exported, depth: place.depth + 1 }));
    case 'interface_declaration':
      return one(
        source,
        declared,
        'interface',
        typeMembers(source, field(node, 'body') ?? childOf(node, 'object_type'), exported),
      );
    case 'enum_declaration':
      return one(source, declared, 'enum', enumMembers(source, field(node, 'body'), exported));
    case 'type_alias_declaration':
      return [typeAlias(source, declared)];
    case 'internal_module':
    case 'module':
      return one(source, declared, node.type === 'module' ? 'module' : 'namespace', namespaceSymbols(source, declared));
    case 'statement_block':
      return outer.type === 'ambient_declaration' ? [globalBlock(source, declared, statementsOf(node))] : [];
    case 'import_alias':
      return one(source, declared, 'namespace', []);
    case 'lexical_declaration':
    case 'variable_declaration':
    case 'using_declaration':
      return variableSymbols(source, declared);
    case 'method_definition':
    case 'public_field_definition':
    case 'field_definition':
      // What is left of a class whose syntax is broken.
      return classMembers(source, undefined, { exported, depth: place.depth, nodes: [node] });
    default:
      return [];
  }
}

function one(source: Source, declared: Declared, kind: CodeSymbol['kind'], children: readonly CodeSymbol[]): CodeSymbol[] {
  const { node, outer, exported } = declared;
  const from = afterDecorators(outer);
  const nameNode = field(node, 'name') ?? childOf(node, 'identifier');
  const made = nameNode !== undefined && isMade(source.text, nameNode.startIndex);
  if (made && node.type === 'module') return [globalBlock(source, declared, statementsOf(field(node, 'body')))];
  const named = made ? '' : nameOf(source, nameNode);
  const isDefault = made || outer.children.some((child) => child.type === 'default');
  const name = named || (isDefault ? 'default' : '');
  if (name === '') return [];
  const signature = headOf(source, outer, field(node, 'body') ?? childOf(node, 'object_type'), start(outer, node, from));
  return [symbolOf(outer, { name, kind, signature, exported, from: lineFrom(outer, node, from), children })];
}

/** The head begins after decorators, also those between `export` and `class`. */
const start = (outer: Node, node: Node, from: Node): Node => (from === outer || outer !== node ? from : afterDecorators(node));

/** Decorators of a declaration may stand before `export` or after it; the line is that of the first other word. */
function lineFrom(outer: Node, node: Node, from: Node): Node {
  return outer === node ? afterDecorators(node) : from;
}

function typeAlias(source: Source, { node, outer, exported }: Declared): CodeSymbol {
  const value = field(node, 'value');
  const object = value?.type === 'object_type' && !isMapped(value) ? value : undefined;
  const signature = object ? `${headOf(source, outer, object)} = {…}` : oneLine(source, outer).replace(/;$/, '');
  const children = object ? typeMembers(source, object, exported) : [];
  return symbolOf(outer, { name: textOf(source, field(node, 'name')), kind: 'type', signature, exported, children });
}

/** `{ [K in keyof T]: … }` has no members of its own. */
function isMapped(object: Node): boolean {
  const [first] = object.namedChildren.filter((child) => !child.isExtra);
  return first?.type === 'index_signature' && childOf(first, 'mapped_type_clause') !== undefined;
}

/** Inside `declare namespace`, and inside a module of that kind, everything is visible unless it has an export list of its own. */
function namespaceSymbols(source: Source, { node, outer, place }: Declared): CodeSymbol[] {
  const statements = statementsOf(field(node, 'body'));
  const ambient =
    place.open || node.type === 'module' || outer.children.some((child) => child.type === 'declare') || isAmbient(outer);
  const lists = statements.some((child) => child.type === 'export_statement' && childOf(child, 'export_clause') !== undefined);
  const within = { open: ambient && !lists, depth: place.depth + 1 };
  const symbols = statements.flatMap((child) => statementSymbols(source, child, within));
  return markExported(source, statements, symbols);
}

const isAmbient = (outer: Node): boolean => childOf(outer, 'ambient_declaration') !== undefined;

function globalBlock(source: Source, { outer, place }: Declared, statements: readonly Node[]): CodeSymbol {
  const within = { open: true, depth: place.depth + 1 };
  const children = statements.flatMap((child) => statementSymbols(source, child, within));
  const signature = outer.type === 'ambient_declaration' ? 'declare global' : 'global';
  return symbolOf(outer, { name: 'global', kind: 'namespace', signature, exported: true, children });
}

/** Statements of `(function () { … })()`, `!function () { … }()`, `define(function () { … })` and the like: the whole file in a function. */
function wrappedStatements(statement: Node): Node[] {
  let node = statement.namedChildren.find((child) => !child.isExtra);
  while (
    node &&
    (node.type === 'unary_expression' || node.type === 'parenthesized_expression' || node.type === 'await_expression')
  )
    node = field(node, 'argument') ?? node.namedChildren.find((child) => !child.isExtra);
  if (node?.type !== 'call_expression') return [];
  let callee = field(node, 'function');
  // `(function () { … }).call(this)`
  if (callee?.type === 'member_expression') callee = field(callee, 'object');
  while (callee?.type === 'parenthesized_expression') callee = callee.namedChildren.find((child) => !child.isExtra);
  const isDefine = callee?.type === 'identifier' && callee.text === 'define';
  if (!isDefine && !isFunction(callee)) return [];
  const given = (field(node, 'arguments')?.namedChildren ?? []).filter(isFunction);
  return [...(isFunction(callee) ? [callee] : []), ...given].flatMap((one) => {
    const body = one && field(one, 'body');
    return body?.type === 'statement_block' ? statementsOf(body) : [];
  });
}

/** Lines that begin a declaration or an import. */
export const ECMA_RESTART =
  /^(?:(?:export|default|declare|abstract|async)\s+)*(?:function|class|interface|enum|namespace|module|type|const|let|var|import|export)\b/;
