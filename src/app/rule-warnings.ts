/** What is wrong with the rules in force, told at the start and by `policy list` and `policy check`. */

import { agentTool } from '../loop/agent-tool.js';
import { agentsTool } from '../loop/agents-tool.js';
import { skillTool } from '../loop/skill-tool.js';
import { explain } from '../policy/explain.js';
import { english } from '../policy/reasons.js';
import { doubtText, type KnownTool, ruleDoubts } from '../policy/rule-doubts.js';
import type { Dispatcher } from '../types/dispatch.js';
import type { AgentEvent } from '../types/event.js';
import type { Json, JsonObject } from '../types/json.js';
import type { Judged, PolicyContext, Rule, RuleDoubt, RuleSet } from '../types/policy.js';
import type { Tool } from '../types/tool.js';
import { createText, type Text } from '../ui/text/index.js';
import type { ProjectFault } from './config.js';
import { knownTools } from './known-tools.js';
import { shownLine } from './trust-text.js';

/** Told at the start; `policy list` shows all. */
const MOST = 5;

/** Says which rule files are broken, which rules say less than they seem to, and what of a project's settings does not count. */
export function tellRuleFaults(
  context: PolicyContext,
  tools: readonly Tool[],
  faults: readonly ProjectFault[],
  emit: (event: AgentEvent) => void,
): void {
  const { rules } = context;
  const tell = (code: string, text: string, values: JsonObject) =>
    emit({ type: 'notice', level: 'warn', code, text, values, agent: 'main', time: Date.now() });
  for (const { file, reason } of rules.broken)
    tell('rules-broken', `The rule file ${file} cannot be used (${reason}): what it might forbid is denied.`, { file, reason });
  for (const doubt of ruleDoubts(rules, known(tools), context).slice(0, MOST))
    tell('rule-doubt', `A rule may not do what it seems to: ${doubtText(doubt)}`, {
      rule: subjectOf(doubt),
      why: { text: doubt.why.text, values: doubt.why.values as Json },
    });
  for (const fault of faults.slice(0, MOST))
    tell(fault.code, createText('en').t(`notice.${fault.code}`, valuesOf(fault)), valuesOf(fault));
}

const valuesOf = ({ file, what }: ProjectFault) => ({ file: shownLine(file), what: shownLine(what).slice(0, 300) });

/** What of a trusted project's settings does not count, as lines for people. */
export function projectFaultLines(faults: readonly ProjectFault[], { t }: Pick<Text, 't'>): string[] {
  return faults.map((fault) => t(`notice.${fault.code}`, valuesOf(fault)));
}

function subjectOf({ rule, origin }: RuleDoubt): string {
  return shownLine(rule ? `${rule.action} ${rule.written ?? rule.pattern} (${origin})` : origin);
}

/** Of all notices those about rules. */
export function isRuleNotice(event: AgentEvent): event is AgentEvent & { readonly type: 'notice' } {
  return event.type === 'notice' && /^(rules-broken|rule-doubt|project-key|project-settings)$/.test(event.code);
}

/** One line for each doubt, for people. */
export function doubtLines(
  rules: RuleSet,
  tools: readonly Tool[],
  context: PolicyContext,
  text: Pick<Text, 't' | 'why'>,
): string[] {
  return ruleDoubts(rules, known(tools), context).map((doubt) => doubtLine(doubt, text));
}

/** The same in short, for a call: rules that are about it in full, the others as a number. */
export function doubtsFor(judged: Judged, tools: readonly Tool[], context: PolicyContext, text: Text): string[] {
  const doubts = ruleDoubts(context.rules, known(tools), context);
  const near = doubts.filter(({ rule }) => rule !== undefined && concerns(rule, judged, context));
  const rest = doubts.filter((doubt) => !near.includes(doubt));
  const lines = (some: typeof doubts) => some.map((doubt) => doubtLine(doubt, text));
  return [...lines(near), ...(rest.length > 1 ? [text.t('policy.moreDoubts', { count: rest.length })] : lines(rest))];
}

/** Would the rule decide the call, or a part of it, if it stood alone? */
function concerns(rule: Rule, judged: Judged, context: PolicyContext): boolean {
  const { decision, parts } = explain(judged, { ...context, rules: { ...context.rules, rules: [rule] } });
  return decision.rule === rule || parts.some((part) => part.rule === rule);
}

function doubtLine(doubt: RuleDoubt, text: Pick<Text, 't' | 'why'>): string {
  return text.t('policy.doubt', { rule: subjectOf(doubt), why: text.why(doubt.why, english(doubt.why)) });
}

/** Tools of conversations: rules may speak of them wherever they are looked at. */
const NOBODY: Dispatcher = {
  dispatch: () => Promise.reject(new Error('no agents here')),
  workers: () => [],
  cancel: () => false,
};
const nothing = (): never => {
  throw new Error('no agents here');
};
const OF_CONVERSATIONS = [agentTool(NOBODY), agentsTool(NOBODY, () => []), skillTool([], nothing)];

function known(tools: readonly Tool[]): KnownTool[] {
  const missing = OF_CONVERSATIONS.filter(({ name }) => tools.every((tool) => tool.name !== name));
  return knownTools([...tools, ...missing]);
}
