/** The rules an answer "always" or "never" is kept as. */
import type { Question, Rule } from '../types/policy.js';
import { judgeLine } from './shell/judge.js';
import type { Part, ShellEnv } from './shell/types.js';

const LONGEST = 500;

/**
 * `always`: for a shell command one rule for each simple command that needs one; otherwise the tool's name. Empty for what always
 * asks, and where rules cannot answer all of it. `never`: the command that decided, or the tool's name; never empty.
 */
export function ruleFor(question: Question, answer: 'always' | 'never'): Rule[] {
  const { call, facts, decision } = question;
  const action = answer === 'always' ? 'allow' : 'deny';
  if (answer === 'always' && decision.step === 3) return [];
  if (facts.command === undefined) {
    const patterns = answer === 'always' ? [call.tool] : denyingPaths(question);
    return patterns.map((pattern) => ({ pattern, action, origin: 'session' }));
  }
  const parts = judgeLine(facts.command, NOWHERE);
  const patterns = answer === 'always' ? allowing(parts) : denying(parts, decision.part, facts.command);
  return [...new Set(patterns)].map((pattern) => ({ pattern, action, origin: 'session' }));
}

function allowing(parts: readonly Part[]): string[] {
  const open = parts.filter((part) => part.verdict !== 'allow' && !(part.away && !part.opaque));
  const patterns = open.flatMap((part) => (needsRule(part) ? (patternOf(part) ?? []) : []));
  return patterns.length < open.length ? [] : patterns;
}

/** The place that decided, else the files it would change or read: no wider than what was shown. */
function denyingPaths({ call, facts, decision }: Question): string[] {
  const shown = decision.part === undefined ? (facts.readOnly ? facts.reads : facts.writes) : [decision.part];
  const named = [...new Set(shown)].filter((path) => !WHOLE.test(path));
  if (named.length === 0) return facts.readOnly ? [] : [call.tool];
  const patterns = named.map((path) => `${call.tool} --file ${path}`);
  // A `*` would stand for other names as well.
  return patterns.every((pattern) => !pattern.includes('*') && pattern.length <= LONGEST) ? patterns : [];
}

/** The workspace itself, a drive's root, or the home folder. */
const WHOLE = /^\s*(?:\.{0,2}|~)?\/*(?:\.{0,2}\/*)*$/;

/** What cannot be told apart is blocked as it stands; what is too long by its beginning. */
function denying(parts: readonly Part[], deciding: string | undefined, command: string): string[] {
  const named = parts.filter((part) => part.written !== '' && !part.away);
  const patterns = blocked(named, deciding).flatMap((part) => patternOf(part) ?? []);
  if (patterns.length > 0) return patterns;
  const whole = `@coder exec --cmd ${command.trim()}`;
  return [whole.length <= LONGEST ? whole : whole.slice(0, LONGEST).replace(/\s+\S*$/, '')];
}

/** The same as text for people; undefined when no rule can be made. */
export function keptAs(question: Question, answer: 'always' | 'never'): string | undefined {
  const patterns = ruleFor(question, answer).map((rule) => rule.pattern);
  return patterns.length === 0 ? undefined : patterns.join(', ');
}

/** The words as written: the same spelling whoever the user is and wherever the command runs. */
function patternOf(part: Part): string | undefined {
  const text = part.written.trim();
  const pattern = `@coder exec --cmd ${text}`;
  return text && !text.includes('*') && pattern.length <= LONGEST ? pattern : undefined;
}

function needsRule(part: Part): boolean {
  return part.verdict === 'ask' && part.written !== '' && !part.away && !part.readOnly && !part.opaque && !part.extra;
}

function blocked(parts: readonly Part[], deciding: string | undefined): readonly Part[] {
  const named = parts.filter((part) => part.text === deciding);
  if (named.length > 0) return named;
  const others = parts.filter((part) => !part.readOnly);
  return others.length > 0 ? others : parts;
}

/** Places do not matter here: only the words of the commands do. */
const NOWHERE: ShellEnv = {
  home: '/home/nobody',
  root: '/project',
  roots: ['/project'],
  locate: (path) => ({ given: path, real: path.startsWith('/') ? path : `/project/${path}`, shown: path, zone: 'inside' }),
};
