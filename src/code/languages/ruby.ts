/** Ruby: modules, classes (also `Struct.new` and reopened ones), methods with their visibility, attributes, constants, aliases. */
import type { CodeImport, CodeSymbol, SymbolKind } from '../../types/code.js';
import type { Language, Node, Source } from '../parse/language.js';
import { childOf, DEEPEST, field, lineOf, oneLine, pushAll, symbolOf, textOf } from '../parse/nodes.js';
import { flatten, splitName } from './shared/declarations.js';

export const ruby: Language = {
  id: 'ruby',
  name: 'Ruby',
  grammar: 'ruby',
  extensions: ['.rb', '.rake', '.gemspec', '.ru', '.rbi'],
  filenames: ['Rakefile', 'Gemfile', 'Guardfile', 'Vagrantfile', 'Podfile', 'Fastfile', 'Capfile', 'Brewfile'],
  shebangs: ['ruby', 'jruby'],
  restart: /^(?:class|module|def)\b/,
  closing: 'end',
  symbols: (source) => read(source.root, { source, depth: 0, owner: '', singleton: false }),
  references: '[(identifier) (constant)] @name',
  imports,
};

interface Place {
  readonly source: Source;
  readonly depth: number;
  /** Name of the class or module around it. */
  readonly owner: string;
  /** Inside `class << self`. */
  readonly singleton: boolean;
}

/** What is true of the statements after a bare `private`. */
interface Body {
  readonly place: Place;
  readonly found: CodeSymbol[];
  hidden: boolean;
}

const TRANSPARENT = new Set([
  'body_statement',
  'block_body',
  'begin',
  'begin_block',
  'if',
  'unless',
  'then',
  'else',
  'elsif',
  'ensure',
  'rescue',
  'case',
  'when',
  'if_modifier',
  'unless_modifier',
  'rescue_modifier',
  'parenthesized_statements',
]);
const ATTRIBUTES = new Set([
  'attr_reader',
  'attr_writer',
  'attr_accessor',
  'attr',
  'cattr_accessor',
  'cattr_reader',
  'cattr_writer',
  'mattr_accessor',
  'mattr_reader',
  'mattr_writer',
  'class_attribute',
  'thread_mattr_accessor',
]);
const VISIBILITIES = new Set([
  'private',
  'protected',
  'public',
  'module_function',
  'private_class_method',
  'public_class_method',
  'private_constant',
]);

function read(node: Node | undefined, place: Place): CodeSymbol[] {
  const body: Body = { place, found: [], hidden: false };
  if (node && place.depth <= DEEPEST) statements(node, body);
  return body.found;
}

/** Statements of a body in order; blocks of calls that define nothing themselves (`included do`, `describe`) are looked through. */
function statements(node: Node, body: Body): void {
  const stack = flatten(node, TRANSPARENT).reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const block = statement(next, body);
    if (block) pushAll(stack, flatten(block, TRANSPARENT));
  }
}

/** Reads one statement; returns the block that still has to be looked through. */
function statement(node: Node, body: Body): Node | undefined {
  const { found, place } = body;
  switch (node.type) {
    case 'identifier':
      visibility(textOf(place.source, node), body);
      return undefined;
    case 'call':
      return call(node, body, body.hidden);
    case 'method':
    case 'singleton_method':
      found.push(...method(node, place, body.hidden));
      return undefined;
    case 'module':
    case 'class':
    case 'singleton_class':
      found.push(...type(node, place));
      return undefined;
    case 'assignment':
    case 'operator_assignment':
      found.push(...constants(node, place));
      return undefined;
    case 'alias':
      found.push(...alias(node, body));
      return undefined;
    default:
      return undefined;
  }
}

function visibility(word: string, body: Body): void {
  if (word === 'private') body.hidden = true;
  else if (word === 'public' || word === 'protected' || word === 'module_function') body.hidden = false;
}

