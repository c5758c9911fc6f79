/** How well a text parses, for each kind of file that has a parser here. To add a kind: one more entry of `CHECKERS`. */
import { languageOfName } from '../languages/registry.js';
import type { Language, Node } from '../parse/language.js';
import { parseText } from '../parse/parse-text.js';
import { quotesIn } from './inserted.js';
import { jsonFaults } from './json-faults.js';
import type { Faults, Reading } from './reading.js';

export interface Checker {
  /** For messages. */
  readonly name: string;
  /** Undefined: it took too long. `asked`: offsets of straight quotes. */
  read(text: string, asked: readonly number[]): Promise<Reading | undefined>;
}

const MOST_FAULTS = 2_000;
const NAMES = /identifier|^(?:name|constant)$/;
const LIMITS = { maxChars: 2 * 1024 * 1024, maxMs: 1_000 };

const css: Language = {
  id: 'css',
  name: 'CSS',
  grammar: 'css',
  extensions: ['.css'],
  symbols: () => [],
  references: '(class_name) @name',
  imports: () => [],
};

/** Kinds of files with a parser of another sort than those of the languages with an outline. */
const CHECKERS: readonly { readonly files: RegExp; readonly checker: Checker }[] = [
  { files: /\.css$/i, checker: treeChecker(css) },
  {
    files: /(?:\.(?:json|jsonc|json5|webmanifest|geojson|ipynb)|(?:^|\/)\.(?:eslintrc|prettierrc|babelrc))$/i,
    checker: { name: 'JSON', read: async (text, asked) => jsonFaults(text, asked) },
  },
];

/** Undefined when there is no parser for this kind of file. */
export function checkerFor(path: string): Checker | undefined {
  const found = CHECKERS.find(({ files }) => files.test(path))?.checker;
  if (found) return found;
  const language = languageOfName(path);
  return language && treeChecker(language);
}

function treeChecker(language: Language): Checker {
  return {
    name: language.name,
    async read(text, asked) {
      const parsed = await parseText(
        language,
        text,
        ({ root, text: whole }) => ({
          faults: withNames(faultsOf(root), root, whole),
          delimiters: new Set(asked.filter((at) => isDelimiter(root, at))),
        }),
        LIMITS,
      );
      return parsed.ok && parsed.cutAt === undefined ? parsed.value : undefined;
    },
  };
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
    } else if (node.hasError) stack.push(...node.children.filter((child) => child.hasError || child.isMissing || child.isError));
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

/** Does a string begin or end with this character? Not so for one in a comment or in the content of a string. */
function isDelimiter(root: Node, at: number): boolean {
  const node = root.descendantForIndex(at, at + 1);
  if (!node || node.isError || /comment|content|fragment|text|word/.test(node.type)) return false;
  return node.startIndex === at || node.endIndex === at + 1;
}
