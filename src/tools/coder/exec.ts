/** `@coder exec`: runs a shell command in the workspace and says exactly how it ended. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandOutcome } from '../../process/command-types.js';
import { fitOutput, fitsWhole } from '../../process/fit-output.js';
import { describeEnd, endCode } from '../../process/outcome-text.js';
import { runCommand } from '../../process/run-command.js';
import { settled } from '../../process/settle-text.js';
import type { JsonObject } from '../../types/json.js';
import { type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { firstLine } from '../shared/job-text.js';
import { sandboxText } from '../shared/sandbox-text.js';
import { startInBackground } from './shared/exec-background.js';

const LIMIT = 30_000;
const DEFAULT_SECONDS = 600;
const LONGEST_SECONDS = 86_400;
/** Characters of the command that are repeated above its output. */
const ECHO_CHARS = 400;

function commandOf(args: JsonObject): string {
  const command = args['cmd'];
  if (typeof command !== 'string' || command.trim() === '')
    throw new ToolFault('InvalidArgs', 'cmd is empty: give the shell command to run, for example {"cmd": "ls -la"}');
  if (command.includes('\0'))
    throw new ToolFault('InvalidArgs', `cmd holds a NUL character at offset ${command.indexOf('\0')}; a shell command cannot`);
  return command;
}

const timeoutOf = (args: JsonObject) => (typeof args['timeout'] === 'number' ? { timeoutMs: args['timeout'] * 1000 } : {});

function checkFlags(args: JsonObject): void {
  if (args['outside'] === true && args['agent'] === true)
    throw new ToolFault('InvalidArgs', 'outside and agent exclude each other: without the sandbox the agent is there anyway');
  if (args['keep'] !== true) return;
  if (args['background'] !== true)
    throw new ToolFault('InvalidArgs', 'keep is for background jobs only: send background: true too');
  if (args['timeout'] !== undefined)
    throw new ToolFault('InvalidArgs', 'keep and timeout exclude each other: nobody is there to end a kept job in time');
}

const noText = (bytes: number): string => (bytes === 0 ? '(no output)\n' : `(${bytes} bytes of output, none of them text)\n`);

/** First line the command, then its output, then how it ended, and what the sandbox had to do with that. */
async function render(command: string, raw: CommandOutcome, seconds: number, sandbox: string): Promise<string> {
  const outcome = settled(raw);
  const echo = `$ ${firstLine(command, ECHO_CHARS)}\n`;
  const left =
    outcome.leftover.length === 0
      ? ''
      : `still running in the background: pid ${outcome.leftover.slice(0, 20).join(', ')} (ends with this run)${outcome.logFile === undefined || outcome.logEndedAt !== undefined ? '' : `; further output: ${outcome.logFile}`}\n`;
  const end = `${left}${describeEnd(outcome, seconds)}${sandbox === '' ? '' : `\n${sandbox.trimEnd()}`}`;
  const room = LIMIT - echo.length - end.length - (outcome.logFile?.length ?? 0) - 60;
  const body = fitOutput(outcome, room) || noText(outcome.totalBytes);
  const log =
    outcome.logFile !== undefined && fitsWhole(outcome, room) && outcome.leftover.length === 0 ? outcome.logFile : undefined;
  // What was made short here can only be had from the log.
  const isShort = outcome.output !== raw.output;
  if (log !== undefined && !isShort) await rm(log, { force: true });
  const whole = log !== undefined && isShort ? `the output as it came is in ${log}\n` : '';
  return `${echo}${body}${body.endsWith('\n') ? '' : '\n'}${whole}${end}`;
}

async function run(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const command = commandOf(args);
  checkFlags(args);
  const folder = await context.workspace.directory(typeof args['dir'] === 'string' ? args['dir'] : '.');
  const seconds = typeof args['timeout'] === 'number' ? args['timeout'] : DEFAULT_SECONDS;
  const sandbox = args['outside'] === true ? undefined : context.host.sandbox;
  const agent = args['agent'] === true;
  if (args['background'] === true)
    return startInBackground(
      { command, cwd: folder.real, keep: args['keep'] === true, ...timeoutOf(args), agent, ...(sandbox && { sandbox }) },
      context,
      `$ ${firstLine(command, ECHO_CHARS)}\n`,
    );
  const outcome = await runCommand({
    command,
    cwd: folder.real,
    env: context.host.childEnv,
    signal: context.signal,
    timeoutMs: seconds * 1000,
    keepBytes: 8 * LIMIT,
    scripts: context.host.scratch,
    logFile: join(context.host.scratch, `exec-${Date.now().toString(36)}-${randomBytes(4).toString('hex')}.log`),
    logAbove: LIMIT - 2000,
    onOutput: (text) => context.progress(text),
    confine: { agent },
    ...(sandbox && { sandbox }),
  });
  const code = endCode(outcome);
  return {
    output: await render(command, outcome, seconds, sandboxText(outcome.sandbox, sandbox)),
    isError: code !== undefined,
    ...(code === undefined ? {} : { code }),
    display: {
      kind: 'process',
      command,
      exitCode: outcome.exitCode,
      ...(outcome.signal === undefined ? {} : { signal: outcome.signal }),
      ms: Math.round(outcome.ms),
    },
  };
}

/** Runs one command line; each call starts in the workspace, and nothing it starts outlives the run. */
export const execTool: Tool = {
  name: '@coder exec',
  native: 'exec',
  aliases: ['bash', 'shell', 'run_command', 'execute_command', 'run', 'run_shell_command'],
  summary: 'Runs a shell command (bash, no stdin); reports output and exit code',
  schema: {
    type: 'object',
    properties: {
      cmd: { type: 'string', minLength: 1, description: 'Shell command line' },
      dir: { type: 'string', description: 'Folder to start in; default: the workspace' },
      timeout: {
        type: 'number',
        minimum: 0.1,
        maximum: LONGEST_SECONDS,
        default: DEFAULT_SECONDS,
        description: 'Seconds until the command and all it started are killed',
      },
      background: { type: 'boolean', description: 'Return at once with an id for @proc; ends with the run' },
      keep: { type: 'boolean', description: 'A background job that outlives the run (always asks)' },
      outside: { type: 'boolean', description: 'Run it without the sandbox (always asks)' },
      agent: { type: 'boolean', description: 'Pass the SSH agent into the sandbox (always asks)' },
    },
    required: ['cmd'],
    additionalProperties: false,
  },
  fieldAliases: {
    command: 'cmd',
    script: 'cmd',
    workingDir: 'dir',
    workdir: 'dir',
    cwd: 'dir',
    directory: 'dir',
    runInBackground: 'background',
    isBackground: 'background',
    detach: 'background',
    keepAlive: 'keep',
    dangerouslyDisableSandbox: 'outside',
    noSandbox: 'outside',
    sshAgent: 'agent',
  },
  positional: ['cmd'],
  mainField: 'cmd',
  example: { cmd: 'npm run build' },
  inFull: true,
  limit: LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts: (args) => {
    const command = typeof args['cmd'] === 'string' ? args['cmd'] : '';
    return {
      readOnly: false,
      reads: typeof args['dir'] === 'string' ? [args['dir']] : [],
      writes: [],
      order: 'alone',
      label: { verb: 'run', object: firstLine(command, 100) },
      command,
      snapshot: true,
    };
  },
  run,
};
