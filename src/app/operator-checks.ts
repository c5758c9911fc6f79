/** `--test-cmd` and `--lint-cmd`: the operator's own commands, run after edits; failures go back to the model. */
import { runCommand } from '../process/run-command.js';
import type { Config } from './config.js';
import type { App } from './create-app.js';

/** Longest a check command may run (milliseconds). */
const CHECK_MS = 600_000;
/** Most of its output that the model sees (characters). */
const SHOWN = 8_000;

/** Undefined when no command is configured. */
export function operatorChecks(
  config: Config,
  app: () => App,
): ((options: { readonly signal: AbortSignal }) => Promise<string | undefined>) | undefined {
  const commands = [config.lintCmd, config.testCmd].filter((command): command is string => command !== undefined);
  if (commands.length === 0) return undefined;
  return async ({ signal }) => {
    for (const command of commands) {
      const { workspace, host } = app();
      const outcome = await runCommand({
        command,
        cwd: workspace.root,
        env: host.childEnv,
        timeoutMs: CHECK_MS,
        keepBytes: SHOWN,
        signal,
      });
      if (outcome.aborted || outcome.exitCode === 0) continue;
      const how = outcome.timedOut
        ? 'did not end in time'
        : `ended with exit code ${outcome.exitCode ?? `signal ${outcome.signal}`}`;
      return `The check command of the user, run after your edits, ${how}:\n$ ${command}\n${outcome.output.trimEnd()}\nRepair this before you finish.`;
    }
    return undefined;
  };
}
