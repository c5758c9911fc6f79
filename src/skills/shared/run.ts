/** Runs one command of a script through the exec tool and gives back what it printed, whole where that is possible. */
import { basename } from 'node:path';
import { shellLine } from '../../base/shell-words.js';
import type { ScriptContext } from '../../types/skill.js';
import type { ErrorCode, ToolResult } from '../../types/tool.js';
import { readWhole } from './read-whole.js';

export const EXEC_TOOL = '@coder exec';
/** Longer output is read at its two ends only. */
const MOST_BYTES = 6 * 1024 * 1024;

export interface Ran {
  /** `refused`: it never started (policy, a bad folder); `ended`: it has an exit code. */
  readonly how: 'ended' | 'refused' | 'timeout' | 'stopped';
  readonly exitCode: number | null;
  /** Both streams together, as they came. */
  readonly output: string;
  /** False: only the two ends of the output are here. */
  readonly whole: boolean;
  /** The line that was run. */
  readonly command: string;
  readonly code?: ErrorCode;
  /** Where the whole output lies, when it is long. */
  readonly log?: string;
}

export interface RunOptions {
  readonly dir: string;
  readonly seconds?: number | undefined;
}

/** Runs a program with arguments. */
export function runWords(context: ScriptContext, words: readonly string[], options: RunOptions): Promise<Ran> {
  let line: string;
  try {
    line = shellLine(words);
  } catch (error) {
    const output = error instanceof RangeError ? error.message : String(error);
    return Promise.resolve({ how: 'refused', exitCode: null, output, whole: true, command: '', code: 'InvalidArgs' });
  }
  return runLine(context, line, options);
}

/** Runs a fixed line of several commands. Every word in it that is not fixed went through `shellWord`. */
export async function runLine(context: ScriptContext, line: string, options: RunOptions): Promise<Ran> {
  const result = await context.call(EXEC_TOOL, { cmd: line, dir: options.dir, timeout: options.seconds ?? 600 });
  if (result.display?.kind !== 'process')
    return {
      how: result.code === 'Aborted' ? 'stopped' : 'refused',
      exitCode: null,
      output: result.output,
      whole: true,
      command: line,
      ...(result.code && { code: result.code }),
    };
  const body = bodyOf(result);
  const log = body.cut ? body.log : undefined;
  const text = log === undefined ? undefined : await readWhole(context, log, MOST_BYTES);
  return {
    how: result.code === 'Timeout' ? 'timeout' : result.code === 'Aborted' ? 'stopped' : 'ended',
    exitCode: result.display.exitCode,
    output: text ?? body.text,
    whole: !body.cut || text !== undefined,
    command: line,
    ...(result.code && { code: result.code }),
    ...(log !== undefined && { log }),
  };
}

/** The line the exec tool ends its account with. What the command prints stands before it. */
const END = /\n(?:exit code: [^\n]*|killed by signal [^\n]*|killed after [^\n]*|stopped after [^\n]*)(?=\n|$)/g;
const CUT =
  /^\.\.\. \[\d+ bytes left out(?:; (?:the whole output is|only the first \d+ bytes of the output \(the limit of a log\) are) in (.+))?\] \.\.\.$/m;
const OWN_LOG = /^exec-[a-z0-9]+-[0-9a-f]{8}\.log$/;
/** Shorter results were not cut, whatever a line in them says. */
const CUT_FROM = 20_000;

function bodyOf(result: ToolResult): { text: string; cut: boolean; log?: string } {
  const output = result.output.replace(/^(?:note: [^\n]*\n)+(?=\$ )/, '');
  const start = output.indexOf('\n') + 1;
  const end = [...output.matchAll(END)].at(-1)?.index ?? output.length;
  const text = output.slice(start, Math.max(start, end + 1));
  if (text === '(no output)\n') return { text: '', cut: false };
  const cut = output.length < CUT_FROM ? null : CUT.exec(text);
  const elsewhere = /\nthe output as it came is in (.+)\n$/.exec(text)?.[1];
  const log = cut?.[1] ?? elsewhere;
  // A command can print such a line too; only a log of the exec tool is ever opened.
  const own = log !== undefined && OWN_LOG.test(basename(log)) ? log : undefined;
  return { text, cut: cut !== null, ...(own !== undefined && { log: own }) };
}

/** Lines without the escape codes and carriage returns of terminals. */
export function linesOf(text: string): string[] {
  return text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '').split(/\r?\n/);
}
