/** `--test-cmd` and `--lint-cmd`: the operator's own commands, run after edits; failures go back to the model. They run code the model edited, and so in the sandbox. */
import type { CheckReport } from '../loop/ports.js';
import { runCommand } from '../process/run-command.js';
import { sandboxText } from '../tools/shared/sandbox-text.js';
import type { Config } from './config.js';
import type { App } from './create-app.js';
import { providerKeys, textRedactor } from './redact.js';

/** Longest a check command may run (milliseconds). */
const CHECK_MS = 600_000;
/** Most of its output that the model sees (bytes). */
const SHOWN = 8_000;

type Check = (options: { readonly signal: AbortSignal }) => Promise<CheckReport>;

/** Undefined when no command is configured. The first that fails ends the round. */
export function operatorChecks(config: Config, app: () => App): Check | undefined {
  const commands = [config.lintCmd, config.testCmd].filter((command): command is string => command !== undefined);
  if (commands.length === 0) return undefined;
  const redact = textRedactor(providerKeys(config));
  return async ({ signal }) => {
    const ran: CheckReport['ran'][number][] = [];
    for (const command of commands) {
      const { workspace, host } = app();
      const { childEnv: env, sandbox } = host;
      const options = { cwd: workspace.root, env, timeoutMs: CHECK_MS, keepBytes: SHOWN, signal, ...(sandbox && { sandbox }) };
      const outcome = await runCommand({ command, ...options });
      if (outcome.aborted) return { ran };
      const ok = outcome.exitCode === 0;
      const how = outcome.timedOut ? 'did not end in time' : `ended with ${outcome.signal ?? `exit code ${outcome.exitCode}`}`;
      ran.push({ command, ok, how });
      if (ok) continue;
      const output = [outcome.output, outcome.outputEnd].filter(Boolean).join('\n... [left out] ...\n').trimEnd();
      const failure = redact(
        `The check command of the user, run after your edits, ${how}:\n$ ${command}\n${output}\n${sandboxText(outcome.sandbox)}Repair this before you finish.`,
      );
      return { ran, failure };
    }
    return { ran };
  };
}
