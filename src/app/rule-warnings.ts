/** What is wrong with the rules in force, told at the start and by `policy list` and `policy check`. */

import { english } from '../policy/reasons.js';
import { doubtText, type KnownTool, ruleDoubts } from '../policy/rule-doubts.js';
import type { AgentEvent } from '../types/event.js';
import type { PolicyContext, RuleSet } from '../types/policy.js';
import type { Tool } from '../types/tool.js';
import type { Text } from '../ui/text/index.js';
import { shownLine } from './trust-text.js';

/** Told at the start; `policy list` shows all. */
const MOST = 5;

/** Says which rule files are broken and which rules say less than they seem to. */
export function tellRuleFaults(
  rules: RuleSet,
  tools: readonly Tool[],
  context: PolicyContext,
  emit: (event: AgentEvent) => void,
): void {
  const tell = (code: string, text: string, values: Readonly<Record<string, string>>) =>
    emit({ type: 'notice', level: 'warn', code, text, values: { ...values }, agent: 'main', time: Date.now() });
  for (const { file, reason } of rules.broken)
    tell('rules-broken', `The rule file ${file} cannot be used (${reason}): what it might forbid is denied.`, { file, reason });
  for (const doubt of ruleDoubts(rules, known(tools), context).slice(0, MOST))
    tell('rule-doubt', `A rule may not do what it seems to: ${doubtText(doubt)}`, { rule: shownLine(doubtText(doubt)) });
}

/** Of all notices those about rules. */
export function isRuleNotice(event: AgentEvent): event is AgentEvent & { readonly type: 'notice' } {
  return event.type === 'notice' && /^(rules-broken|rule-doubt)$/.test(event.code);
}

/** One line for each doubt, for people. */
export function doubtLines(
  rules: RuleSet,
  tools: readonly Tool[],
  context: PolicyContext,
  text: Pick<Text, 't' | 'why'>,
): string[] {
  return ruleDoubts(rules, known(tools), context).map(({ origin, rule, why }) =>
    text.t('policy.doubt', {
      rule: shownLine(rule ? `${rule.action} ${rule.pattern} (${origin})` : origin),
      why: text.why(why, english(why)),
    }),
  );
}

function known(tools: readonly Tool[]): KnownTool[] {
  return tools.map(({ name, schema }) => ({ name, fields: Object.keys(schema.properties) }));
}
