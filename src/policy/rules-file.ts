/** Reads and writes rule files in the original's format: {"rules":[{"pattern","action"}],"merge":bool}. Synchronous, small files only. */
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import type { IdleRule, Reason, Rule, RuleAction, RuleDoubt, RuleSet } from '../types/policy.js';
import { because } from './reasons.js';
import { whileLocked, writeAtomically } from './small-write.js';

export interface RuleSources {
  readonly globalFile: string;
  readonly localFiles?: readonly string[];
  /** Unless true for a local file with this text, only its deny rules count. `changed`: it was trusted with another text. */
  readonly trustedLocal: boolean | ((path: string, text: string) => boolean | 'changed');
  /** Rules from the command line and the user's configuration. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Where a rule of `allow` or `deny` comes from, when not from the command line. */
  originOf?(action: RuleAction, pattern: string): string | undefined;
  /** Allow rules of a project's settings that are not trusted. */
  readonly idle?: readonly IdleRule[];
}

const MOST_BYTES = 1 << 20;
const MOST_RULES = 10_000;
/** Longer patterns are not accepted (the original's limit when it saves). */
const LONGEST_PATTERN = 500;

interface RuleFile {
  readonly rules: readonly Rule[];
  readonly merge: boolean;
  readonly doubts: readonly RuleDoubt[];
}

interface ReadFile extends RuleFile {
  readonly text: string;
}

type Read =
  | { readonly kind: 'absent' }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'ok'; readonly file: ReadFile };

/**
 * All rules in force. A trusted local file without `merge` replaces the global allow and ask rules, never the global
 * denies; an untrusted one only adds denies. A file that cannot be used is listed in `broken`.
 */
export function loadRules(sources: RuleSources): RuleSet {
  const broken: { file: string; reason: string }[] = [];
  const doubts: RuleDoubt[] = [];
  const { trustedLocal } = sources;
  const take = (path: string): ReadFile | undefined => {
    const read = readRuleFile(path);
    if (read.kind === 'broken') broken.push({ file: path, reason: read.reason });
    if (read.kind === 'ok') doubts.push(...read.file.doubts);
    return read.kind === 'ok' ? read.file : undefined;
  };
  let rules: readonly Rule[] = take(sources.globalFile)?.rules ?? [];
  const idle: IdleRule[] = [...(sources.idle ?? [])];
  for (const path of sources.localFiles ?? []) {
    const local = samePlace(path, sources.globalFile) ? undefined : take(path);
    if (!local) continue;
    const trusted = typeof trustedLocal === 'boolean' ? trustedLocal : trustedLocal(path, local.text);
    const before = [...rules, ...local.rules];
    rules = combine(rules, local, trusted === true);
    const why = trusted === true ? 'replaced' : trusted === false ? 'untrusted' : 'changed';
    idle.push(...before.filter((rule) => !rules.includes(rule)).map((rule) => ({ rule, why }) as const));
  }
  const listed = [...rules, ...given(sources, 'deny'), ...given(sources, 'allow')];
  return { rules: listed, broken, ...(idle.length > 0 ? { idle } : {}), ...(doubts.length > 0 ? { doubts } : {}) };
}

function combine(rules: readonly Rule[], local: RuleFile, trusted: boolean): readonly Rule[] {
  const denies = local.rules.filter((rule) => rule.action === 'deny');
  if (!trusted) return [...rules, ...denies];
  if (!local.merge) return [...rules.filter((rule) => rule.action === 'deny'), ...local.rules];
  const patterns = new Set(local.rules.map((rule) => rule.pattern));
  return [...rules.filter((rule) => rule.action === 'deny' || !patterns.has(rule.pattern)), ...local.rules];
}

function given(sources: RuleSources, action: 'allow' | 'deny'): Rule[] {
  return (sources[action] ?? [])
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
    .map((pattern) => ({ pattern, action, origin: sources.originOf?.(action, pattern) ?? `--${action}` }));
}

function samePlace(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}

function readRuleFile(path: string): Read {
  const text = readSmallFile(path);
  if (text === undefined) return { kind: 'absent' };
  if (typeof text !== 'string') return { kind: 'broken', reason: text.reason };
  const parsed = parseRules(text, path);
  return 'reason' in parsed ? { kind: 'broken', reason: parsed.reason } : { kind: 'ok', file: { ...parsed, text } };
}

/** The text of a regular file of reasonable size; undefined when nothing is there. */
function readSmallFile(path: string): string | { readonly reason: string } | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = codeOf(error);
    // A link that leads nowhere is something, not nothing.
    if (code === 'ENOENT' && isNothing(path)) return undefined;
    if (code === 'ENOTDIR') return undefined;
    return { reason: `it cannot be opened (${code})` };
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { reason: 'it is not a regular file' };
    if (stat.size > MOST_BYTES) return { reason: 'it is larger than 1 MiB' };
    const bytes = readFileSync(fd);
    return isUtf8(bytes) ? bytes.toString('utf8') : { reason: 'it is not UTF-8 text' };
  } catch (error) {
    return { reason: `it cannot be read (${codeOf(error)})` };
  } finally {
    closeSync(fd);
  }
}