function type(node: Node, place: Place): CodeSymbol[] {
  const { source } = place;
  const singleton = node.type === 'singleton_class';
  const path = oneLine(source, field(node, singleton ? 'value' : 'name') ?? node);
  const { name, before } = splitName(path, '::');
  const superclass = field(node, 'superclass');
  const children = read(field(node, 'body'), { source, depth: place.depth + 1, owner: name, singleton });
  const word = node.type === 'module' ? 'module' : 'class';
  const signature = singleton ? `class << ${path}` : `${word} ${path}${superclass ? ` ${oneLine(source, superclass)}` : ''}`;
  return [symbolOf(node, { name, kind: word, signature, exported: true, children, ...(before ? { container: before } : {}) })];
}

function method(node: Node, place: Place, hidden: boolean): CodeSymbol[] {
  const { source } = place;
  const name = textOf(source, field(node, 'name'));
  if (name === '') return [];
  const parameters = field(node, 'parameters');
  const object = node.type === 'singleton_method' ? oneLine(source, field(node, 'object') ?? node) : '';
  const listed = parameters ? oneLine(source, parameters) : '';
  const bare = listed !== '' && !listed.startsWith('(') ? ' ' : '';
  const signature = `def ${object === '' ? '' : `${object}.`}${name}${bare}${listed}`;
  const kind: SymbolKind =
    object === '' && place.owner === '' ? 'function' : name === 'initialize' && object === '' ? 'constructor' : 'method';
  const container = object === '' || object === 'self' ? undefined : object;
  const exported = !hidden || object !== '';
  return [symbolOf(node, { name, kind, signature, exported, ...(container ? { container } : {}) })];
}

/** `X = 1`, `A, B = 1, 2`, `P = Struct.new(:a) do … end`, `M::X ||= 1`. */
function constants(node: Node, place: Place): CodeSymbol[] {
  const { source } = place;
  const left = field(node, 'left');
  const targets = left?.type === 'left_assignment_list' ? left.namedChildren : left ? [left] : [];
  const right = field(node, 'right');
  return targets.flatMap((target) => {
    if (target.type !== 'constant' && target.type !== 'scope_resolution') return [];
    const { name, before } = splitName(oneLine(source, target), '::');
    if (!/^\p{Lu}/u.test(name)) return [];
    const container = before ? { container: before } : {};
    const made = targets.length === 1 ? madeType(source, right) : undefined;
    if (made) {
      const children = read(blockBody(made), { source, depth: place.depth + 1, owner: name, singleton: false });
      const block = field(made, 'block');
      const signature = `${oneLine(source, target)} = ${oneLine(source, made, made.startIndex, block?.startIndex ?? made.endIndex)}`;
      const kind: SymbolKind = textOf(source, field(made, 'receiver')) === 'Module' ? 'module' : 'class';
      return [symbolOf(node, { name, kind, signature, exported: true, children, ...container })];
    }
    const value = targets.length === 1 && right && right.endIndex - right.startIndex <= 40 ? ` = ${oneLine(source, right)}` : '';
    return [symbolOf(node, { name, kind: 'const', signature: oneLine(source, target) + value, exported: true, ...container })];
  });
}

/** The call that makes a class: `Struct.new(:a)`, `Class.new(Base) { … }`, `Data.define`. */
function madeType(source: Source, right: Node | undefined): Node | undefined {
  if (right?.type !== 'call') return undefined;
  const made = `${textOf(source, field(right, 'receiver'))}.${textOf(source, field(right, 'method'))}`.replace(/^::/, '');
  return ['Struct.new', 'Class.new', 'Module.new', 'Data.define'].includes(made) ? right : undefined;
}

const blockBody = (call: Node): Node | undefined => field(call, 'block') ?? undefined;

/** A call at the level of declarations. Returns its block when that may hold declarations of this place. */
function call(node: Node, body: Body, hidden: boolean): Node | undefined {
  const { source } = body.place;
  const word = textOf(source, field(node, 'method'));
  const receiver = field(node, 'receiver');
  if (receiver && textOf(source, receiver) !== 'self') return field(node, 'block');
  const given = field(node, 'arguments')?.namedChildren ?? [];
  if (VISIBILITIES.has(word)) {
    if (given.length === 0) visibility(word, body);
    else for (const one of given) visibilityOf(one, word, body);
    return undefined;
  }
  for (const one of given) {
    if (one.type === 'method' || one.type === 'singleton_method') body.found.push(...method(one, body.place, hidden));
  }
  const names = given.flatMap((one) => literalName(source, one) ?? []);
  const start = { signature: `${word} ` };
  if (ATTRIBUTES.has(word)) {
    for (const name of names) push(node, body, name, 'property', `${start.signature}:${name}`, hidden);
    return undefined;
  }
  const first = names[0];
  if (word === 'define_method' || word === 'define_singleton_method' || word === 'alias_method') {
    const rest = word === 'alias_method' && names[1] ? `, :${names[1]}` : '';
    if (first !== undefined) push(node, body, first, 'method', `${start.signature}:${first}${rest}`, hidden);
    return undefined;
  }
  return field(node, 'block');
}

