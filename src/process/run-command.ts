/** Runs one command to its end: own process group, deadline, abort, bounded output, and nothing left unsaid. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardChildren, nextMark, noteGroup } from './children.js';
import { commandEnv } from './command-env.js';
import type { CommandOptions, CommandOutcome } from './command-types.js';
import { followCommand } from './follow-command.js';
import { MARK } from './groups.js';
import { findShell, scriptArguments, shellArguments } from './shell.js';
import { startCommand } from './start-command.js';

/** Bytes of a command line that fit into one argument on every system (Linux: 128 KiB). */
const ARGUMENT_BYTES = 120_000;

interface Program {
  readonly file: string;
  readonly args: readonly string[];
  cleanUp(): Promise<void>;
}

async function programOf(options: CommandOptions): Promise<Program> {
  const nothing = async () => undefined;
  if (!('command' in options)) return { file: options.file, args: options.args, cleanUp: nothing };
  const shell = findShell(options.env);
  if (Buffer.byteLength(options.command) <= ARGUMENT_BYTES)
    return { file: shell.file, args: shellArguments(shell, options.command), cleanUp: nothing };
  const folder = await mkdtemp(join(tmpdir(), 'chatcli-command-'));
  const script = join(folder, 'command.sh');
  await writeFile(script, options.command, { mode: 0o600 });
  return { file: shell.file, args: scriptArguments(shell, script), cleanUp: () => rm(folder, { recursive: true, force: true }) };
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
