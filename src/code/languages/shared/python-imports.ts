/** What a Python file imports, wherever the statement stands at module level. */
import type { CodeImport } from '../../../types/code.js';
import type { Node, Source } from '../../parse/language.js';
import { field, lineOf, textOf } from '../../parse/nodes.js';

export function pythonImports(source: Source): CodeImport[] {
  if (!source.text.includes('import')) return [];
  return source.root
    .descendantsOfType(['import_statement', 'import_from_statement'])
    .flatMap((node) => (node.type === 'import_statement' ? plain(source, node) : [from(source, node)]));
}

/** `import a.b as c, d`: each module on its own. */
function plain(source: Source, node: Node): CodeImport[] {
  return node
    .childrenForFieldName('name')
    .filter((child) => child.isNamed)
    .map((child) => {
      const name = textOf(source, field(child, 'name') ?? child);
      const alias = child.type === 'aliased_import' ? textOf(source, field(child, 'alias')) : (name.split('.')[0] ?? name);
      return { source: name, line: lineOf(node), names: [{ name: '*', alias }] };
    });
}

/** `from ..x import (a as b, c)`, `from . import *`. */
function from(source: Source, node: Node): CodeImport {
  const module = textOf(source, field(node, 'module_name')).replace(/\s+/g, '');
  const names = node
    .childrenForFieldName('name')
    .filter((child) => child.isNamed)
    .map((child) => {
      const name = textOf(source, field(child, 'name') ?? child);
      const alias = child.type === 'aliased_import' ? textOf(source, field(child, 'alias')) : '';
      return alias === '' || alias === name ? { name } : { name, alias };
    });
  const all = node.namedChildren.some((child) => child.type === 'wildcard_import');
  return { source: module, line: lineOf(node), names: all ? [{ name: '*' }] : names };
}
