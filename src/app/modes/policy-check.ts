/** `chatcli policy check` and `policy list`: what the gate would say, and why. */
import { decide } from '../../policy/decide.js';
import type { Decision, Judged } from '../../types/policy.js';
import { denyAll } from '../../ui/approve-none.js';
import type { ConfigFlags } from '../config.js';
import { type App, createApp } from '../create-app.js';
import { noProvider, parseDirect } from '../direct-call.js';
import type { Translate } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { UsageError } from '../usage-error.js';

export interface PolicyFlags extends ConfigFlags {
  readonly json?: boolean;
  readonly tool?: string;
}

const EXIT_OF = { allow: 0, ask: 3, immune: 3, deny: 4 } as const;

/** Prints the verdict on a command or a tool call; gives the exit code 0, 3 or 4. */
export async function policyCheck(words: readonly string[], flags: PolicyFlags): Promise<number> {
  const app = await openApp(flags);
  try {
    const name = flags.tool ?? '@coder exec';
    const args = flags.tool === undefined ? [JSON.stringify({ cmd: commandOf(words) })] : words;
    const parsed = parseDirect(app.ports.tools, name, args);
    if (!parsed.ok) throw new UsageError('usage.badCall', { message: parsed.message });
    const facts = parsed.tool.facts(parsed.call.args);
    const locate = (path: string) => app.workspace.locate(path);
    const judged: Judged = { call: parsed.call, facts, reads: facts.reads.map(locate), writes: facts.writes.map(locate) };
    const decision = decide(judged, app.policy);
    process.stdout.write(flags.json ? `${JSON.stringify(asJson(decision))}\n` : `${asText(decision)}\n`);
    return EXIT_OF[decision.verdict];
  } finally {
    await app.close();
  }
}

/** Prints the rules in force, in the order they were read. */
export async function policyList(flags: PolicyFlags, t: Translate): Promise<number> {
  const app = await openApp(flags);
  const { rules, broken } = app.rules();
  for (const file of broken) process.stdout.write(`${t('policy.broken', { file: file.file, reason: file.reason })}\n`);
  for (const rule of rules) process.stdout.write(`${rule.action.padEnd(5)}  ${rule.pattern}  (${rule.origin})\n`);
  if (rules.length === 0 && broken.length === 0) process.stdout.write(`${t('policy.none')}\n`);
  await app.close();
  return 0;
}

function openApp(flags: PolicyFlags): Promise<App> {
  return createApp({
    config: loadConfig(flags),
    approver: denyAll,
    id: 'check',
    provider: noProvider,
    emit: () => undefined,
  });
}

function commandOf(words: readonly string[]): string {
  const command = words.join(' ');
  if (!command.trim()) throw new UsageError('usage.checkWhat', {}, 'usage.checkWhatHint');
  return command;
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
