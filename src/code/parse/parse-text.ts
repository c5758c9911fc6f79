/** Parses a text within limits of size and time, and frees the tree whatever happens. */
import type { Tree } from 'web-tree-sitter';
import { type Grammar, loadGrammar } from './engine.js';
import type { Language, Node, Source } from './language.js';

export interface ParseLimits {
  /** Characters; a longer text is cut at the end of a line. */
  readonly maxChars?: number;
  /** Milliseconds for one text. */
  readonly maxMs?: number;
}

/** How a text was read. `cutAt`: offset up to which it was read when not whole. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly cutAt?: number }
  | { readonly ok: false; readonly reason: 'too-slow' };

const MAX_CHARS = 1024 * 1024;
const MAX_MS = 5_000;
/** What is read of a text that was too slow to be read whole. */
const SLOW_CHARS = 64 * 1024;
const MOST_FAULTS = 1_000;

/**
 * Runs `use` over the tree of `text`; the tree is gone afterwards. A byte order mark is left out. A text too long or too slow is
 * read in part, and a part too slow not at all. Throws only for an incomplete installation.
 */
export async function parseText<T>(
  language: Language,
  text: string,
  use: (source: Source, grammar: Grammar) => T,
  limits: ParseLimits = {},
): Promise<Parsed<T>> {
  const grammar = await loadGrammar(language.grammar);
  const whole = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const part = cutAtLine(whole, limits.maxChars ?? MAX_CHARS);
  const maxMs = limits.maxMs ?? MAX_MS;
  const first = parseOnce(language, grammar, part, use, maxMs);
  if (first) return { ok: true, value: first.value, ...(part.length < whole.length ? { cutAt: part.length } : {}) };
  const less = cutAtLine(part, SLOW_CHARS);
  const second = less.length < part.length ? parseOnce(language, grammar, less, use, maxMs / 2) : undefined;
  return second ? { ok: true, value: second.value, cutAt: less.length } : { ok: false, reason: 'too-slow' };
}

function parseOnce<T>(
  language: Language,
  grammar: Grammar,
  text: string,
  use: (source: Source, grammar: Grammar) => T,
  maxMs: number,
): { readonly value: T } | undefined {
  const deadline = performance.now() + maxMs;
  // Lexers take a NUL for the end of the text.
  const whole = text.includes('\0') ? text.replaceAll('\0', ' ') : text;
  const prepared = language.prepare?.(whole) ?? whole;
  let tree = treeOf(grammar, prepared, deadline);
  if (tree?.rootNode.hasError && language.mend) {
    const mended = language.mend(prepared);
    const second = mended === prepared ? null : treeOf(grammar, mended, deadline);
    if (second) tree = better(tree, second);
  }
  if (!tree) return undefined;
  try {
    return { value: use({ root: tree.rootNode, text }, grammar) };
  } finally {
    tree.delete();
  }
}

/** Keeps the tree with fewer faults and frees the other one. */
function better(first: Tree, second: Tree): Tree {
  const isBetter = faultsIn(second.rootNode) < faultsIn(first.rootNode);
  (isBetter ? first : second).delete();
  return isBetter ? second : first;
}

/** Faults of a tree, at most a thousand looked at. */
function faultsIn(root: Node): number {
  let faults = 0;
  const stack = [root];
  for (let seen = 0; seen < MOST_FAULTS; seen++) {
    const node = stack.pop();
    if (!node) break;
    if (node.isError || node.isMissing) faults++;
    else if (node.hasError) stack.push(...node.children.filter((child) => child.hasError || child.isMissing));
  }
  return faults;
}

/** Null: not done in time. The caller deletes the tree. */
function treeOf({ parser, language }: Grammar, text: string, deadline: number): Tree | null {
  parser.setLanguage(language);
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
  if (!tree) parser.reset();
  return tree;
}

/** At most `most` characters, up to the end of a line when there is one in the second half, and never half a character. */
function cutAtLine(text: string, most: number): string {
  if (text.length <= most) return text;
  const lineEnd = text.lastIndexOf('\n', most - 1) + 1;
  if (lineEnd > most / 2) return text.slice(0, lineEnd);
  const code = text.charCodeAt(most - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? most - 1 : most);
}
