/** `chatcli tool`: one tool call without a model, printed exactly as a model would read it. */
import { isUtf8 } from 'node:buffer';
import { keptAs } from '../../policy/remember.js';
import { describeTool } from '../../protocol/catalogue.js';
import { findTool } from '../../protocol/find-tool.js';
import { loadToolState, saveToolState, toolStateId } from '../../session/tool-state.js';
import type { AgentEvent } from '../../types/event.js';
import type { Tool, ToolResult } from '../../types/tool.js';
import { denyAll } from '../../ui/approve-none.js';
import { createTerminalApprover } from '../../ui/approve-terminal.js';
import { noticeText } from '../../ui/notice-text.js';
import { safeLine } from '../../ui/safe-text.js';
import { createText, type Text } from '../../ui/text/index.js';
import type { ConfigFlags } from '../config.js';
import { planStore } from '../conversation.js';
import { createApp } from '../create-app.js';
import { directCall, noProvider, operatorApprover } from '../direct-call.js';
import { EXIT } from '../exit-codes.js';
import { isServerNotice } from '../languages.js';
import { loadConfig } from '../load-config.js';
import { isPluginNotice } from '../plugins/folders.js';
import { isRuleNotice } from '../rule-warnings.js';
import { isSandboxNotice, tellRetired } from '../sandbox.js';
import { createStopper } from '../stop.js';
import { surroundings } from '../surroundings.js';
import { UsageError } from '../usage-error.js';

export interface ToolFlags extends ConfigFlags {
  readonly json?: boolean;
  readonly session?: string;
}

/** Runs `tool list`, `tool describe NAME` or a call; gives the exit code. */
export async function toolMode(name: string, words: readonly string[], flags: ToolFlags): Promise<number> {
  const config = loadConfig(flags);
  const text = createText(config.language);
  const terminal =
    process.stdin.isTTY && process.stderr.isTTY
      ? createTerminalApprover({
          input: process.stdin,
          output: process.stderr,
          text,
          color: config.color,
          pictures: !config.dumb,
          subject: keptAs,
          about: async (question) => surroundings(question, app),
        })
      : denyAll;
  const key = toolStateId({ session: flags.session, workspace: config.root });
  const app = await createApp({
    config,
    approver: operatorApprover(terminal),
    id: `tool-${key}`,
    provider: noProvider,
    keepsUndo: false,
    oneCall: true,
    emit: (event) =>
      flags.json !== true &&
      (isSandboxNotice(event) || isRuleNotice(event) || isServerNotice(event) || isPluginNotice(event)) &&
      warnOf(event, text),
  });
  tellRetired(config.sandbox, app.ports.emit);
  const stopper = createStopper({});
  try {
    if (name === 'list') return print(flags.json ? listJson(app.ports.tools) : listText(app.ports.tools));
    if (name === 'describe') return print(describeText(app.ports.tools, words));
    const [tool, args] = await withInput(name, words);
    const state = await loadToolState(config.state, key);
    const plan = planStore(state.plan);
    if (flags.session !== undefined) for (const [path, seen] of Object.entries(state.seen)) app.workspace.noteRead(path, seen);
    const result = await directCall(app, tool, args, { plan, signal: stopper.signal });
    const seen = flags.session === undefined ? {} : Object.fromEntries(app.workspace.seen());
    const unsaved = await saveToolState(config.state, key, { plan: plan.get(), seen }, state).then(
      () => undefined,
      (error: Error) => error.message,
    );
    // The call is done, whatever became of the state: its result is told first.
    const code = printResult(result, flags.json === true);
    // A person reads, though nobody can be asked.
    const unasked = result.isError && terminal === denyAll && result.output.includes('nobody can be asked here');
    if (unasked && process.stderr.isTTY && flags.json !== true) process.stderr.write(`${text.t('tool.askHint')}\n`);
    if (flags.json !== true) for (const sentence of app.workspace.recovered) process.stderr.write(`${sentence}\n`);
    if (unsaved !== undefined && flags.json !== true)
      process.stderr.write(`${text.t('session.notSaved', { reason: unsaved })}\n`);
    return stopper.signal.aborted ? EXIT.interrupted : code;
  } finally {
    stopper.release();
    await app.close();
  }
}

/** Below a result for a model nothing else may stand, so notices go to standard error, and only beside plain text. */
function warnOf(event: AgentEvent & { readonly type: 'notice' }, text: Text): void {
  process.stderr.write(`chatcli: ${safeLine(noticeText(event, text), 1000)}\n`);
}

function printResult(result: ToolResult, asJson: boolean): number {
  if (asJson)
    process.stdout.write(
      `${JSON.stringify({ isError: result.isError, errorCode: result.code ?? null, output: result.output })}\n`,
    );
  else
    (result.isError ? process.stderr : process.stdout).write(result.output.endsWith('\n') ? result.output : `${result.output}\n`);
  return result.isError ? 1 : 0;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function listText(tools: readonly Tool[]): string {
  const width = Math.max(...tools.map((tool) => tool.name.length));
  return tools
    .map((tool) => `${tool.name.padEnd(width)}  ${tool.summary}${tool.origin === 'builtin' ? ' [builtin]' : ''}`)
    .join('\n');
}

function listJson(tools: readonly Tool[]): string {
  return JSON.stringify(tools.map(({ name, summary, origin, schema }) => ({ name, summary, origin, schema })));
}

function describeText(tools: readonly Tool[], words: readonly string[]): string {
  const wanted = words.join(' ').trim();
  if (!wanted) throw new UsageError('usage.describeWhat', {}, 'usage.describeWhatHint');
  if (/^@?coder$/i.test(wanted)) return listText(tools.filter((one) => one.name.startsWith('@coder ')));
  const tool = findTool(tools, wanted);
  if (!tool) throw new UsageError('usage.unknownTool', { name: wanted }, 'usage.unknownToolHint');
  return describeTool(tool);
}

/** `NAME -- -` and `@coder SUBCOMMAND -- -` take their JSON from standard input. */
async function withInput(name: string, words: readonly string[]): Promise<[string, readonly string[]]> {
  if (words.length === 1 && words[0] === '-') return [name, [await readStdin()]];
  if (words.length === 2 && words[1] === '-' && /^@?coder$/i.test(name)) return [`${name} ${words[0]}`, [await readStdin()]];
  return [name, words];
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new UsageError('usage.stdinNotUtf8', {}, 'usage.stdinNotUtf8Hint');
  return bytes.toString('utf8');
}
