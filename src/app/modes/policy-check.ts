/** `chatcli policy check`, `explain` and `list`: what the gate would say, and why. */
import { decide } from '../../policy/decide.js';
import { type ExplainedPart, explain, idleRules } from '../../policy/explain.js';
import type { Decision, Judged, Rule } from '../../types/policy.js';
import { safeLine } from '../../ui/safe-text.js';
import { createText, type Text } from '../../ui/text/index.js';
import type { ConfigFlags } from '../config.js';
import type { App } from '../create-app.js';
import type { Translate } from '../flags.js';
import { judgedOf, openJudge } from '../judge-words.js';
import { removedRule } from '../policy-view.js';
import { doubtLines, doubtsFor, projectFaultLines } from '../rule-warnings.js';
import { idleLine, ruleLines, shownLine } from '../trust-text.js';

export interface PolicyFlags extends ConfigFlags {
  readonly json?: boolean;
  readonly tool?: string;
}

const EXIT_OF = { allow: 0, ask: 3, immune: 3, deny: 4 } as const;

/** Prints the verdict on a command or a tool call; gives the exit code 0, 3 or 4. */
export async function policyCheck(words: readonly string[], flags: PolicyFlags): Promise<number> {
  const app = await openJudge(flags);
  try {
    const judged = judgedOf(app, words, flags.tool);
    tellDoubts(app, judged, flags);
    const decision = decide(judged, app.policy);
    process.stdout.write(
      flags.json ? `${JSON.stringify(asJson(decision))}\n` : `${asText(decision, createText(app.config.language))}\n`,
    );
    return EXIT_OF[decision.verdict];
  } finally {
    await app.close();
  }
}

/** The same with every part of the command: its own verdict, its rule, where its paths lie. Same exit code. */
export async function policyExplain(words: readonly string[], flags: PolicyFlags, t: Translate): Promise<number> {
  const app = await openJudge(flags);
  try {
    const judged = judgedOf(app, words, flags.tool);
    tellDoubts(app, judged, flags);
    const { decision, parts } = explain(judged, app.policy);
    const idle = idleRules(judged, app.policy);
    const text = createText(app.config.language);
    if (flags.json) process.stdout.write(`${JSON.stringify({ ...asJson(decision), parts, idle })}\n`);
    else {
      const said = idle.map((one) => t('policy.idleWould', { rule: idleLine(one, t) }));
      const rows = [
        asText(decision, text),
        `  ${t('policy.step', { value: decision.step })}`,
        ...parts.flatMap((part) => partLines(part, text)),
        ...said,
      ];
      process.stdout.write(`${rows.join('\n')}\n`);
    }
    return EXIT_OF[decision.verdict];
  } finally {
    await app.close();
  }
}

/** Prints the rules in force in the order they were read, then those that are not in force. */
export async function policyList(flags: PolicyFlags, t: Translate): Promise<number> {
  const app = await openJudge(flags);
  try {
    const lines = [...ruleLines(app.rules(), t), ...warnings(app)];
    process.stdout.write(`${lines.length > 0 ? lines.join('\n') : t('policy.none')}\n`);
    return 0;
  } finally {
    await app.close();
  }
}

/** Takes a rule out of the user's own file; 1 when it is not in there. */
export async function policyRemove(pattern: string, flags: PolicyFlags, t: Translate): Promise<number> {
  const app = await openJudge(flags);
  try {
    const { done, lines } = removedRule(app.ruleStore, pattern, t);
    (done ? process.stdout : process.stderr).write(`${lines.join('\n')}\n`);
    return done ? 0 : 1;
  } finally {
    await app.close();
  }
}

function warnings(app: App): string[] {
  const text = createText(app.config.language);
  const faults = projectFaultLines(app.config.projectFaults, text).map((line) => text.t('run.level.warn', { text: line }));
  return [...doubtLines(app.rules(), app.ports.tools, app.policy, text), ...faults];
}

function tellDoubts(app: App, judged: Judged, flags: PolicyFlags): void {
  if (flags.json) return;
  const lines = doubtsFor(judged, app.ports.tools, app.policy, createText(app.config.language));
  for (const line of lines) process.stderr.write(`${line}\n`);
}

function asJson(decision: Decision) {
  const { verdict, reason, step, rule, part, code } = decision;
  return { verdict, step, reason, rule: rule ?? null, part: part ?? null, code: verdict === 'allow' ? null : code };
}

function asText(decision: Decision, text: Text): string {
  const { t } = text;
  const rows = [decision.verdict, `  ${t('policy.reason', { value: text.why(decision.why, decision.reason) })}`];
  // To allow, every part must do: none of them is the one.
  const part = decision.verdict === 'allow' ? undefined : decision.part;
  if (part) rows.push(`  ${t('policy.part', { value: safeLine(part, 2000) })}`);
  if (decision.rule) rows.push(`  ${t('policy.rule', { value: ruleText(decision.rule) })}`);
  return rows.join('\n');
}

function ruleText({ action, pattern, written, origin }: Rule): string {
  return `${action} ${shownLine(written ?? pattern)} (${shownLine(origin)})`;
}

function partLines({ part, verdict, reason, why, rule, paths }: ExplainedPart, text: Text): string[] {
  return [
    `- ${verdict}: ${safeLine(part)}`,
    `    ${text.why(why, reason)}`,
    ...(rule ? [`    ${text.t('policy.rule', { value: ruleText(rule) })}`] : []),
    ...paths.map(({ path, zone, write }) => {
      const values = { path: safeLine(path), zone: text.find(`policy.zone.${zone}`) ?? zone };
      return `    ${text.t(write ? 'policy.writes' : 'policy.reads', values)}`;
    }),
  ];
}
