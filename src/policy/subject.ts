/** The strings a call is known by to rules: `@coder write --file src/a.ts`, whatever order its arguments came in. */
import { isAbsolute, relative } from 'node:path';
import type { Json } from '../types/json.js';
import type { Judged, PolicyContext } from '../types/policy.js';
import type { ToolCall } from '../types/tool.js';
import type { Located } from '../types/workspace.js';

/** Content is no part of what a rule speaks of. */
const PAYLOAD = new Set([
  'content',
  'contents',
  'data',
  'encoding',
  'replace',
  'search',
  'diff',
  'diff-encoding',
  'edits',
  'todos',
]);
export const isPayload = (field: string): boolean => PAYLOAD.has(field.replaceAll('_', '-'));

/** The same tool under two names. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ['@read', '@coder read'],
  ['@search', '@coder search'],
  ['@tree', '@coder tree'],
  ['@coder read', '@read'],
  ['@coder search', '@search'],
  ['@coder tree', '@tree'],
]);

/** The name of the call and, for deny rules, of its twin. */
export function heads(call: ToolCall, withTwin: 'with-twin' | 'alone'): string[] {
  const twin = withTwin === 'with-twin' ? TWINS.get(call.tool) : undefined;
  return twin ? [call.tool, twin] : [call.tool];
}

/** The whole subject, flags sorted by name. */
export function fullSubject(head: string, call: ToolCall): string {
  return [head, ...flags(call).map(([, text]) => text)].join(' ');
}

/** One subject for each flag alone, so that a further flag never hides another. */
export function flagSubjects(
  head: string,
  call: ToolCall,
): { readonly name: string; readonly value: string; readonly text: string }[] {
  return flags(call).map(([name, text, value]) => ({ name, value, text: `${head} ${text}` }));
}

function flags(call: ToolCall): [string, string, string][] {
  const found: [string, string, string][] = [];
  for (const key of Object.keys(call.args).sort()) {
    const name = key
      .replaceAll('_', '-')
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase();
    if (PAYLOAD.has(name)) continue;
    const shown = name === 'command' ? 'cmd' : name;
    const value = call.args[key];
    // The words of a command line are one text: a rule for its beginning must not be met by a word in its middle.
    const items = name === 'argv' && Array.isArray(value) ? [commandLine(value)] : Array.isArray(value) ? value : [value];
    for (const item of items) {
      const text = spell(item);
      if (text === undefined) continue;
      found.push([shown, text === true ? `--${shown}` : `--${shown} ${text}`, text === true ? '' : text]);
    }
  }
  return found;
}

function commandLine(words: readonly Json[]): string {
  return words.map((word) => (typeof word === 'string' && /^[^\s"]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

function spell(value: Json | undefined): string | true | undefined {
  if (value === true) return true;
  if (value === undefined || value === null || value === false) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Spellings of a path rules may use. `sure` ones are where it really lies; the others are for deny rules only. */
export function pathSpellings(located: Located, context: PolicyContext, which: 'sure' | 'all'): string[] {
  const sure = [located.real];
  const inside = context.roots.find((root) => located.real === root || located.real.startsWith(`${root}/`));
  if (inside !== undefined) sure.push(relative(inside, located.real) || '.');
  if (which === 'sure') return [...new Set(sure)];
  return [...new Set([...sure, located.shown, located.given, located.given.replace(/^(\.\/)+/, '')])];
}

/** A path pattern in the spellings a path may have: `./` and `~` opened, the workspace taken off. */
export function patternSpellings(pattern: string, context: PolicyContext): string[] {
  const plain = pattern.replace(/^(\.\/)+/, '');
  const full = plain === '~' || plain.startsWith('~/') ? context.home + plain.slice(1) : plain;
  const found = [full];
  if (isAbsolute(full))
    for (const root of context.roots) if (full.startsWith(`${root}/`)) found.push(full.slice(root.length + 1));
  return found;
}

export interface PathPattern {
  readonly head: string;
  readonly path: string;
}

/** `@coder write --file src/**` -> its two halves; undefined for other patterns. */
export function asPathPattern(pattern: string): PathPattern | undefined {
  const match = /^(\S+(?: \S+)?) --(?:file|path|dir) (.+)$/s.exec(pattern);
  return match?.[1] !== undefined && match[2] !== undefined ? { head: match[1], path: match[2] } : undefined;
}

/** Everything a call reads and writes, each once. */
export function pathsOf(judged: Judged): readonly Located[] {
  return [...new Map([...judged.reads, ...judged.writes].map((located) => [located.real, located])).values()];
}

/** `@lsp --cmd rename --file a.ts` -> its flags one by one, where there are several: all of them must fit. */
export function asFlagPatterns(pattern: string, head: string): readonly string[] {
  if (!pattern.startsWith(`${head} --`)) return [];
  const flags = pattern.slice(head.length + 1).split(/ (?=--[a-zA-Z])/);
  return flags.length > 1 ? flags.map((flag) => `${head} ${flag}`) : [];
}
