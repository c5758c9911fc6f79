/** Outlines of fixture files as lines that a person can check. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageOf } from '../../../src/code/languages/registry.js';
import { readSource } from '../../../src/code/outline/outline-source.js';
import type { CodeSymbol, FileLinks, Outline } from '../../../src/types/code.js';

export const FIXTURES = join(import.meta.dirname, '../fixtures');

/** Outline and links of a text by its file name. */
export async function readText(path: string, text: string): Promise<{ readonly outline: Outline; readonly links: FileLinks }> {
  const language = languageOf(path, text);
  if (!language) throw new Error(`no language for ${path}`);
  const read = await readSource(language, text, { links: true });
  if (!read?.links) throw new Error(`${path} could not be read`);
  return { outline: read.outline, links: read.links };
}

/** Outline and links of `test/code/fixtures/PATH`. */
export const readFixture = (path: string) => readText(path, readFileSync(join(FIXTURES, path), 'utf8'));

/** The outline that was checked by hand, beside the fixture. */
export const checkedOutline = (path: string): string => readFileSync(join(FIXTURES, `${path}.outline`), 'utf8');

/** `L1-3 class +Name @Container | signature`, members indented; `+` exported, `-` not. */
export function outlineLines(symbols: readonly CodeSymbol[], indent = ''): string {
  return symbols
    .map((one) => {
      const container = one.container === undefined ? '' : ` @${one.container}`;
      const head = `${indent}L${one.startLine}-${one.endLine} ${one.kind} ${one.exported ? '+' : '-'}${one.name}${container}`;
      return `${head} | ${one.signature}\n${outlineLines(one.children, `${indent}  `)}`;
    })
    .join('');
}

/** All names of an outline, nested ones too. */
export const namesOf = (symbols: readonly CodeSymbol[]): string[] =>
  symbols.flatMap((one) => [one.name, ...namesOf(one.children)]);

/** `1 a.b {C as D, *}` for each import. */
export const importLines = (links: FileLinks): string[] =>
  links.imports.map((one) => {
    const names = one.names.map((name) => (name.alias === undefined ? name.name : `${name.name} as ${name.alias}`));
    return `${one.line} ${one.reexport ? 'reexport ' : ''}${one.source} {${names.join(', ')}}`;
  });
