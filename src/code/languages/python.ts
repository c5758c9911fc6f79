/** Python: functions, classes with methods and attributes, variables of the module, also those behind `if` and `try`. */
import type { CodeImport, CodeSymbol } from '../../types/code.js';
import type { Language, Node, Source } from '../parse/language.js';
import { DEEPEST, endLineOf, field, folded, headOf, oneLine, pushAll, statementsOf, symbolOf, textOf } from '../parse/nodes.js';
import { pythonImports } from './shared/python-imports.js';
import { prepareComments } from './shared/python-prepare.js';

export const python: Language = {
  id: 'python',
  name: 'Python',
  grammar: 'python',
  extensions: ['.py', '.pyi', '.pyw'],
  filenames: ['SConstruct', 'SConscript', 'wscript'],
  shebangs: ['python', 'pypy', 'uv'],
  prepare: prepareComments,
  restart: /^(?:class|def|async\s+def|import|from)\b/,
  symbols: moduleSymbols,
  references: '(identifier) @name',
  imports: (source): CodeImport[] => pythonImports(source),
};

/** Decorators shown of one declaration, and characters of each. */
const MOST_DECORATORS = 4;
const LONGEST_DECORATOR = 60;

/** What a block declares into. */
interface Scope {
  readonly source: Source;
  readonly owner: 'module' | 'class' | 'enum';
  /** Names of `__all__`, when the module has one that can be read. */
  readonly all: ReadonlySet<string> | undefined;
  /** Whether what owns the scope can be used from outside. */
  readonly open: boolean;
  /** Variables already listed: the first assignment counts. */
  readonly seen: Set<string>;
  readonly depth: number;
}

function moduleSymbols(source: Source): CodeSymbol[] {
  const scope: Scope = { source, owner: 'module', all: allNames(source), open: true, seen: new Set(), depth: 0 };
  return blockSymbols(scope, statementsOf(source.root));
}

/** Declarations of a block and of the blocks of its `if`, `try`, `with`, `for`, `match`, in the order of the text. */
function blockSymbols(scope: Scope, statements: readonly Node[]): CodeSymbol[] {
  const found: CodeSymbol[] = [];
  const stack = statements.map((node) => ({ node, values: true })).reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, values } = next;
    const declared = declaredSymbols(scope, node, values);
    if (declared) found.push(...declared);
    else if (BLOCKS.has(node.type)) {
      const within = values && VALUE_BLOCKS.has(node.type) && !isMain(scope.source, node);
      stack.push(
        ...statementsOf(node)
          .map((child) => ({ node: child, values: within }))
          .reverse(),
      );
    }
  }
  return found;
}

/** Statements that hold others without being a scope. */
const VALUE_BLOCKS: ReadonlySet<string> = new Set([
  'if_statement',
  'elif_clause',
  'else_clause',
  'try_statement',
  'except_clause',
  'except_group_clause',
  'finally_clause',
  'with_statement',
  'block',
]);
/** Variables set here are counters and steps, not declarations; functions and classes are. */
const BLOCKS: ReadonlySet<string> = new Set([
  ...VALUE_BLOCKS,
  'for_statement',
  'while_statement',
  'match_statement',
  'case_clause',
]);

/** `if __name__ == '__main__'`: a program, not declarations. */
function isMain(source: Source, node: Node): boolean {
  return node.type === 'if_statement' && /^__name__\s*==/.test(textOf(source, field(node, 'condition')));
}

/** Symbols of a statement that declares; undefined for one that may hold declarations. */
function declaredSymbols(scope: Scope, node: Node, values: boolean): CodeSymbol[] | undefined {
  switch (node.type) {
    case 'function_definition':
      return [functionSymbol(scope, node, [])];
    case 'class_definition':
      return [classSymbol(scope, node, [])];
    case 'decorated_definition':
      return decorated(scope, node);
    case 'type_alias_statement':
      return typeAlias(scope, node);
    case 'expression_statement':
      return values ? node.namedChildren.flatMap((child) => assigned(scope, child)) : [];
    default:
      return undefined;
  }
}

function decorated(scope: Scope, node: Node): CodeSymbol[] {
  const definition = field(node, 'definition');
  const decorators = node.namedChildren.filter((child) => child.type === 'decorator').map((one) => textOf(scope.source, one));
  if (definition?.type === 'class_definition') return [classSymbol(scope, definition, decorators)];
  return definition?.type === 'function_definition' ? [functionSymbol(scope, definition, decorators)] : [];
}

function functionSymbol(scope: Scope, node: Node, decorators: readonly string[]): CodeSymbol {
  const { source, owner } = scope;
  const name = textOf(source, field(node, 'name'));
  const isProperty = decorators.some((text) =>
    /^@\s*(?:[\w.]*\bproperty|[\w.]*cached_property|\w+\.(?:setter|getter|deleter))\b/.test(text),
  );
  const kind = owner === 'module' ? 'function' : isProperty ? 'property' : 'method';
  const signature = decoratedHead(decorators, headOf(source, node, field(node, 'body')));
  const symbol = symbolOf(node, { name, kind, signature, exported: isExported(scope, name) });
  return { ...symbol, endLine: lastLine(node) };
}

