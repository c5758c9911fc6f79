/** Rules that say nothing, or less than they seem to: misspelled tools, patterns that never match, what no rule decides. */
import { nearestNames } from '../base/nearest.js';
import type { PolicyContext, Reason, Rule, RuleDoubt, RuleSet } from '../types/policy.js';

import { matchesPrefix } from './match.js';
import { because, english } from './reasons.js';
import { judgeLine } from './shell/judge.js';
import { parseShell } from './shell/parse.js';
import { headOf, type KnownTool, wordDoubt } from './word-forms.js';

export type { KnownTool } from './word-forms.js';

const MOST = 50;

/** Doubts about rules in force and about their files, at most fifty; pure, never throws. */
export function ruleDoubts(set: RuleSet, tools: readonly KnownTool[], context: PolicyContext): readonly RuleDoubt[] {
  const found: RuleDoubt[] = [...(set.doubts ?? [])];
  for (const rule of set.rules.slice(0, 300)) {
    if (found.length >= MOST) break;
    const why = doubtOf(rule, set.rules, tools, context);
    if (why) found.push({ origin: rule.origin, rule, why });
  }
  return found;
}

/** One doubt in English: where, which rule, why. */
export function doubtText({ origin, rule, why }: RuleDoubt): string {
  return `${rule ? `${rule.action} ${rule.written ?? rule.pattern} (${origin})` : origin}: ${english(why)}`;
}

function doubtOf(rule: Rule, all: readonly Rule[], tools: readonly KnownTool[], context: PolicyContext): Reason | undefined {
  const { pattern } = rule;
  if (pattern.startsWith('*')) return undefined;
  const head = headOf(pattern);
  if (!pattern.startsWith('@') && !/^mcp_/.test(pattern) && tools.every(({ name }) => name !== head))
    return because`a pattern begins with the name of a tool, as in @coder exec --cmd ${pattern}`;
  return (
    headDoubt(head, tools) ??
    textDoubt(pattern) ??
    fieldDoubt(pattern, head, tools) ??
    wordDoubt(pattern, tools) ??
    valueDoubt(pattern, head, tools) ??
    (head === '@coder exec' ? commandDoubt(rule, context) : undefined) ??
    coveredBy(rule, all)
  );
}

function headDoubt(head: string, tools: readonly KnownTool[]): Reason | undefined {
  if (head.includes('*') || !head.startsWith('@') || head === '@coder') return undefined;
  const names = tools.map((tool) => tool.name);
  // The original's rules match at a word's end, so `@coder r` names nothing while `@coder` names all.
  if (names.some((name) => name === head || name.startsWith(`${head} `))) return undefined;
  const [near] = nearestNames(head, [...names, '@coder'], 1);
  return near === undefined ? because`no tool is called ${head}` : because`no tool is called ${head}; did you mean ${near}?`;
}

/** Signs of other pattern languages. */
function textDoubt(pattern: string): Reason | undefined {
  if (/\.\*|\(\?|\[\^|\\[dws]|\([\w-]+(\|[\w-]+)+\)|^@?\^|\$$/.test(pattern) && !/\$\w/.test(pattern))
    return because`a pattern is no regular expression: only * stands for other text`;
  return undefined;
}

function fieldDoubt(pattern: string, head: string, tools: readonly KnownTool[]): Reason | undefined {
  const tool = tools.find((one) => one.name === head);
  const flag = /^--([\w-]+)/.exec(pattern.slice(head.length).trimStart())?.[1];
  if (!tool || flag === undefined) return undefined;
  const known = [
    ...tool.fields.map((field) => field.replaceAll('_', '-')),
    ...(head === '@coder exec' ? ['cmd', 'command'] : ['file', 'path', 'dir']),
  ];
  if (known.includes(flag)) return undefined;
  const [near] = nearestNames(flag, known, 1);
  return near === undefined ? because`${head} has no --${flag}` : because`${head} has no --${flag}; did you mean --${near}?`;
}

/** `@lsp --cmd renam`: a value the field cannot have. */
function valueDoubt(pattern: string, head: string, tools: readonly KnownTool[]): Reason | undefined {
  const values = tools.find((one) => one.name === head)?.values ?? {};
  for (const [, field = '', value = ''] of pattern.matchAll(/ --([\w-]+) ([^\s*]+)(?=\s|$)/g)) {
    const known = values[field.replaceAll('-', '_')] ?? values[field];
    if (known === undefined || known.some((each) => matchesPrefix(value, each, 'word'))) continue;
    const [near] = nearestNames(value, known, 1);
    return near === undefined
      ? because`${value} is none of ${known.join(', ')}`
      : because`${value} is none of ${known.join(', ')}; did you mean ${near}?`;
  }
  return undefined;
}

function commandDoubt(rule: Rule, context: PolicyContext): Reason | undefined {
  const command = rule.pattern
    .slice('@coder exec'.length)
    .trimStart()
    .replace(/^--(cmd|command)(=|\s+)/, '');
  if (command === '' || /^--\w/.test(command) || command.includes('*')) return undefined;
  const { script, faults } = parseShell(command);
  const [first] = script.commands;
  if (faults.length === 0 && (script.commands.length > 1 || (first && first.command.type !== 'Command')))
    return because`a rule speaks of one simple command, so one that joins several never matches`;
  if (rule.action === 'deny') return undefined;
  const { home, root, roots } = context;
  const worst = judgeLine(command, { home, root, roots, locate: (path) => context.locate(path) }).map((part) => part.verdict);
  if (worst.includes('deny')) return because`this is refused, whatever the rules say`;
  return worst.includes('immune') && rule.action === 'allow' ? because`this is always asked, whatever the rules say` : undefined;
}

function coveredBy(rule: Rule, all: readonly Rule[]): Reason | undefined {
  if (rule.action === 'deny') return undefined;
  const deny = all.find((other) => other.action === 'deny' && matchesPrefix(other.pattern, rule.pattern, 'word'));
  return deny ? because`the deny rule ${deny.pattern} covers it` : undefined;
}
