/** Counts the identifiers of a tree, in time that grows with its size only. */
import type { Grammar } from './engine.js';
import type { Node } from './language.js';

const KINDS = /^\[?((?:\s*\(\w+\)\s*)+)\]?\s*@\w+$/;
/** Milliseconds for a query that does more: on a broken tree its cost can grow with the square of the size. */
const QUERY_MS = 1_000;

/** The kinds a query names when it does nothing else: `(identifier) @name`, `[(identifier) (type_identifier)] @name`. */
export function kindsOf(query: string): string[] | undefined {
  return KINDS.exec(query)?.[1]?.match(/\w+/g) ?? undefined;
}

/** Name -> how often it stands in the tree. A query too slow gives what it found so far. */
export function identifierCounts(grammar: Grammar, query: string, root: Node, text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (from: number, to: number) => {
    const name = text.slice(from, to);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const kinds = kindsOf(query);
  if (kinds === undefined) {
    const deadline = performance.now() + QUERY_MS;
    const options = { progressCallback: () => performance.now() > deadline };
    for (const { node } of grammar.query(query).captures(root, options)) count(node.startIndex, node.endIndex);
    return counts;
  }
  const ids = new Set(kinds.map((kind) => grammar.language.idForNodeType(kind, true)));
  const cursor = root.walk();
  try {
    for (;;) {
      if (ids.has(cursor.nodeTypeId)) count(cursor.startIndex, cursor.endIndex);
      if (cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return counts;
    }
  } finally {
    cursor.delete();
  }
}