function push(node: Node, body: Body, name: string, kind: SymbolKind, signature: string, hidden: boolean): void {
  body.found.push(symbolOf(node, { name, kind, signature, exported: !hidden }));
}

/** `private def a`, `private :a, :b`, `private attr_reader :a`, `private_constant :X`. */
function visibilityOf(argument: Node, word: string, body: Body): void {
  const hidden = word.startsWith('private');
  if (argument.type === 'method' || argument.type === 'singleton_method') {
    const [symbol] = method(argument, body.place, hidden);
    if (symbol) body.found.push(word === 'private_class_method' ? { ...symbol, exported: false } : symbol);
  } else if (argument.type === 'call') call(argument, body, hidden);
  else if (argument.type === 'array') for (const one of argument.namedChildren) visibilityOf(one, word, body);
  else mark(literalName(body.place.source, argument), word, body);
}

function mark(name: string | undefined, word: string, body: Body): void {
  const onType = word.endsWith('_class_method');
  for (const [index, symbol] of body.found.entries()) {
    if (symbol.name !== name) continue;
    if (word === 'private_constant' ? !['const', 'class', 'module'].includes(symbol.kind) : symbol.kind === 'const') continue;
    if (word !== 'private_constant' && onType !== symbol.signature.startsWith('def self.')) continue;
    body.found[index] = { ...symbol, exported: !word.startsWith('private') };
  }
}

function alias(node: Node, body: Body): CodeSymbol[] {
  const { source, owner } = body.place;
  const name = textOf(source, field(node, 'name')).replace(/^:/, '');
  if (name === '' || name.startsWith('$')) return [];
  const kind: SymbolKind = owner === '' ? 'function' : 'method';
  return [symbolOf(node, { name, kind, signature: oneLine(source, node), exported: !body.hidden })];
}

/** The name in `:a`, `"a"`, `:"a b"`. */
function literalName(source: Source, node: Node): string | undefined {
  if (node.type === 'simple_symbol') return textOf(source, node).slice(1);
  const only = node.namedChildren.length === 1 ? node.namedChildren[0] : undefined;
  if ((node.type === 'string' || node.type === 'delimited_symbol') && only?.type === 'string_content')
    return textOf(source, only);
  return undefined;
}

/** `require`, `require_relative`, `load` and `autoload` with a literal, at the level of statements. */
function imports(source: Source): CodeImport[] {
  const found: CodeImport[] = [];
  const stack = flatten(source.root, TRANSPARENT).reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'module' || node.type === 'class') pushAll(stack, flatten(field(node, 'body') ?? node, TRANSPARENT));
    if (node.type !== 'call' || field(node, 'receiver')) continue;
    const word = textOf(source, field(node, 'method'));
    const given = field(node, 'arguments')?.namedChildren ?? [];
    const path = given.at(-1) && stringOf(source, given.at(-1));
    if (!path) continue;
    if (word === 'require' || word === 'load') found.push({ source: path, line: lineOf(node), names: [] });
    if (word === 'require_relative')
      found.push({ source: path.startsWith('.') ? path : `./${path}`, line: lineOf(node), names: [] });
    const name = word === 'autoload' && given[0] ? literalName(source, given[0]) : undefined;
    if (name) found.push({ source: path, line: lineOf(node), names: [{ name }] });
  }
  return found;
}

function stringOf(source: Source, node: Node | undefined): string | undefined {
  if (node?.type !== 'string') return undefined;
  return textOf(source, childOf(node, 'string_content'));
}
