/** Runs one command to its end: own process group, deadline, abort, bounded output, and nothing left unsaid. */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ConfinedStart } from '../types/sandbox.js';
import { guardChildren, nextMark, noteGroup } from './children.js';
import { commandEnv } from './command-env.js';
import type { CommandOptions, CommandOutcome } from './command-types.js';
import { followCommand } from './follow-command.js';
import { MARK } from './groups.js';
import { type ShellProgram, shellProgram } from './shell-program.js';
import { type Started, startCommand } from './start-command.js';

async function programOf(options: CommandOptions): Promise<ShellProgram> {
  if ('command' in options) return shellProgram(options.command, options.env, { under: options.scripts });
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
    const confined = await confine(program, options, env);
    const started = await start(confined ?? program, options, env);
    noteGroup(started.group);
    const outcome = await followCommand(started, { ...options, mark });
    return confined === undefined ? outcome : withReport(outcome, confined, options);
  } finally {
    await program.cleanUp();
  }
}

type Environment = Readonly<Record<string, string>>;

async function confine(program: ShellProgram, options: CommandOptions, env: Environment): Promise<ConfinedStart | undefined> {
  const { sandbox, confine: { tied, ...use } = {} } = options;
  if (sandbox === undefined) return undefined;
  const { file, args, script } = program;
  const readable = script === undefined ? {} : { readable: [dirname(script)] };
  return sandbox.confine(
    { file, args, cwd: realFolder(options.cwd), ownSession: true, ...(tied && { tied }) },
    { ...use, ...readable, env },
  );
}

/** The folder as it is named when it is not there: whoever starts the program says so. */
function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch {
    return cwd;
  }
}

async function start(program: ShellProgram | ConfinedStart, options: CommandOptions, env: Environment): Promise<Started> {
  const { file, args } = program;
  const confined = 'handles' in program ? program : undefined;
  try {
    const streams = options.streams ?? 'merged';
    return await startCommand({ file, args, cwd: options.cwd, env, streams, handles: confined?.handles ?? [] });
  } catch (error) {
    confined?.ended();
    throw error;
  } finally {
    confined?.release();
  }
}

function withReport(outcome: CommandOutcome, confined: ConfinedStart, options: CommandOptions): CommandOutcome {
  const { output, outputEnd, errorOutput, exitCode, leftover } = outcome;
  const report = confined.report({
    output: [output, outputEnd, errorOutput].filter(Boolean).join('\n'),
    exitCode,
    cwd: options.cwd,
    runsOn: leftover.length > 0,
    ...('command' in options && { command: options.command }),
  });
  // Ended by us: what it printed until then is no reason.
  return { ...outcome, sandbox: outcome.aborted ? { planted: report.planted } : report };
}
