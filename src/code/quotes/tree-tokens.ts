/** What quotes are in a tree: delimiters of a string, part of its content or of a comment, or nothing that could be read. */
import type { Node } from '../parse/language.js';
import { hasCurlyQuotes } from './inserted.js';
import type { Reading, Token } from './reading.js';

/** Node types of what is a name to a grammar. */
export const NAMES = /identifier|^(?:name|constant)$/;
/** Tokens between two quotes. */
const QUOTED = /string|(?:^|_)(?:char|character|rune)(?:_|$)|symbol$/;
/** Tokens with one quote at the beginning. */
const TICKED = /^(?:lifetime|label)$/;
/** What holds text and no code. */
const QUIET =
  /comment|string|regex|(?:^|_)(?:char|character|rune|text|content|fragment)(?:_|$)|^template$|heredoc_(?:body|content)|^heredoc$|nowdoc/;
/** Content that is what it is, whatever faults stand beside it. */
const CONTENT = /(?:^|_)(?:content|fragment|text)(?:_|$)|comment/;
/** Code within text. */
const CODE = /interpolation|substitution|expansion|^interpolated_expression$/;
const QUOTE = /["']/;

/** A node, and those of the asked quotes that lie in it. */
interface Frame {
  readonly node: Node;
  readonly asked: readonly number[];
  /** Whether the node around it holds text, and is whole. */
  readonly quiet: boolean;
  readonly inError: boolean;
}

/** `asked`: offsets of quotes, rising. One pass over the parts of the tree that hold some. */
export function tokensAt(root: Node, text: string, asked: readonly number[]): Omit<Reading, 'faults'> {
  const tokens: Token[] = [];
  const kept = new Set<number>();
  const bad = new Set<number>();
  const all = new Set(asked);
  const stack: Frame[] = [{ node: root, asked, quiet: false, inError: false }];
  for (let frame = stack.pop(); frame; frame = stack.pop()) {
    const { node } = frame;
    const token = frame.inError || node.hasError ? undefined : tokenOf(node, text);
    // What stands alone in something that could not be read says nothing about what it is.
    if (token && [...token.open, ...token.close].every((at) => all.has(at))) tokens.push(token);
    const quiet = isQuiet(frame);
    const outside: number[] = [];
    let next = 0;
    for (const child of frame.asked.length === 0 ? [] : node.children) {
      const here: number[] = [];
      for (
        let at = frame.asked[next] ?? Number.POSITIVE_INFINITY;
        at < child.endIndex;
        at = frame.asked[next] ?? Number.POSITIVE_INFINITY
      ) {
        (at >= child.startIndex ? here : outside).push(at);
        next++;
      }
      if (here.length > 0) stack.push({ node: child, asked: here, quiet, inError: node.isError });
    }
    for (const at of [...outside, ...frame.asked.slice(next)]) {
      if (!hasCurlyQuotes(text[at] ?? '')) continue;
      if (quiet) kept.add(at);
      else if (node.isError || NAMES.test(node.type)) bad.add(at);
    }
  }
  return { tokens, kept, bad };
}

function isQuiet({ node, quiet }: Frame): boolean {
  if (node.isError) return false;
  if (CODE.test(node.type)) return false;
  if (!QUIET.test(node.type)) return quiet;
  return CONTENT.test(node.type) || !node.hasError;
}

/** The quotes with which a node begins and ends; undefined when it is no such token. */
function tokenOf(node: Node, text: string): Token | undefined {
  if (!node.isNamed || node.isMissing) return undefined;
  if (TICKED.test(node.type)) return text[node.startIndex] === "'" ? { open: [node.startIndex], close: [] } : undefined;
  if (!QUOTED.test(node.type)) return undefined;
  const { children } = node;
  if (children.length === 0) {
    const found = quotesOf(text, node);
    const [first] = found;
    const last = found.at(-1);
    return first === undefined || last === undefined || first === last ? undefined : { open: [first], close: [last] };
  }
  const open = children.slice(0, 3).find((child) => quotesOf(text, child).length > 0);
  const close = children.slice(-3).findLast((child) => quotesOf(text, child).length > 0);
  if (!open || !close || open.startIndex === close.startIndex || open.childCount > 0 || close.childCount > 0) return undefined;
  return { open: quotesOf(text, open), close: quotesOf(text, close) };
}

/** Of a long node only its two ends. */
function quotesOf(text: string, { startIndex, endIndex }: Node): number[] {
  const found: number[] = [];
  for (let at = startIndex; at < endIndex; at++) {
    if (at === startIndex + 16 && endIndex - 16 > at) at = endIndex - 16;
    if (QUOTE.test(text[at] ?? '')) found.push(at);
  }
  return found;
}
