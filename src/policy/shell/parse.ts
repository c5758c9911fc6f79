/** The only file that knows the shell parser: text in, tree out, with every reason not to trust the tree. */

import { forEachChild, type ParsedScript, parse, type SyntaxNode } from 'unbash';
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';

export type * from 'unbash';
export { forEachChild };

export interface Parsed {
  readonly script: ParsedScript;
  /** Why the tree cannot be trusted; empty when it can. */
  readonly faults: readonly Reason[];
}

/** Longer texts are not judged at all (the kernel takes no single argument above 128 KiB). */
export const MAX_COMMAND = 1 << 20;

/** Parses a command line as bash would read it. Never throws. */
export function parseShell(text: string): Parsed {
  try {
    const script = parse(text);
    return { script, faults: faultsOf(script, text) };
  } catch (error) {
    const empty: ParsedScript = { type: 'Script', pos: 0, end: 0, shebang: undefined, commands: [] };
    return {
      script: empty,
      faults: [because`it could not be parsed (${error instanceof Error ? error.message : 'unknown fault'})`],
    };
  }
}

function faultsOf(script: ParsedScript, text: string): Reason[] {
  const found = (script.errors ?? []).map((fault) => because`it could not be parsed (${fault.message} at ${fault.pos})`);
  const open = unclosedHereDoc(script);
  if (open) found.push(because`a here-document has no end`);
  if (found.length === 0 && strayParenthesis(script, text))
    found.push(because`it could not be parsed (a parenthesis is left over)`);
  return found;
}

function unclosedHereDoc(node: SyntaxNode): boolean {
  if (node.type === 'HereDoc') return node.closing === undefined;
  if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') return false;
  let open = false;
  forEachChild(node, (child) => {
    open ||= unclosedHereDoc(child);
  });
  return open;
}

/** The parser passes over an opening parenthesis behind a command name; shells do not. */
function strayParenthesis(script: ParsedScript, text: string): boolean {
  if (!text.includes('(')) return false;
  let balance = 0;
  let from = 0;
  const count = (to: number): void => {
    for (const char of text.slice(from, to).replace(/#[^\n]*/g, '')) balance += char === '(' ? 1 : char === ')' ? -1 : 0;
  };
  const visit = (node: SyntaxNode): void => {
    if (LEAVES.has(node.type)) {
      if (node.pos >= from) count(node.pos);
      from = Math.max(from, node.end);
    } else forEachChild(node, visit);
  };
  visit(script);
  count(text.length);
  return balance > 0;
}

const LEAVES: ReadonlySet<string> = new Set([
  'Word',
  'Assignment',
  'HereDocBody',
  'HereDocDelimiter',
  'ArithmeticWord',
  'ArithmeticBinary',
  'ArithmeticUnary',
  'TestCommand',
  'ArithmeticCommand',
]);

/**
 * Characters that make a line look other than it is: control characters, invisible and direction-changing ones,
 * spaces that are no separators.
 */
export function oddCharacter(text: string): string | undefined {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) {
      if ((code < 0x20 && code !== 9 && code !== 10) || code === 0x7f) return name(code);
      continue;
    }
    if (isOdd(code)) return name(code);
    if (code >= 0xd800 && code <= 0xdfff) {
      const point = text.codePointAt(i) ?? code;
      if (point <= 0xffff || (point >= 0xe0000 && point <= 0xe0fff)) return name(point);
      i++;
    }
  }
  return undefined;
}

function isOdd(code: number): boolean {
  return (
    code <= 0xa0 ||
    code === 0xad ||
    code === 0x34f ||
    code === 0x61c ||
    code === 0x115f ||
    code === 0x1160 ||
    code === 0x1680 ||
    code === 0x17b4 ||
    code === 0x17b5 ||
    (code >= 0x180b && code <= 0x180f) ||
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x205f && code <= 0x206f) ||
    code === 0x2800 ||
    code === 0x3000 ||
    code === 0x3164 ||
    code === 0xfeff ||
    code === 0xffa0 ||
    (code >= 0xfff0 && code <= 0xfffb)
  );
}

function name(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
