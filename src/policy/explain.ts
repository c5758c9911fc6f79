/** Takes a decision apart for people: every part of a call with its own verdict and the rule that speaks of it. */
import type { Decision, IdleRule, Judged, PolicyContext, Reason, Rule, Verdict } from '../types/policy.js';
import { decide, judgeParts } from './decide.js';
import { because, english } from './reasons.js';
import { denyRuleForPart, spokenForPart } from './shell-rules.js';

export interface ExplainedPart {
  readonly part: string;
  readonly verdict: Verdict;
  readonly reason: string;
  /** The same for people; see Decision. */
  readonly why?: Reason;
  readonly rule?: Rule;
  /** Where the paths it names really lie. */
  readonly paths: readonly { readonly path: string; readonly zone: string; readonly write: boolean }[];
}

export interface Explanation {
  readonly decision: Decision;
  readonly parts: readonly ExplainedPart[];
}

/** The decision and all its parts. For calls without a shell command the paths are the parts. Never throws. */
export function explain(judged: Judged, context: PolicyContext): Explanation {
  const decision = decide(judged, context);
  const { command } = judged.facts;
  if (command === undefined) return { decision, parts: plainParts(judged, decision) };
  try {
    return { decision, parts: judgeParts(judged, command, context).map((part) => explainPart(part, judged, context)) };
  } catch {
    return { decision, parts: [{ part: command, verdict: decision.verdict, ...said(decision), paths: [] }] };
  }
}

/** Rules that are not in force and would speak of the call if they were. */
export function idleRules(judged: Judged, context: PolicyContext): readonly IdleRule[] {
  const { rules } = context;
  return (rules.idle ?? []).filter(({ rule }) => {
    const { decision, parts } = explain(judged, { ...context, rules: { ...rules, rules: [rule] } });
    return decision.rule === rule || parts.some((part) => part.rule === rule);
  });
}

function explainPart(part: ReturnType<typeof judgeParts>[number], judged: Judged, context: PolicyContext): ExplainedPart {
  const paths = part.paths
    .filter((path) => path.doubtful !== true)
    .map((path) => ({ path: path.located.shown, zone: path.located.zone, write: path.write }));
  const denied = denyRuleForPart(part, judged.call.tool, context);
  if (denied) return { part: part.text, verdict: 'deny', ...said(because`a deny rule names it`), rule: denied, paths };
  const { rule, covered } = spokenForPart(part, judged.call.tool, context);
  const open = part.verdict === 'allow' || part.verdict === 'ask';
  if (open && rule?.action === 'ask')
    return { part: part.text, verdict: 'ask', ...said(because`a rule says to ask`), rule, paths };
  if (open && covered) return { part: part.text, verdict: 'allow', ...said(because`a rule allows it`), rule, paths };
  return { part: part.text, verdict: part.verdict, ...said(part.reason), paths };
}

function plainParts(judged: Judged, decision: Decision): ExplainedPart[] {
  const reads = judged.reads.map((located) => ({ path: located.shown, zone: located.zone, write: false }));
  const writes = judged.writes.map((located) => ({ path: located.shown, zone: located.zone, write: true }));
  return [
    {
      part: decision.part ?? judged.call.tool,
      verdict: decision.verdict,
      ...said(decision),
      rule: decision.rule,
      paths: [...reads, ...writes],
    },
  ];
}

/** A reason in both forms. */
function said(found: Reason | Decision): { readonly reason: string; readonly why?: Reason } {
  if ('text' in found) return { reason: english(found), why: found };
  return found.why ? { reason: found.reason, why: found.why } : { reason: found.reason };
}
