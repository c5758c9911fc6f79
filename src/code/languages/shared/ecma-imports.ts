/** What a TypeScript or JavaScript file takes from others: `import`, `export … from`, `require`, `import()`. */
import type { CodeImport } from '../../../types/code.js';
import type { Node, Source } from '../../parse/language.js';
import { childOf, field, lineOf, statementsOf, textOf } from '../../parse/nodes.js';
import { boundNames } from './ecma-values.js';

type Names = CodeImport['names'];

export function ecmaImports(source: Source): CodeImport[] {
  const statements = statementsOf(source.root).flatMap((node): CodeImport[] => {
    if (node.type === 'import_statement') return importStatement(source, node);
    if (node.type === 'export_statement') return exportFrom(source, node);
    return [];
  });
  const called = /\b(?:require|import)\s*\(/.test(source.text) ? calledImports(source) : [];
  return [...statements, ...called].sort((a, b) => a.line - b.line);
}

const unquoted = (source: Source, node: Node | undefined): string => textOf(source, node).slice(1, -1);

function importStatement(source: Source, node: Node): CodeImport[] {
  const required = childOf(node, 'import_require_clause');
  if (required) {
    const alias = textOf(source, childOf(required, 'identifier'));
    return [{ source: unquoted(source, field(required, 'source')), line: lineOf(node), names: [{ name: '*', alias }] }];
  }
  const from = field(node, 'source');
  if (!from) return [];
  const clause = childOf(node, 'import_clause');
  const names = (clause?.namedChildren ?? []).flatMap((child): Names => {
    if (child.type === 'identifier') return [{ name: 'default', alias: textOf(source, child) }];
    if (child.type === 'namespace_import') return [{ name: '*', alias: textOf(source, childOf(child, 'identifier')) }];
    if (child.type === 'named_imports') return specifiers(source, child, 'import_specifier');
    return [];
  });
  return [{ source: unquoted(source, from), line: lineOf(node), names }];
}

function exportFrom(source: Source, node: Node): CodeImport[] {
  const from = field(node, 'source');
  if (!from) return [];
  const list = childOf(node, 'export_clause');
  const whole = childOf(node, 'namespace_export');
  const names: Names = list
    ? specifiers(source, list, 'export_specifier')
    : [{ name: '*', ...(whole ? { alias: textOf(source, whole.namedChildren[0]) } : {}) }];
  return [{ source: unquoted(source, from), line: lineOf(node), names, reexport: true }];
}

function specifiers(source: Source, list: Node, type: string): Names {
  return list.namedChildren
    .filter((child) => child.type === type)
    .map((child) => {
      const words = child.children.filter(
        (one) => one.type !== 'as' && one.type !== 'type' && one.type !== 'typeof' && !one.isExtra,
      );
      const name = textOf(source, field(child, 'name') ?? words[0]).replace(/^["']|["']$/g, '');
      const alias = textOf(source, field(child, 'alias')).replace(/^["']|["']$/g, '');
      return alias === '' || alias === name ? { name } : { name, alias };
    });
}

/** `require('x')` and `import('x')` wherever they stand; the names are those a declaration around a `require` binds. */
function calledImports(source: Source): CodeImport[] {
  const bound = requiredNames(source);
  return source.root.descendantsOfType('call_expression').flatMap((call): CodeImport[] => {
    const callee = field(call, 'function');
    if (!callee || (callee.type !== 'import' && textOf(source, callee) !== 'require')) return [];
    const [argument] = field(call, 'arguments')?.namedChildren ?? [];
    if (argument?.type !== 'string') return [];
    return [{ source: unquoted(source, argument), line: lineOf(call), names: bound.get(call.startIndex) ?? [{ name: '*' }] }];
  });
}

/** Offset of a `require(…)` call -> the names its declaration binds, at the top of the file. */
function requiredNames(source: Source): Map<number, Names> {
  const found = new Map<number, Names>();
  for (const node of statementsOf(source.root)) {
    if (node.type !== 'lexical_declaration' && node.type !== 'variable_declaration') continue;
    for (const declarator of node.namedChildren) {
      const name = field(declarator, 'name');
      let value = field(declarator, 'value');
      const member = value?.type === 'member_expression' ? textOf(source, field(value, 'property')) : undefined;
      if (value?.type === 'member_expression') value = field(value, 'object');
      if (!name || value?.type !== 'call_expression') continue;
      if (name.type === 'identifier') found.set(value.startIndex, [{ name: member ?? '*', alias: textOf(source, name) }]);
      else found.set(value.startIndex, boundPairs(source, name));
    }
  }
  return found;
}

/** `{ a, b: c }` as names with aliases. */
function boundPairs(source: Source, pattern: Node): Names {
  return pattern.namedChildren.flatMap((child): Names => {
    const bound = boundNames(child).map((node) => textOf(source, node));
    const key = child.type === 'pair_pattern' ? textOf(source, field(child, 'key')) : undefined;
    return bound.map((alias) => (key === undefined || key === alias ? { name: alias } : { name: key, alias }));
  });
}
