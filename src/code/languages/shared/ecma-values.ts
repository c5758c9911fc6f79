/** Variables: functions, classes and objects kept in them, destructured names, and `require` told from values. */
import type { CodeSymbol } from '../../../types/code.js';
import type { Node, Source } from '../../parse/language.js';
import { afterDecorators, field, oneLine, pushAll, symbolOf, textOf } from '../../parse/nodes.js';
import { classMembers, objectMembers } from './ecma-members.js';
import type { Declared } from './ecma-types.js';
import { isFunction, valueText } from './ecma-value-text.js';

/** The symbols of `const a = …, { b } = …`. What a lone `require` gives is an import and not listed. */
export function variableSymbols(source: Source, declared: Declared): CodeSymbol[] {
  const { node, outer } = declared;
  const declarators = node.namedChildren.filter((child) => child.type === 'variable_declarator');
  const [first] = declarators;
  if (!first) return [];
  const words = oneLine(source, outer, afterDecorators(outer).startIndex, first.startIndex);
  return declarators.flatMap((declarator) => {
    const name = field(declarator, 'name');
    const value = field(declarator, 'value');
    if (!name || requiredSource(source, value) !== undefined) return [];
    const at = declarators.length === 1 ? outer : declarator;
    if (name.type !== 'identifier') return destructured(source, declared, { at, words, pattern: name });
    return [variable(source, declared, { at, words, declarator, name, value })];
  });
}

function variable(
  source: Source,
  { exported, place }: Declared,
  about: {
    readonly at: Node;
    readonly words: string;
    readonly declarator: Node;
    readonly name: Node;
    readonly value: Node | undefined;
  },
): CodeSymbol {
  const { at, words, declarator, value } = about;
  const name = textOf(source, about.name);
  const type = field(declarator, 'type');
  const signature = `${words} ${name}${type ? oneLine(source, type) : ''}${value ? valueText(source, value) : ''}`;
  return symbolOf(at, { name, ...valueSymbol(source, words, value, exported, place.depth), signature, exported });
}

/** Kind and members of what a variable holds. */
function valueSymbol(
  source: Source,
  words: string,
  value: Node | undefined,
  exported: boolean,
  depth: number,
): Pick<CodeSymbol, 'kind' | 'children'> {
  if (isFunction(value)) return { kind: 'function', children: [] };
  if (value?.type === 'class')
    return { kind: 'class', children: classMembers(source, field(value, 'body'), { exported, depth: depth + 1 }) };
  const kind = /\b(?:const|using)$/.test(words) ? 'const' : 'var';
  return { kind, children: value?.type === 'object' ? objectMembers(source, value, exported) : [] };
}

/** The names a pattern binds, whatever its nesting. */
function destructured(
  source: Source,
  { exported }: Declared,
  about: { readonly at: Node; readonly words: string; readonly pattern: Node },
): CodeSymbol[] {
  const kind = /\b(?:const|using)$/.test(about.words) ? 'const' : 'var';
  return boundNames(about.pattern).map((node) => {
    const name = textOf(source, node);
    return symbolOf(about.at, { name, kind, from: node, signature: `${about.words} ${name}`, exported });
  });
}

/** Identifiers a pattern declares. */
export function boundNames(pattern: Node): Node[] {
  const found: Node[] = [];
  const stack: Node[] = [pattern];
  for (let next = stack.pop(); next; next = stack.pop()) {
    switch (next.type) {
      case 'identifier':
      case 'shorthand_property_identifier_pattern':
        found.push(next);
        break;
      case 'pair_pattern':
        stack.push(...[field(next, 'value')].filter((node) => node !== undefined));
        break;
      case 'assignment_pattern':
      case 'object_assignment_pattern':
        stack.push(...[field(next, 'left')].filter((node) => node !== undefined));
        break;
      default:
        pushAll(stack, next.namedChildren);
    }
  }
  return found;
}

/** `x` of `require('x')`, also behind `.default` and the helpers compilers wrap around it; undefined for anything else. */
export function requiredSource(source: Source, value: Node | undefined): string | undefined {
  let node = value;
  for (let step = 0; node && step < 4; step++) {
    if (node.type === 'member_expression') node = field(node, 'object');
    else if (node.type !== 'call_expression') return undefined;
    else {
      const callee = textOf(source, field(node, 'function'));
      const [argument] = field(node, 'arguments')?.namedChildren ?? [];
      if (callee === 'require') return argument?.type === 'string' ? textOf(source, argument).slice(1, -1) : undefined;
      if (!/^\(?(?:0, )?(?:tslib_1\.)?(?:__importStar|__importDefault|_interopRequire\w*)\)?$/.test(callee)) return undefined;
      node = argument;
    }
  }
  return undefined;
}
