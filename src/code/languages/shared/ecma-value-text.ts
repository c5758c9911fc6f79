/** How a value is shown behind a name: the head of a function, a short literal, or what kind of thing it is. */
import type { Node, Source } from '../../parse/language.js';
import { childOf, field, headOf, oneLine, textOf } from '../../parse/nodes.js';

/** A literal longer than this is not shown. */
const SHORT = 60;

export function isFunction(node: Node | undefined): boolean {
  return node?.type === 'arrow_function' || node?.type === 'function_expression' || node?.type === 'generator_function';
}

/** ` = async (id: string): Promise<void> =>`, ` = 5`, ` = {…}`, ` = createStore(…)`; empty when nothing short can be said. */
export function valueText(source: Source, value: Node): string {
  switch (value.type) {
    case 'arrow_function':
    case 'function_expression':
    case 'generator_function':
      return ` = ${headOf(source, value, field(value, 'body'))}`;
    case 'class':
      return ` = ${headOf(source, value, field(value, 'body'))}`;
    case 'object':
      return value.namedChildCount === 0 ? ' = {}' : ' = {…}';
    case 'array':
      return value.namedChildCount === 0 ? ' = []' : isShort(source, value) ? ` = ${textOf(source, value)}` : ' = […]';
    case 'call_expression':
    case 'new_expression':
      return isShort(source, value) ? ` = ${textOf(source, value)}` : callText(source, value);
    case 'as_expression':
    case 'satisfies_expression':
      return castText(source, value);
    default:
      return isShort(source, value) ? ` = ${textOf(source, value)}` : '';
  }
}

function callText(source: Source, call: Node): string {
  const callee = field(call, 'function') ?? field(call, 'constructor');
  if (!callee || !isShort(source, callee)) return '';
  return ` = ${call.type === 'new_expression' ? 'new ' : ''}${textOf(source, callee)}(…)`;
}

/** `{ … } as const`: the value, then what it is taken for. */
function castText(source: Source, cast: Node): string {
  const value = cast.namedChildren[0];
  const word = childOf(cast, 'as', 'satisfies');
  if (!value || !word || value.type === cast.type) return isShort(source, cast) ? ` = ${textOf(source, cast)}` : '';
  const text = valueText(source, value);
  const type = oneLine(source, cast, word.startIndex, cast.endIndex);
  return text === '' || type.length > SHORT ? text : `${text} ${type}`;
}

function isShort(source: Source, node: Node): boolean {
  return node.endIndex - node.startIndex <= SHORT && !textOf(source, node).includes('\n');
}
