/** Shell: functions of both forms, aliases, and variables that are exported, read-only or declared; heredocs are passed over. */
import type { CodeImport, CodeSymbol, SymbolKind } from '../../types/code.js';
import type { Language, Node, Source } from '../parse/language.js';
import { childOf, DEEPEST, field, lineOf, oneLine, symbolOf, textOf } from '../parse/nodes.js';
import { flatten } from './shared/declarations.js';

export const shell: Language = {
  id: 'shell',
  name: 'Shell',
  grammar: 'bash',
  extensions: ['.sh', '.bash', '.zsh', '.ksh', '.bats'],
  filenames: ['.bashrc', '.bash_profile', '.bash_aliases', '.profile', '.zshrc', '.zprofile', '.zshenv', 'PKGBUILD', 'APKBUILD'],
  shebangs: ['sh', 'bash', 'zsh', 'ksh', 'dash', 'ash'],
  restart: /^(?:function\s+[\w:.-]+|[\w:.-]+\s*\(\))/,
  symbols: (source) => read(source, source.root, 0),
  references: '[(command_name (word) @name) (function_definition (word) @name) (variable_name) @name]',
  imports,
};

/** Statements that hold statements of the same level. */
const TRANSPARENT = new Set([
  'if_statement',
  'elif_clause',
  'else_clause',
  'for_statement',
  'c_style_for_statement',
  'while_statement',
  'do_group',
  'case_statement',
  'case_item',
  'list',
  'pipeline',
  'redirected_statement',
  'negated_command',
  'compound_statement',
]);

function read(source: Source, body: Node, depth: number): CodeSymbol[] {
  if (depth > DEEPEST) return [];
  const found: CodeSymbol[] = [];
  const named = new Set<string>();
  for (const node of flatten(body, TRANSPARENT)) {
    if (node.type === 'function_definition') found.push(...functions(source, node, depth));
    else if (node.type === 'declaration_command' && depth === 0) found.push(...variables(source, node, named));
    else if (node.type === 'command') found.push(...aliases(source, node));
  }
  return found;
}

/** `f() {` and `function f {`, the functions defined in its body inside it. */
function functions(source: Source, node: Node, depth: number): CodeSymbol[] {
  const name = textOf(source, field(node, 'name'));
  const body = field(node, 'body');
  if (name === '') return [];
  const signature = oneLine(source, node, node.startIndex, body?.startIndex);
  const children = body ? read(source, body, depth + 1).filter((one) => one.kind === 'function') : [];
  return [symbolOf(node, { name, kind: 'function', signature, exported: true, children })];
}

/** Each variable once, where it is first declared. */
function variables(source: Source, node: Node, named: Set<string>): CodeSymbol[] {
  const words = node.children.filter((one) => one.type === 'word' || !one.isNamed).map((one) => textOf(source, one));
  const word = words[0] ?? '';
  const options = words
    .slice(1)
    .filter((one) => one.startsWith('-'))
    .join('');
  if (word === 'local' || options.includes('f') || options.includes('F') || options.includes('p')) return [];
  const constant = word === 'readonly' || options.includes('r');
  const kind: SymbolKind = constant ? 'const' : 'var';
  const start = oneLine(source, node, node.startIndex, targetsOf(node)[0]?.startIndex);
  return targetsOf(node).flatMap((target) => {
    const assigned = target.type === 'variable_assignment';
    const variable = assigned ? field(target, 'name') : target;
    const name = textOf(source, variable?.type === 'subscript' ? field(variable, 'name') : variable);
    if (name === '' || named.has(name)) return [];
    named.add(name);
    const exported = word === 'export' || options.includes('x');
    return [symbolOf(target, { name, kind, signature: `${start} ${name}`, exported })];
  });
}

const targetsOf = (node: Node): Node[] =>
  node.namedChildren.filter((one) => one.type === 'variable_assignment' || one.type === 'variable_name');

/** `alias ll='ls -l' gs="git status"`. */
function aliases(source: Source, node: Node): CodeSymbol[] {
  if (textOf(source, field(node, 'name')) !== 'alias') return [];
  return node.childrenForFieldName('argument').flatMap((argument) => {
    const [, name] = /^([^=\s'"$]+)=/.exec(textOf(source, argument)) ?? [];
    if (!name) return [];
    return [symbolOf(argument, { name, kind: 'function', signature: `alias ${oneLine(source, argument)}`, exported: true })];
  });
}

/** `source` and `.` with their path: quotes off, a variable at its beginning (`$DIR/`, `${BASH_SOURCE%/*}/`) as `./`. */
function imports(source: Source): CodeImport[] {
  return flatten(source.root, TRANSPARENT).flatMap((node) => {
    if (node.type !== 'command') return [];
    const name = textOf(source, childOf(node, 'command_name'));
    if (name !== 'source' && name !== '.') return [];
    const path = textOf(source, field(node, 'argument')).replace(/^(["'])(.*)\1$/s, '$2');
    const local = path
      .replace(/^(?:\$\{[^{}]*\}|\$\w+|\$\([^()]*(?:\([^()]*\)[^()]*)*\))\//, './')
      .replace(/^"\$\{?\w+\}?"\//, './');
    return local === '' || /[$`\n]/.test(local) ? [] : [{ source: local, line: lineOf(node), names: [] }];
  });
}
