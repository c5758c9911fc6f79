/** Runs one command to its end: own process group, deadline, abort, bounded output, and nothing left unsaid. */
import { guardChildren, nextMark, noteGroup } from './children.js';
import { commandEnv } from './command-env.js';
import type { CommandOptions, CommandOutcome } from './command-types.js';
import { followCommand } from './follow-command.js';
import { MARK } from './groups.js';
import { type ShellProgram, shellProgram } from './shell-program.js';
import { startCommand } from './start-command.js';

async function programOf(options: CommandOptions): Promise<ShellProgram> {
  if ('command' in options) return shellProgram(options.command, options.env);
  return { file: options.file, args: options.args, cleanUp: async () => undefined };
}

const NOT_STARTED: CommandOutcome = {
  exitCode: null,
  timedOut: false,
  aborted: true,
  ms: 0,
  output: '',
  outputEnd: '',
  omittedBytes: 0,
  totalBytes: 0,
  errorOutput: '',
  leftover: [],
};

/**
 * Runs a command and resolves when it has ended, at its deadline, or within 200 ms of an abort. However it ends is an
 * outcome; only a program that cannot be started throws (ToolFault: `ENOENT`, `E2BIG`, `NotFound` for the folder, ...).
 */
export async function runCommand(options: CommandOptions): Promise<CommandOutcome> {
  if (options.signal.aborted) return NOT_STARTED;
  const program = await programOf(options);
  try {
    guardChildren();
    const mark = nextMark(options.contained === true);
    const env = { ...commandEnv(options.env, options.cwd), [MARK]: mark };
    const started = await startCommand({
      file: program.file,
      args: program.args,
      cwd: options.cwd,
      env,
      streams: options.streams ?? 'merged',
    });
    noteGroup(started.group);
    return await followCommand(started, { ...options, mark });
  } finally {
    await program.cleanUp();
  }
}
