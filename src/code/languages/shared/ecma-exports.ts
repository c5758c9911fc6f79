/** Export statements: lists that mark what was declared, what is passed on from other files, and default values. */
import type { CodeSymbol } from '../../../types/code.js';
import type { Node, Source } from '../../parse/language.js';
import { childOf, field, oneLine, symbolOf, textOf } from '../../parse/nodes.js';
import { classMembers, nameOf, objectMembers } from './ecma-members.js';
import { isFunction, valueText } from './ecma-value-text.js';

/** What an export statement without a declaration adds: re-exports, a default value. Lists of local names add nothing here. */
export function exportStatement(source: Source, node: Node): CodeSymbol[] {
  const from = field(node, 'source');
  if (from) return passedOn(source, node, textOf(source, from));
  const value = field(node, 'value') ?? assignedValue(node);
  if (value && value.type !== 'identifier') return [defaultValue(source, node, value)];
  if (childOf(node, 'namespace')) return [exported(source, node, textOf(source, childOf(node, 'identifier')))];
  return [];
}

/** The value of `export = …`. */
function assignedValue(node: Node): Node | undefined {
  const equals = node.children.findIndex((child) => child.type === '=');
  return equals < 0 ? undefined : node.children.slice(equals + 1).find((child) => child.isNamed && !child.isExtra);
}

function passedOn(source: Source, node: Node, from: string): CodeSymbol[] {
  const word = childOf(node, 'type') ? 'export type' : 'export';
  const list = childOf(node, 'export_clause');
  if (list) {
    return specifiers(source, list).map(({ at, local, name }) => {
      const signature = `${word} { ${local === name ? name : `${local} as ${name}`} } from ${from}`;
      return symbolOf(at, { name, kind: 'export', signature, exported: true });
    });
  }
  const whole = childOf(node, 'namespace_export');
  const name = whole ? nameOf(source, whole.namedChildren[0]) : '*';
  return [
    symbolOf(node, { name, kind: 'export', signature: `${word} ${whole ? `* as ${name}` : '*'} from ${from}`, exported: true }),
  ];
}

function defaultValue(source: Source, node: Node, value: Node): CodeSymbol {
  const kind = isFunction(value) ? 'function' : value.type === 'class' ? 'class' : 'export';
  const shown = valueText(source, value).replace(/^ = /, '');
  const children =
    value.type === 'object'
      ? objectMembers(source, value, true)
      : value.type === 'class'
        ? classMembers(source, field(value, 'body'), { exported: true, depth: 1 })
        : [];
  const name = nameOf(source, field(value, 'name')) || 'default';
  const word = childOf(node, 'default') ? 'export default' : 'export =';
  return symbolOf(node, { name, kind, signature: `${word} ${shown}`.trim(), exported: true, children });
}

const exported = (source: Source, node: Node, name: string): CodeSymbol =>
  symbolOf(node, { name, kind: 'export', signature: oneLine(source, node).replace(/;$/, ''), exported: true });

function specifiers(source: Source, list: Node): { at: Node; local: string; name: string }[] {
  return list.namedChildren
    .filter((child) => child.type === 'export_specifier')
    .map((at) => {
      const names = at.children.filter((child) => child.type !== 'as' && child.type !== 'type' && !child.isExtra);
      const local = nameOf(source, field(at, 'name') ?? names[0]);
      const alias = field(at, 'alias') ?? (names.length > 1 ? names.at(-1) : undefined);
      return { at, local, name: alias ? nameOf(source, alias) : local };
    });
}

/** Marks what `export { … }`, `export default name` and `export = name` let out; a name that is not declared here becomes a symbol. */
export function markExported(source: Source, statements: readonly Node[], symbols: readonly CodeSymbol[]): CodeSymbol[] {
  const wanted = statements
    .filter((node) => node.type === 'export_statement' && !field(node, 'source') && !field(node, 'declaration'))
    .flatMap((node) => listed(source, node));
  if (wanted.length === 0) return [...symbols];
  const names = new Set(wanted.map((one) => one.local));
  const declared = new Set(symbols.map((symbol) => symbol.name));
  const marked = symbols.map((symbol) =>
    names.has(symbol.name) && !symbol.exported && symbol.container === undefined ? letOut(symbol) : symbol,
  );
  const passed = wanted
    .filter((one) => !declared.has(one.local))
    .map(({ at, name, signature }) => symbolOf(at, { name, kind: 'export', signature, exported: true }));
  return [...marked, ...passed];
}

function letOut(symbol: CodeSymbol): CodeSymbol {
  const children =
    symbol.kind === 'namespace' ? symbol.children : symbol.children.map((child) => ({ ...child, exported: isOpen(child) }));
  return { ...symbol, exported: true, signature: `export ${symbol.signature}`, children };
}

const isOpen = (member: CodeSymbol): boolean =>
  member.exported || !(/^(?:[\w ]+ )?(?:private|protected) /.test(member.signature) || member.name.startsWith('#'));

function listed(source: Source, node: Node): { at: Node; local: string; name: string; signature: string }[] {
  const list = childOf(node, 'export_clause');
  if (list) {
    return specifiers(source, list).map((one) => ({
      ...one,
      signature: `export { ${one.local === one.name ? one.name : `${one.local} as ${one.name}`} }`,
    }));
  }
  const value = field(node, 'value') ?? assignedValue(node);
  if (value?.type !== 'identifier') return [];
  const local = textOf(source, value);
  return [
    { at: node, local, name: childOf(node, 'default') ? 'default' : local, signature: oneLine(source, node).replace(/;$/, '') },
  ];
}
