/** What `/policy` and `/trust` of the shell work on. */
import type { CommandContext } from '../types/command.js';
import type { Config } from './config.js';
import type { Translate } from './flags.js';
import { type RuleStore, removedRule } from './policy-view.js';
import { trustPort } from './trust-port.js';
import { ruleLines } from './trust-text.js';

/** Trust given or taken back changes the rules in force at once. */
export function shellRules(
  config: Config,
  t: Translate,
  rules: RuleStore,
): Pick<CommandContext, 'policyLines' | 'removeRule' | 'trust'> {
  return {
    policyLines: () => ruleLines(rules.current(), t),
    removeRule: (pattern) => removedRule(rules, pattern, t),
    trust: trustPort(config, t, (trust) => rules.trust(trust)),
  };
}
