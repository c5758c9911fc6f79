/** Parses a text within limits of size, time and memory, and frees the tree whatever happens. */
import type { Tree } from 'web-tree-sitter';
import { breaksEngine, type Grammar, isEngineBroken, loadGrammar } from './engine.js';
import type { Language, Node, Source, SourcePart } from './language.js';
import { countOf, headOfPart, type Part, partsOf, symbolsOf } from './parts.js';

export interface ParseLimits {
  /** Characters; a longer text is cut at the end of a line. */
  readonly maxChars?: number;
  /** Milliseconds for one text: of processor time where the machine is busy with other things. */
  readonly maxMs?: number;
  /** For a thread that others wait for: all of a short text within a blink, or `too-slow`; never a part. */
  readonly brief?: boolean;
  /** Whether a text with faults is also read in parts, for what there is in it. */
  readonly parts?: boolean;
}

/** How a text was read. `cutAt`: offset up to which it was read when not whole. `too-slow` is also one that takes too much memory. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly cutAt?: number }
  | { readonly ok: false; readonly reason: 'too-slow' };

const MAX_CHARS = 1024 * 1024;
const MAX_MS = 2_000;
/** What is read of a text that was too slow to be read whole. */
const SLOW_CHARS = 64 * 1024;
/** Limits of a brief reading. */
const BRIEF_CHARS = 24 * 1024;
const BRIEF_MS = 80;
const MOST_FAULTS = 1_000;
/** Bytes of the engine at which a parse is given up: no text a person wrote comes near. */
const MOST_HEAP = 224 * 1024 * 1024;
const BRIEF_HEAP = 96 * 1024 * 1024;
/** A longer text is not rewritten and parsed a second time. */
const MEND_CHARS = 256 * 1024;
/** On a busy machine this many times the milliseconds may pass. */
const PATIENCE = 4;

/** What one attempt may use. */
interface Budget {
  isSpent(): boolean;
  readonly heap: number;
}

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
  const whole = withLineFeeds(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if (isEngineBroken() || (limits.brief && whole.length > BRIEF_CHARS)) return { ok: false, reason: 'too-slow' };
  const grammar = await loadGrammar(language.grammar);
  const part = cutAtLine(whole, limits.maxChars ?? MAX_CHARS);
  const maxMs = limits.brief ? BRIEF_MS : (limits.maxMs ?? MAX_MS);
  const first = attempt(language, grammar, part, use, budgetOf(maxMs, limits), limits);
  if (first) return { ok: true, value: first.value, ...(part.length < whole.length ? { cutAt: part.length } : {}) };
  const less = cutAtLine(part, SLOW_CHARS);
  if (limits.brief || less.length === part.length) return { ok: false, reason: 'too-slow' };
  const second = attempt(language, grammar, less, use, budgetOf(maxMs / 2, limits), limits);
  return second ? { ok: true, value: second.value, cutAt: less.length } : { ok: false, reason: 'too-slow' };
}

function budgetOf(maxMs: number, limits: ParseLimits): Budget {
  const start = performance.now();
  // To ask for the processor time costs more than to parse a small text, so its first three tenths are not counted.
  let used: NodeJS.CpuUsage | undefined;
  return {
    heap: limits.brief ? BRIEF_HEAP : MOST_HEAP,
    isSpent() {
      const passed = performance.now() - start;
      if (limits.brief || passed > maxMs * PATIENCE) return passed > maxMs;
      if (passed > maxMs * 0.3) used ??= process.cpuUsage();
      if (passed <= maxMs || !used) return false;
      const { user, system } = process.cpuUsage(used);
      return (user + system) / 1000 > maxMs * 0.7;
    },
  };
}

/** Undefined: not within the budget, or the engine failed; then it is broken. */
function attempt<T>(
  language: Language,
  grammar: Grammar,
  text: string,
  use: (source: Source, grammar: Grammar) => T,
  budget: Budget,
  limits: ParseLimits,
): { readonly value: T } | undefined {
  if (isEngineBroken()) return undefined;
  try {
    return parseOnce(language, grammar, text, use, budget, limits);
  } catch (error) {
    if (!breaksEngine(error)) throw error;
    return undefined;
  }
}

