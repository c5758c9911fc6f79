/** The rules an answer "always" or "never" is kept as. */
import type { Question, Rule } from '../types/policy.js';
import { judgeLine } from './shell/judge.js';
import type { Part, ShellEnv } from './shell/types.js';

const LONGEST = 500;

/**
 * `always`: for a shell command one rule for each simple command that needs one, none for what always asks; otherwise the
 * tool's name. `never`: the command that decided, or the tool's name. May be empty.
 */
export function ruleFor(question: Question, answer: 'always' | 'never'): Rule[] {
  const { call, facts, decision } = question;
  const action = answer === 'always' ? 'allow' : 'deny';
  if (answer === 'always' && decision.step === 3) return [];
  if (facts.command === undefined) return [{ pattern: call.tool, action, origin: 'session' }];
  const parts = judgeLine(facts.command, NOWHERE).filter((part) => part.written !== '' && !part.away);
  const chosen = answer === 'always' ? parts.filter(needsRule) : blocked(parts, decision.part);
  const patterns = chosen.map(patternOf).filter((pattern) => pattern !== undefined && pattern.length <= LONGEST);
  return [...new Set(patterns)].map((pattern) => ({ pattern: pattern ?? '', action, origin: 'session' }));
}

/** The words as written: the same spelling whoever the user is and wherever the command runs. */
function patternOf(part: Part): string | undefined {
  const text = part.written.trim();
  return text && !text.includes('*') ? `@coder exec --cmd ${text}` : undefined;
}

function needsRule(part: Part): boolean {
  return part.verdict === 'ask' && !part.readOnly && !part.opaque && !part.extra;
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
