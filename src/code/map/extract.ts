/** From the text of a file to what a map keeps of it: outline lines, names it defines, imports, identifiers. */
import type { CodeImport, CodeSymbol } from '../../types/code.js';
import { languageOf } from '../languages/registry.js';
import { formOf } from '../outline/file-form.js';
import { entriesOf, entryLine, isDetail, type OutlineEntry } from '../outline/outline-text.js';
import type { Grammar } from '../parse/engine.js';
import { identifierCounts, kindsOf } from '../parse/identifiers.js';
import type { Language, Source } from '../parse/language.js';
import { type ParseLimits, parseText, withLineFeeds } from '../parse/parse-text.js';
import { eachRoot, symbolsOf } from '../parse/parts.js';
import { levelsOf } from './levels.js';
import type { Extracted, FileStatus, TextJob } from './types.js';

/** Raise it whenever the same text gives something else: what was kept before is then not used any more. */
export const EXTRACTION = 5;
/** Lines kept of one file. */
const MOST_LINES = 400;
/** Different names kept of one file, of each kind. */
const MOST_NAMES = 4_000;
const LONGEST_NAME = 200;
/** What these hold is as reachable as they are. */
const CONTAINERS: ReadonlySet<string> = new Set(['namespace', 'module', 'package', 'impl', 'extension']);
const DEEPEST = 20;
/** Here only what is imported by name can mean another file: of their identifiers only those are counted. */
const BY_NAME: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript', 'jsx', 'python', 'rust']);

/** A file without text, language or declarations; never shown. */
export function emptyFile(status: FileStatus, language = ''): Extracted {
  return { status, language, declarations: 0, lines: [], defines: [], imports: [], references: [], counts: [] };
}

/** Throws only for an incomplete installation. */
export async function extractFile({ path, text: given }: TextJob, limits: ParseLimits = {}): Promise<Extracted> {
  const text = withLineFeeds(given);
  const language = languageOf(path, text);
  if (!language) return emptyFile('other');
  const form = formOf(text);
  if (form) return emptyFile(form, language.id);
  const parsed = await parseText(language, text, (source, grammar) => readTree(language, source, grammar), {
    ...limits,
    parts: true,
  });
  return parsed.ok ? parsed.value : emptyFile('slow', language.id);
}

function readTree(language: Language, source: Source, grammar: Grammar): Extracted {
  const symbols = symbolsOf(language, source).toSorted((a, b) => a.startLine - b.startLine);
  const entries = entriesOf(symbols);
  const shown = entries.filter((entry) => !isDetail(entry));
  const imports = eachRoot(source, (one) => language.imports(one))
    .slice(0, MOST_NAMES)
    .flatMap(importOf);
  const counted = aliasesOf(language, imports);
  const mentions = counted ? mentionsOf(source.text, counted) : identifiersOf(language, source, grammar);
  const references = [...mentions].filter(([name]) => isName(name)).slice(0, MOST_NAMES);
  return {
    status: 'ok',
    language: language.id,
    declarations: shown.length,
    lines: mostTelling(shown).map(entryLine),
    defines: definedBy(symbols),
    imports,
    references: references.map(([name]) => name),
    counts: references.map(([, count]) => count),
  };
}

/** Where there are too many, the upper levels. */
function mostTelling(entries: readonly OutlineEntry[]): OutlineEntry[] {
  if (entries.length <= MOST_LINES) return [...entries];
  const { order } = levelsOf(entries.map(({ depth }) => depth));
  return order
    .slice(0, MOST_LINES)
    .sort((a, b) => a - b)
    .flatMap((line) => entries[line - 1] ?? []);
}

/** The names imports give, where no others count; undefined where one brings names it does not tell. */
function aliasesOf(language: Language, imports: Extracted['imports']): Set<string> | undefined {
  if (!BY_NAME.has(language.id)) return undefined;
  const names = imports.flatMap((one) => one.names);
  return names.some(([name]) => name === '*') ? undefined : new Set(names.map(([, alias]) => alias));
}

/** How often words stand in a text, in comments too: near enough for a weight. */
function mentionsOf(text: string, words: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  if (words.size === 0) return counts;
  for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    if (words.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** One pass inside the engine where the kinds of nodes are known; a walk from out here costs three times as much. */
function identifiersOf(language: Language, source: Source, grammar: Grammar): Map<string, number> {
  const kinds = kindsOf(language.references);
  if (!kinds) return identifierCounts(grammar, language.references, source.root, source.text);
  const counts = new Map<string, number>();
  for (const node of source.root.descendantsOfType(kinds)) {
    if (!node.isNamed) continue;
    const name = source.text.slice(node.startIndex, node.endIndex);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Names are kept in one long text with NUL between them. */
const isName = (name: string): boolean => name !== '' && name.length <= LONGEST_NAME && !name.includes('\0');

function definedBy(symbols: readonly CodeSymbol[]): string[] {
  const names = new Set<string>();
  const visit = (list: readonly CodeSymbol[], depth: number): void => {
    for (const { name, kind, children } of list) {
      if (isName(name) && kind !== 'export') names.add(name);
      if (CONTAINERS.has(kind) && depth < DEEPEST) visit(children, depth + 1);
    }
  };
  visit(symbols, 0);
  return [...names].slice(0, MOST_NAMES);
}

function importOf({ source, names }: CodeImport): Extracted['imports'] {
  if (!isName(source)) return [];
  const pairs = names.slice(0, MOST_NAMES).map(({ name, alias }) => [name, alias ?? name] as const);
  return [{ source, names: pairs.filter(([name, alias]) => isName(name) && isName(alias)) }];
}
