/** Which rules speak of the parts of a shell command. Allowing needs every part, denying needs one. */
import type { PolicyContext, Rule } from '../types/policy.js';
import { deniesFilesOf } from './file-rules.js';
import { matchesPrefix } from './match.js';
import { isBareExecAsk, isForHead, longest } from './rules.js';
import type { Part } from './shell/types.js';

const EXEC = '@coder exec';

/** The heads a shell command of this tool is known by. */
function execHeads(tool: string): string[] {
  return tool === EXEC ? [EXEC] : [tool, EXEC];
}

/** The deny rule that hits one part, or undefined. */
export function denyRuleForPart(part: Part, tool: string, context: PolicyContext): Rule | undefined {
  return context.rules.rules.find((rule) => rule.action === 'deny' && deniesPart(rule, part, tool, context));
}

/** Is there a deny rule that names commands? */
export function hasExecDeny(context: PolicyContext): boolean {
  return context.rules.rules.some((rule) => rule.action === 'deny' && rule.pattern.startsWith(`${EXEC} `));
}

function deniesPart(rule: Rule, part: Part, tool: string, context: PolicyContext): boolean {
  for (const head of execHeads(tool)) {
    if (isForHead(rule.pattern, head)) return true;
    const wanted = commandPattern(rule.pattern, head);
    if (wanted !== undefined) {
      if (part.denyTexts.some((text) => matchesPrefix(wanted, text, 'word') || namesLoosely(wanted, text))) return true;
    } else if (part.denyTexts.some((text) => matchesPrefix(rule.pattern, `${head} --cmd ${text}`, 'word'))) return true;
  }
  return deniesFilesOf(rule, part, context);
}

/** `@coder exec npm test` and `@coder exec --cmd npm test` -> `npm test`. */
export function commandPattern(pattern: string, head: string): string | undefined {
  if (!pattern.startsWith(`${head} `)) return undefined;
  const rest = pattern.slice(head.length + 1).trimStart();
  return rest.replace(/^--(cmd|command)(=|\s+)/, '');
}

/**
 * `rm -rf` also means `rm -v -r -f`; `kubectl delete` also `kubectl -n prod delete`: the pattern's plain words must come
 * in order (a word right after an option may be its value), its options must all be there.
 */
function namesLoosely(pattern: string, text: string): boolean {
  if (pattern.includes('*')) return false;
  const wanted = pattern.split(/\s+/).filter((word) => word !== '');
  const given = text.split(/\s+/);
  const letters = new Set(given.flatMap(optionNames));
  if (!wanted.flatMap(optionNames).every((name) => letters.has(name))) return false;
  const plain = wanted.filter((word) => !word.startsWith('-'));
  let at = 0;
  for (const [index, word] of given.entries()) {
    if (word.startsWith('-')) continue;
    if (at >= plain.length) break;
    if (word === plain[at]) at++;
    else if (index === 0 || !given[index - 1]?.startsWith('-')) return false;
  }
  return at >= plain.length;
}

function optionNames(word: string): string[] {
  if (/^--[^-=]/.test(word)) return [word.replace(/=.*$/s, '')];
  return /^-[A-Za-z]+$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [];
}

/** What the allow and ask rules say of one part. */
export interface Spoken {
  readonly rule?: Rule;
  /** The part may run because of the rule. */
  readonly covered: boolean;
}

/** The longest allow or ask rule for a part. */
export function spokenForPart(part: Part, tool: string, context: PolicyContext): Spoken {
  const rules = context.rules.rules.filter(
    (rule) => rule.action !== 'deny' && !isBareExecAsk(rule) && speaksOfPart(rule, part, tool),
  );
  const rule = longest(rules);
  if (!rule) return { covered: false };
  return { rule, covered: rule.action === 'allow' && !part.opaque && !isLedOutside(part, rule.pattern) };
}

/** Does an option of the command lead out of the workspace, where the rule for the command does not say so itself? */
function isLedOutside(part: Part, pattern: string): boolean {
  if (!part.outside || pattern.includes('*') || isForHead(pattern, EXEC)) return false;
  const words = part.written.split(/\s+/).map((word) => word.replace(/["']/g, ''));
  return words.some((word, index) => {
    const before = words[index - 1] ?? '';
    const value =
      /^-[^=]*=(.*)$/.exec(word)?.[1] ?? /^-[A-Za-z]([/~.].*)$/.exec(word)?.[1] ?? (/^-[^=]+$/.test(before) ? word : '');
    return /^(\/|~|\.\.(\/|$))/.test(value) && !pattern.includes(value);
  });
}

function speaksOfPart(rule: Rule, part: Part, tool: string): boolean {
  for (const head of execHeads(tool)) {
    // Allowing a tool such as `@coder test` is not allowing any command that is given to it.
    if (isForHead(rule.pattern, head) && (rule.action === 'ask' || head === EXEC)) return true;
    const wanted = commandPattern(rule.pattern, head);
    const boundary = rule.action === 'allow' ? 'blank' : 'word';
    if (wanted === undefined) {
      if (rule.action === 'ask' && part.denyTexts.some((text) => matchesPrefix(rule.pattern, `${head} --cmd ${text}`, 'word')))
        return true;
      continue;
    }
    if (rule.action === 'ask') {
      if (part.denyTexts.some((text) => matchesPrefix(wanted, text, boundary))) return true;
      continue;
    }
    // What a part does besides its command, no rule for the command speaks of.
    if (part.extra) continue;
    const reaches = (least: number) => wanted.includes('*') || wanted.length >= least;
    if (part.ruleTexts.some((entry) => reaches(entry.least) && matchesPrefix(wanted, entry.text, boundary))) return true;
  }
  return false;
}