function isNothing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? 'unknown fault');
}

/** The rules in a text, or why it holds none. */
export function parseRules(text: string, origin: string): RuleFile | { readonly reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { reason: 'it is not valid JSON' };
  }
  if (!isObject(value)) return { reason: 'it is not a JSON object' };
  const doubts: RuleDoubt[] = [];
  const doubt = (why: Reason) => doubts.push({ origin, why });
  const strange = Object.keys(value).filter((key) => key !== 'rules' && key !== 'merge');
  // Rules under another name may be denials that would be passed over.
  const hidden = value['rules'] === undefined ? strange.find((key) => Array.isArray(value[key])) : undefined;
  if (hidden !== undefined) return { reason: `it has a list ${JSON.stringify(hidden)} where "rules" was expected` };
  for (const key of strange) doubt(because`nothing is called ${JSON.stringify(key)} here; it counts for nothing`);
  const list = value['rules'] ?? [];
  if (!Array.isArray(list)) return { reason: '"rules" is not a list' };
  if (list.length > MOST_RULES) return { reason: 'it holds more than 10,000 rules' };
  if (value['merge'] !== undefined && value['merge'] !== null && typeof value['merge'] !== 'boolean')
    return { reason: '"merge" is neither true nor false' };
  const rules: Rule[] = [];
  for (const [index, entry] of list.entries()) {
    const rule = isObject(entry) ? toRule(entry, origin) : undefined;
    if (!rule) return { reason: `rule ${index + 1} needs a text "pattern" and an "action" of allow, deny or ask` };
    if (rule.pattern === '') doubt(because`rule ${index + 1} has an empty pattern and counts for nothing`);
    else rules.push(rule);
    const more = Object.keys(entry as object).find((key) => key !== 'pattern' && key !== 'action');
    if (more !== undefined) doubt(because`rule ${index + 1} has a key ${JSON.stringify(more)}, which counts for nothing`);
  }
  return { rules, merge: value['merge'] === true, doubts };
}

function toRule(entry: Record<string, unknown>, origin: string): Rule | undefined {
  const { pattern, action } = entry;
  if (typeof pattern !== 'string' || typeof action !== 'string') return undefined;
  const known = action.trim().toLowerCase();
  if (known !== 'allow' && known !== 'deny' && known !== 'ask') return undefined;
  return { pattern: pattern.trim(), action: known, origin };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Adds a rule, or changes the action of an equal pattern. Other keys, unknown ones too, stay as they are. Atomic, mode
 * 0600. Throws when the pattern is empty or over 500 characters, or when the file there is broken: it is never replaced.
 */
export function saveRule(path: string, rule: Pick<Rule, 'pattern' | 'action'>): void {
  const pattern = rule.pattern.trim();
  if (pattern === '' || pattern.length > LONGEST_PATTERN)
    throw new Error(`a rule pattern has 1 to ${LONGEST_PATTERN} characters`);
  changeRules(path, (list) => {
    const at = list.findIndex((entry) => isFor(entry, pattern));
    return at < 0
      ? [...list, { pattern, action: rule.action }]
      : list.map((entry, index) => (index === at ? { ...entry, action: rule.action } : entry));
  });
}

/** Takes out every rule with this pattern; the number taken out. The file stays as it is when there is none. Throws like `saveRule`. */
export function removeRule(path: string, pattern: string): number {
  let removed = 0;
  changeRules(path, (list) => {
    const kept = list.filter((entry) => !isFor(entry, pattern.trim()));
    removed = list.length - kept.length;
    return removed === 0 ? undefined : kept;
  });
  return removed;
}

type Entry = Record<string, unknown>;

function isFor(entry: Entry, pattern: string): boolean {
  return typeof entry['pattern'] === 'string' && entry['pattern'].trim() === pattern;
}

/** `change` gives the new list, or undefined to leave the file alone. */
function changeRules(path: string, change: (list: readonly Entry[]) => readonly Entry[] | undefined): void {
  whileLocked(path, () => {
    const text = readSmallFile(path);
    if (text !== undefined && typeof text !== 'string') throw new Error(`${path}: ${text.reason}`);
    const checked = text === undefined ? undefined : parseRules(text, path);
    if (checked && 'reason' in checked) throw new Error(`${path}: ${checked.reason}`);
    const whole = (text === undefined ? {} : JSON.parse(text.replace(/^\uFEFF/, ''))) as Entry;
    const rules = change(Array.isArray(whole['rules']) ? (whole['rules'] as Entry[]) : []);
    if (rules) writeAtomically(path, `${JSON.stringify({ ...whole, rules }, null, 2)}\n`);
  });
}
