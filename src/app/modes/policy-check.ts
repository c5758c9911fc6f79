/** `chatcli policy check`, `explain` and `list`: what the gate would say, and why. */
import { decide } from '../../policy/decide.js';
import { type ExplainedPart, explain } from '../../policy/explain.js';
import type { Decision } from '../../types/policy.js';
import { safeLine } from '../../ui/safe-text.js';
import type { ConfigFlags } from '../config.js';
import type { Translate } from '../flags.js';
import { judgedOf, openJudge } from '../judge-words.js';

export interface PolicyFlags extends ConfigFlags {
  readonly json?: boolean;
  readonly tool?: string;
}

const EXIT_OF = { allow: 0, ask: 3, immune: 3, deny: 4 } as const;

/** Prints the verdict on a command or a tool call; gives the exit code 0, 3 or 4. */
export async function policyCheck(words: readonly string[], flags: PolicyFlags): Promise<number> {
  const app = await openJudge(flags);
  try {
    const decision = decide(judgedOf(app, words, flags.tool), app.policy);
    process.stdout.write(flags.json ? `${JSON.stringify(asJson(decision))}\n` : `${asText(decision)}\n`);
    return EXIT_OF[decision.verdict];
  } finally {
    await app.close();
  }
}

/** The same with every part of the command: its own verdict, its rule, where its paths lie. Same exit code. */
export async function policyExplain(words: readonly string[], flags: PolicyFlags): Promise<number> {
  const app = await openJudge(flags);
  try {
    const { decision, parts } = explain(judgedOf(app, words, flags.tool), app.policy);
    if (flags.json) process.stdout.write(`${JSON.stringify({ ...asJson(decision), parts })}\n`);
    else process.stdout.write(`${[asText(decision), `  step: ${decision.step}`, ...parts.flatMap(partLines)].join('\n')}\n`);
    return EXIT_OF[decision.verdict];
  } finally {
    await app.close();
  }
}

/** Prints the rules in force, in the order they were read. */
export async function policyList(flags: PolicyFlags, t: Translate): Promise<number> {
  const app = await openJudge(flags);
  const { rules, broken } = app.rules();
  for (const file of broken) process.stdout.write(`${t('policy.broken', { file: file.file, reason: file.reason })}\n`);
  for (const rule of rules) process.stdout.write(`${rule.action.padEnd(5)}  ${rule.pattern}  (${rule.origin})\n`);
  if (rules.length === 0 && broken.length === 0) process.stdout.write(`${t('policy.none')}\n`);
  await app.close();
  return 0;
}

function asJson(decision: Decision) {
  const { verdict, reason, step, rule, part, code } = decision;
  return { verdict, step, reason, rule: rule ?? null, part: part ?? null, code: verdict === 'allow' ? null : code };
}

function asText(decision: Decision): string {
  const rows = [decision.verdict, `  reason: ${decision.reason}`];
  if (decision.part) rows.push(`  part: ${decision.part}`);
  if (decision.rule) rows.push(`  rule: ${decision.rule.action} ${decision.rule.pattern} (${decision.rule.origin})`);
  return rows.join('\n');
}

function partLines({ part, verdict, reason, rule, paths }: ExplainedPart): string[] {
  return [
    `- ${verdict}: ${safeLine(part)}`,
    `    ${reason}`,
    ...(rule ? [`    rule: ${rule.action} ${rule.pattern} (${rule.origin})`] : []),
    ...paths.map(({ path, zone, write }) => `    ${write ? 'writes' : 'reads'} ${safeLine(path)} (${zone})`),
  ];
}
