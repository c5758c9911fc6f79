/** Reads and writes rule files in the original's format: {"rules":[{"pattern","action"}],"merge":bool}. Synchronous, small files only. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Rule, RuleAction, RuleSet } from '../types/policy.js';

export interface RuleSources {
  readonly globalFile: string;
  readonly localFiles?: readonly string[];
  /** False for a local file with this text: only its deny rules count. */
  readonly trustedLocal: boolean | ((path: string, text: string) => boolean);
  /** Rules from the command line and the user's configuration. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

const MOST_BYTES = 1 << 20;
const MOST_RULES = 10_000;
/** Longer patterns are not accepted (the original's limit when it saves). */
const LONGEST_PATTERN = 500;

interface RuleFile {
  readonly rules: readonly Rule[];
  readonly merge: boolean;
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
  const { trustedLocal } = sources;
  const take = (path: string): ReadFile | undefined => {
    const read = readRuleFile(path);
    if (read.kind === 'broken') broken.push({ file: path, reason: read.reason });
    return read.kind === 'ok' ? read.file : undefined;
  };
  let rules: readonly Rule[] = take(sources.globalFile)?.rules ?? [];
  for (const path of sources.localFiles ?? []) {
    const local = samePlace(path, sources.globalFile) ? undefined : take(path);
    if (!local) continue;
    rules = combine(rules, local, typeof trustedLocal === 'boolean' ? trustedLocal : trustedLocal(path, local.text));
  }
  return { rules: [...rules, ...given(sources.deny, 'deny'), ...given(sources.allow, 'allow')], broken };
}

function combine(rules: readonly Rule[], local: RuleFile, trusted: boolean): readonly Rule[] {
  const denies = local.rules.filter((rule) => rule.action === 'deny');
  if (!trusted) return [...rules, ...denies];
  if (!local.merge) return [...rules.filter((rule) => rule.action === 'deny'), ...local.rules];
  const patterns = new Set(local.rules.map((rule) => rule.pattern));
  return [...rules.filter((rule) => rule.action === 'deny' || !patterns.has(rule.pattern)), ...local.rules];
}

function given(patterns: readonly string[] | undefined, action: RuleAction): Rule[] {
  return (patterns ?? [])
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
    .map((pattern) => ({ pattern, action, origin: `--${action}` }));
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
    return readFileSync(fd, 'utf8');
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
  const list = value['rules'] ?? [];
  if (!Array.isArray(list)) return { reason: '"rules" is not a list' };
  if (list.length > MOST_RULES) return { reason: 'it holds more than 10,000 rules' };
  if (value['merge'] !== undefined && value['merge'] !== null && typeof value['merge'] !== 'boolean')
    return { reason: '"merge" is neither true nor false' };
  const rules: Rule[] = [];
  for (const [index, entry] of list.entries()) {
    const rule = isObject(entry) ? toRule(entry, origin) : undefined;
    if (!rule) return { reason: `rule ${index + 1} needs a text "pattern" and an "action" of allow, deny or ask` };
    if (rule.pattern !== '') rules.push(rule);
  }
  return { rules, merge: value['merge'] === true };
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
  const text = readSmallFile(path);
  if (text !== undefined && typeof text !== 'string') throw new Error(`${path}: ${text.reason}`);
  const checked = text === undefined ? undefined : parseRules(text, path);
  if (checked && 'reason' in checked) throw new Error(`${path}: ${checked.reason}`);
  const whole = (text === undefined ? {} : JSON.parse(text.replace(/^\uFEFF/, ''))) as Record<string, unknown>;
  const list = Array.isArray(whole['rules']) ? (whole['rules'] as Record<string, unknown>[]) : [];
  const at = list.findIndex((entry) => typeof entry['pattern'] === 'string' && entry['pattern'].trim() === pattern);
  const rules =
    at < 0
      ? [...list, { pattern, action: rule.action }]
      : list.map((entry, index) => (index === at ? { ...entry, action: rule.action } : entry));
  writeAtomically(path, `${JSON.stringify({ ...whole, rules }, null, 2)}\n`);
}

/** Writes a small private file: beside it, synced, renamed. A link is followed, so that it stays a link. */
export function writeAtomically(path: string, text: string): void {
  const target = realTarget(path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(target), `.${randomBytes(8).toString('hex')}.tmp`);
  const fd = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, target);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
