/** Runs one call of a plugin: argv only, no shell, no input; what it prints is the result, its exit code says how it went. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomHex } from '../../base/clock.js';
import type { CommandOptions, CommandOutcome } from '../../process/command-types.js';
import { fitOutput } from '../../process/fit-output.js';
import { endCode } from '../../process/outcome-text.js';
import { runCommand } from '../../process/run-command.js';
import { settled, settleText } from '../../process/settle-text.js';
import type { SandboxReport } from '../../types/sandbox.js';
import { type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import type { PinnedProgram } from './types.js';

/** Characters of a result. */
export const PLUGIN_LIMIT = 30_000;
const ERROR_BYTES = 128 * 1024;
const ERROR_CHARS = 10_000;
const TRIES = 4;

export interface PluginRun {
  readonly name: string;
  readonly program: PinnedProgram;
  readonly argv: readonly string[];
  /** Milliseconds. */
  readonly timeoutMs: number;
}

/** Never throws for what the plugin does; ToolFault where it cannot be started. */
export async function runPlugin(run: PluginRun, context: ToolContext): Promise<ToolResult> {
  const { name, program, argv, timeoutMs } = run;
  const { host, signal, workspace } = context;
  const errors = linePrefix('ERR: ');
  const outcome = await started({
    file: program.path,
    args: argv,
    cwd: workspace.root,
    env: host.childEnv,
    signal,
    timeoutMs,
    graceMs: 1000,
    streams: 'split',
    keepBytes: 8 * PLUGIN_LIMIT,
    keepErrorBytes: ERROR_BYTES,
    logFile: join(host.scratch, `exec-${Date.now().toString(36)}-${randomHex(8)}.log`),
    logAbove: PLUGIN_LIMIT - 2000,
    onOutput: (text) => context.progress(text),
    onErrorOutput: (text) => context.progress(errors(text)),
    endsAll: true,
    confine: { readable: [program.folder] },
    ...(host.sandbox && { sandbox: host.sandbox }),
  });
  const code = endCode(outcome);
  const output = resultText(name, outcome, timeoutMs);
  // All of it stands in the result.
  if (outcome.logFile !== undefined && !output.includes(outcome.logFile)) await rm(outcome.logFile, { force: true });
  return {
    output,
    isError: code !== undefined,
    ...(code === undefined ? {} : { code }),
    display: {
      kind: 'process',
      command: [name, ...argv].join(' ').slice(0, 400),
      exitCode: outcome.exitCode,
      ...(outcome.signal === undefined ? {} : { signal: outcome.signal }),
      ms: Math.round(outcome.ms),
    },
  };
}

/** A copy just written may for a moment count as open for writing, because another program was being started just then. */
async function started(options: CommandOptions, tries = TRIES): Promise<CommandOutcome> {
  try {
    return await runCommand(options);
  } catch (error) {
    if (!(error instanceof ToolFault) || error.code !== 'ETXTBSY' || tries <= 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return started(options, tries - 1);
  }
}

function resultText(name: string, raw: CommandOutcome, timeoutMs: number): string {
  const outcome = settled(raw);
  const head = failureLine(name, outcome, timeoutMs);
  const errors = errorBlock(outcome);
  const said = sandboxLines(outcome.sandbox);
  const body = fitOutput(outcome, PLUGIN_LIMIT - head.length - errors.length - said.length - 400);
  const text = [head, body, errors, said]
    .filter((part) => part !== '')
    .map((part) => (part.endsWith('\n') ? part : `${part}\n`))
    .join('');
  return text === '' ? '(no output)\n' : text;
}

function failureLine(name: string, outcome: CommandOutcome, timeoutMs: number): string {
  if (endCode(outcome) === undefined) return '';
  return `plugin execution failed: ${name} ${endText(outcome, timeoutMs)}`;
}

function endText({ aborted, timedOut, signal, exitCode }: CommandOutcome, timeoutMs: number): string {
  if (aborted) return 'was stopped';
  if (timedOut) return `was ended after ${timeoutMs / 1000} s (CHATCLI_AGENT_PLUGIN_TIMEOUT)`;
  return signal === undefined
    ? `ended with exit code ${exitCode ?? 'unknown'}`
    : `was ended by signal ${signal.replace(/^SIG/, '')}`;
}

/** Standard error, each line marked. */
function errorBlock({ errorOutput, errorOmittedBytes = 0 }: CommandOutcome): string {
  const text = settleText(errorOutput).trimEnd();
  if (text === '') return '';
  const half = ERROR_CHARS / 2;
  const left = text.length - ERROR_CHARS + errorOmittedBytes;
  const short =
    text.length > ERROR_CHARS
      ? `${text.slice(0, half)}\n... [about ${left} bytes of standard error left out] ...\n${text.slice(-half)}`
      : errorOmittedBytes > 0
        ? `${text}\n... [${errorOmittedBytes} bytes in the middle of standard error left out] ...`
        : text;
  return short
    .split('\n')
    .map((line) => `ERR: ${line}`)
    .join('\n');
}

function sandboxLines(report: SandboxReport | undefined): string {
  const { refusal, planted = [] } = report ?? {};
  return [...(refusal === undefined ? [] : [refusal.text]), ...planted].join('\n');
}

/** Marks lines that come in pieces. */
function linePrefix(prefix: string): (text: string) => string {
  let fresh = true;
  return (text) => {
    if (text === '') return '';
    const marked = (fresh ? prefix : '') + text.replace(/\n(?=[\s\S])/g, `\n${prefix}`);
    fresh = text.endsWith('\n');
    return marked;
  };
}