function parseOnce<T>(
  language: Language,
  grammar: Grammar,
  text: string,
  use: (source: Source, grammar: Grammar) => T,
  budget: Budget,
  { parts }: ParseLimits,
): { readonly value: T } | undefined {
  // Lexers take a NUL for the end of the text.
  const readable = text.includes('\0') ? text.replaceAll('\0', ' ') : text;
  const prepared = language.prepare?.(readable) ?? readable;
  const trees: Tree[] = [];
  const parse = (one: string, part?: Part): Tree | undefined => {
    const tree = treeOf(grammar, one, budget, part);
    if (tree) trees.push(tree);
    return tree ?? undefined;
  };
  try {
    let tree = parse(prepared);
    let seen = prepared;
    if (tree?.rootNode.hasError && language.mend && text.length <= MEND_CHARS && !budget.isSpent()) {
      const mended = language.mend(prepared);
      const second = mended === prepared ? undefined : parse(mended);
      if (second && faultsIn(second.rootNode) < faultsIn(tree.rootNode)) {
        tree = second;
        seen = mended;
      }
    }
    if (!tree) return undefined;
    const whole = { root: tree.rootNode, text };
    return { value: use(parts ? inParts(language, whole, seen, parse) : whole, grammar) };
  } finally {
    for (const tree of trees) tree.delete();
  }
}

/** The text in parts, when it has faults and more is declared in its parts than in the whole. */
function inParts(language: Language, whole: Source, seen: string, parse: (text: string, part: Part) => Tree | undefined): Source {
  if (!whole.root.hasError || !language.restart) return whole;
  const parts: SourcePart[] = [];
  for (const part of partsOf(whole.root, whole.text, language.restart)) {
    const tree = parse(seen, part);
    if (!tree) return whole;
    const broken = tree.rootNode.hasError && language.closing !== undefined;
    const head = broken ? headOfPart(seen.slice(part.startIndex, part.endIndex), language.closing ?? '') : undefined;
    const headTree = head === undefined ? undefined : parse(head, part);
    parts.push({ root: tree.rootNode, ...(headTree && !headTree.rootNode.hasError ? { head: headTree.rootNode } : {}) });
  }
  const source = { ...whole, parts };
  return parts.length > 0 && countOf(symbolsOf(language, source)) > countOf(symbolsOf(language, whole)) ? source : whole;
}

/** Faults of a tree, at most a thousand looked at. */
function faultsIn(root: Node): number {
  let faults = 0;
  const stack = [root];
  for (let seen = 0; seen < MOST_FAULTS; seen++) {
    const node = stack.pop();
    if (!node) break;
    if (node.isError || node.isMissing) faults++;
    else if (node.hasError) for (const child of node.children) if (child.hasError || child.isMissing) stack.push(child);
  }
  // A token that is missing and has no name is no child of any node.
  return faults === 0 && root.hasError ? 1 : faults;
}

/** Null: not within the budget. The caller deletes the tree. `text` is the whole text, or as much as the part has. */
function treeOf({ parser, language, heap }: Grammar, text: string, budget: Budget, part?: Part): Tree | null {
  parser.setLanguage(language);
  const most = Math.max(budget.heap, heap());
  const offset = part && text.length === part.endIndex - part.startIndex ? part.startIndex : 0;
  const tree = parser.parse((index: number) => text.slice(Math.max(0, index - offset)), null, {
    progressCallback: () => heap() > most || budget.isSpent(),
    ...(part ? { includedRanges: [part] } : {}),
  });
  if (!tree) parser.reset();
  return tree;
}

/** The same text, as long, in which every line ends as parsers count lines: a carriage return alone ends one too. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;
}

/** At most `most` characters, up to the end of a line when there is one in the second half, and never half a character. */
export function cutAtLine(text: string, most: number): string {
  if (text.length <= most) return text;
  const lineEnd = text.lastIndexOf('\n', most - 1) + 1;
  if (lineEnd > most / 2) return text.slice(0, lineEnd);
  const code = text.charCodeAt(most - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? most - 1 : most);
}
