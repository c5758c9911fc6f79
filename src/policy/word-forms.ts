/** Rules written as words (`@lsp rename a.ts`) as the flags they mean (`@lsp --cmd rename --file a.ts`). */
import { nearestNames } from '../base/nearest.js';
import { splitWords } from '../base/words-split.js';
import type { Reason, Rule, RuleSet } from '../types/policy.js';
import { because } from './reasons.js';
import { isPayload } from './subject.js';

/** A tool as far as a pattern can speak of it. */
export interface KnownTool {
  readonly name: string;
  /** Names of its fields. */
  readonly fields: readonly string[];
  /** Fields that words without a flag fill, in order. */
  readonly positional?: readonly string[];
  /** The only values of a field, where there are such. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

/** Their words are those of a command line. */
const COMMANDS: ReadonlySet<string> = new Set(['@coder exec', '@coder test']);

/** The name of the tool a pattern begins with. */
export function headOf(pattern: string): string {
  return /^@coder(\s+[^\s-]\S*)?|^\S+/.exec(pattern)?.[0].replace(/\s+/, ' ') ?? '';
}

/** The same rules, word forms spelled out; `written` keeps what a person wrote. */
export function spelledOut(set: RuleSet, tools: readonly KnownTool[]): RuleSet {
  const spell = (rule: Rule): readonly Rule[] => {
    const pattern = flagForm(rule.pattern, tools);
    if (typeof pattern !== 'string' || pattern === rule.pattern) return [rule];
    const spelled = { ...rule, pattern, written: rule.pattern };
    // A star that is no path's may stand for flags: it keeps that meaning, too.
    return /\s\*./.test(rule.pattern) ? [rule, spelled] : [spelled];
  };
  const idle = set.idle?.flatMap(({ rule, why }) => spell(rule).map((each) => ({ rule: each, why })));
  return { ...set, rules: set.rules.flatMap(spell), ...(idle ? { idle } : {}) };
}

/** Why the words of a pattern match nothing; undefined: they do, or there are none. */
export function wordDoubt(pattern: string, tools: readonly KnownTool[]): Reason | undefined {
  const form = flagForm(pattern, tools);
  return form === undefined || typeof form === 'string' ? undefined : form;
}

/** A pattern with flags in place of words; undefined: it has no words. */
function flagForm(pattern: string, tools: readonly KnownTool[]): string | Reason | undefined {
  const head = headOf(pattern);
  const tool = tools.find(({ name }) => name === head);
  if (tool?.positional === undefined || COMMANDS.has(head)) return undefined;
  const rest = pattern.trim().replace(/\s+/g, ' ').slice(head.length).trim();
  if (rest === '' || rest.startsWith('--') || /^\*+$/.test(rest)) return undefined;
  if (tool.positional[0] === 'argv') return `${head} --argv ${rest}`;
  const at = rest.search(/(?:^| )--[a-zA-Z]/);
  const split = splitWords(at < 0 ? rest : rest.slice(0, at));
  if (!split.ok) return because`its words cannot be read: ${split.message}`;
  const flags = flagsFor(
    tool,
    split.words.map(({ text }) => text),
  );
  if (!Array.isArray(flags)) return flags as Reason;
  return [head, ...flags, ...(at < 0 ? [] : [rest.slice(at).trim()])].join(' ');
}

function flagsFor(tool: KnownTool, words: readonly string[]): string[] | Reason {
  const { name, positional = [], values = {} } = tool;
  const given = [...words];
  while (given.at(-1) === '*') given.pop();
  const flags: string[] = [];
  const fields = [...positional];
  for (const word of given) {
    let field = fields.shift();
    for (;;) {
      const known = field === undefined ? undefined : values[field];
      if (known === undefined || word.includes('*') || known.includes(word)) break;
      const [near] = nearestNames(word, known, 1);
      if (near !== undefined) return because`${word} is none of ${known.join(', ')}; did you mean ${near}?`;
      if (fields.length === 0) return because`${word} is none of ${known.join(', ')}`;
      field = fields.shift();
    }
    if (field === undefined)
      return positional.length === 0
        ? because`${name} takes no words; name a field, as in ${name} --${tool.fields[0] ?? 'field'} ${word}`
        : because`its words are ${positional.join(', ')}, so ${word} is one too many; a name with spaces stands in quotes`;
    if (word === '*') continue;
    // What is written is no part of a rule; of a list of edits the files are.
    if (isPayload(field) && flags.length > 0) return because`rules do not speak of ${field}, so this never matches`;
    flags.push(`--${isPayload(field) ? 'file' : field.replaceAll('_', '-')} ${word}`);
  }
  return flags;
}
