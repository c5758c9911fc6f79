/** How well a text parses: its faults, and what the asked quotes are in its tree. */
import { LANGUAGES } from '../languages/registry.js';
import type { Language, Node } from '../parse/language.js';
import { type ParseLimits, parseText } from '../parse/parse-text.js';
import { quotesIn } from './inserted.js';
import type { Faults, Reading } from './reading.js';
import { NAMES, tokensAt } from './tree-tokens.js';

const MOST_FAULTS = 2_000;
const LIMITS = { maxChars: 2 * 1024 * 1024, maxMs: 1_000 };

/** CSS has no outline, but its quotes matter. */
export const css: Language = {
  id: 'css',
  name: 'CSS',
  grammar: 'css',
  extensions: ['.css'],
  symbols: () => [],
  references: '(class_name) @name',
  imports: () => [],
};

/** `asked`: offsets of quotes, rising. Undefined: the text took too long, or could only be read in part. */
export async function readFaults(
  { language: id, text, asked }: { readonly language: string; readonly text: string; readonly asked: readonly number[] },
  limits: ParseLimits = {},
): Promise<Reading | undefined> {
  const language = [css, ...LANGUAGES].find((one) => one.id === id);
  if (!language) return undefined;
  const parsed = await parseText(
    language,
    text,
    ({ root, text: whole }) => ({ faults: withNames(faultsOf(root), root, whole), ...tokensAt(root, whole, asked) }),
    { ...LIMITS, ...limits },
  );
  return parsed.ok && parsed.cutAt === undefined ? parsed.value : undefined;
}

function faultsOf(root: Node): Faults {
  let count = 0;
  let size = 0;
  const stack = [root];
  for (let node = stack.pop(); node && count < MOST_FAULTS; node = stack.pop()) {
    if (node.isMissing) count++;
    else if (node.isError) {
      count++;
      size += node.endIndex - node.startIndex;
    } else if (node.hasError) for (const child of node.children) if (child.hasError || child.isMissing) stack.push(child);
  }
  return { count: count === 0 && root.hasError ? 1 : count, size };
}

/** Grammars let a curly quote be part of a name, languages mostly do not, and nobody means it: a fault. */
function withNames(faults: Faults, root: Node, text: string): Faults {
  let { count, size } = faults;
  let end = 0;
  for (const at of quotesIn(text, 0, text.length).slice(0, MOST_FAULTS)) {
    if (at < end) continue;
    const node = root.descendantForIndex(at, at + 1);
    if (!node || !NAMES.test(node.type)) continue;
    count++;
    size += node.endIndex - node.startIndex;
    end = node.endIndex;
  }
  return { count, size };
}
