/** How well a text parses, for each kind of file that has a parser here. To add a kind: one more entry of `CHECKERS`. */
import { read } from '../aside/thread.js';
import { languageOfName } from '../languages/registry.js';
import type { Language } from '../parse/language.js';
import { jsonFaults } from './json-faults.js';
import type { Reading } from './reading.js';
import { css } from './tree-faults.js';

export interface Checker {
  /** For messages. */
  readonly name: string;
  /** Undefined: it took too long, or the signal fired. `asked`: offsets of straight quotes. */
  read(text: string, asked: readonly number[], signal?: AbortSignal): Promise<Reading | undefined>;
}

/** Milliseconds for one text: nobody waits longer for a write. */
const HARD_MS = 5_000;

/**
 * Kinds of files with a parser of another sort than those of the languages with an outline. YAML and TOML belong here as soon as a
 * parser of theirs is carried: an entry like that of JSON, and out of `CODE` in straighten.ts.
 */
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
    read: (text, asked, signal) => read('faults', { language: language.id, text, asked }, { hardMs: HARD_MS, signal }),
  };
}