/** `@property def p(self)`: decorators say what a function is. Long arguments and more than a few are left out. */
function decoratedHead(decorators: readonly string[], head: string): string {
  const shown = decorators.slice(0, MOST_DECORATORS).map((text) => {
    const line = folded(text.replace(/^@\s*/, '@'));
    if (line.length <= LONGEST_DECORATOR && !line.includes('#')) return line;
    const name = /^@[\w.]{1,60}/.exec(line)?.[0] ?? '@';
    return `${name}${line.charAt(name.length) === '(' ? '(…)' : '…'}`;
  });
  return [...shown, ...(decorators.length > MOST_DECORATORS ? ['@…'] : []), head].join(' ');
}

function classSymbol(scope: Scope, node: Node, decorators: readonly string[]): CodeSymbol {
  const { source, depth } = scope;
  const name = textOf(source, field(node, 'name'));
  const bases = textOf(source, field(node, 'superclasses'));
  const owner = /\b(?:Int|Str)?(?:Enum|Flag)\b/.test(bases) ? 'enum' : 'class';
  const open = isExported(scope, name);
  const inner: Scope = { source, owner, all: undefined, open, seen: new Set(), depth: depth + 1 };
  const children = depth < DEEPEST ? blockSymbols(inner, statementsOf(field(node, 'body'))) : [];
  const signature = decoratedHead(decorators, headOf(source, node, field(node, 'body')));
  return { ...symbolOf(node, { name, kind: 'class', signature, exported: open, children }), endLine: lastLine(node) };
}

/** Line of the last statement: comments behind it are not part of the declaration. */
function lastLine(node: Node): number {
  let last = node;
  for (;;) {
    const next = last.children.findLast((child) => !child.isExtra);
    if (!next) return endLineOf(last);
    last = next;
  }
}

function typeAlias(scope: Scope, node: Node): CodeSymbol[] {
  const left = textOf(scope.source, field(node, 'left'));
  const name = /^\w+/.exec(left)?.[0] ?? '';
  if (name === '') return [];
  const signature = oneLine(scope.source, node);
  return [symbolOf(node, { name, kind: 'type', signature, exported: isExported(scope, name) })];
}

/** The names an assignment binds, each listed where it is first assigned. */
function assigned(scope: Scope, assignment: Node): CodeSymbol[] {
  const targets: Node[] = [];
  let node: Node | undefined = assignment;
  let type: Node | undefined;
  while (node?.type === 'assignment' && targets.length < 200) {
    const left = field(node, 'left');
    if (left) pushAll(targets, names(left).toReversed());
    type ??= field(node, 'type');
    node = field(node, 'right');
  }
  const value = targets.length === 1 && node ? shortValue(scope.source, node) : '';
  return targets.flatMap((target) => {
    const name = textOf(scope.source, target);
    if (scope.seen.has(name)) return [];
    scope.seen.add(name);
    const signature = `${name}${type ? `: ${oneLine(scope.source, type)}` : ''}${value}`;
    return [
      symbolOf(assignment, { name, kind: kindOf(scope, name), from: target, signature, exported: isExported(scope, name) }),
    ];
  });
}

function kindOf({ owner }: Scope, name: string): CodeSymbol['kind'] {
  if (owner === 'enum') return name.startsWith('_') ? 'property' : 'enum-member';
  if (owner === 'class') return 'property';
  return /^_*[A-Z][A-Z0-9_]*$/.test(name) ? 'const' : 'var';
}

/** Plain names of a target; attributes and items declare nothing. */
function names(target: Node): Node[] {
  const found: Node[] = [];
  const stack = [target];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.type === 'identifier') found.push(next);
    else if (/^(?:pattern_list|tuple_pattern|list_pattern|list_splat_pattern)$/.test(next.type))
      pushAll(stack, next.namedChildren);
  }
  return found;
}

function shortValue(source: Source, node: Node): string {
  const text = textOf(source, node);
  if (text.length <= 60 && !text.includes('\n')) return ` = ${text}`;
  if (node.type === 'call') return ` = ${textOf(source, field(node, 'function'))}(…)`.slice(0, 80);
  return node.type === 'list' ? ' = […]' : node.type === 'dictionary' ? ' = {…}' : node.type === 'lambda' ? ' = lambda …' : '';
}

/** In `__all__` when the module has one, otherwise without a leading underscore; special methods are public. */
function isExported({ all, open, owner }: Scope, name: string): boolean {
  if (!open) return false;
  if (all) return all.has(name);
  return !name.startsWith('_') || (owner !== 'module' && /^__\w+__$/.test(name));
}

/** The strings of `__all__ = […]`, `__all__ += […]`; undefined when there is none or a part of it cannot be read. */
function allNames(source: Source): ReadonlySet<string> | undefined {
  if (!source.text.includes('__all__')) return undefined;
  let found: Set<string> | undefined;
  for (const statement of statementsOf(source.root)) {
    const [node] = statement.type === 'expression_statement' ? statement.namedChildren : [];
    if (node?.type !== 'assignment' && node?.type !== 'augmented_assignment') continue;
    if (textOf(source, field(node, 'left')) !== '__all__') continue;
    const right = field(node, 'right');
    if (!right || !/^(?:list|tuple)$/.test(right.type)) return undefined;
    found ??= new Set();
    for (const one of right.namedChildren) {
      if (one.type === 'string') found.add(textOf(source, one).replace(/^\w*["']+|["']+$/g, ''));
      else if (!one.isExtra) return undefined;
    }
  }
  return found;
}
