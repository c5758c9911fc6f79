/** Keeps keys out of what a model reads, whoever printed them, and the mark that stands for them out of files. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createRedactStream, KEY_MARK, type Redact, redactValue } from '../../base/secret-text.js';
import { cleanJobLog, cleanLog } from '../../process/clean-log.js';
import type { JsonObject } from '../../types/json.js';
import { type Facts, type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { markedTexts, standsIn } from '../shared/hidden-mark.js';

/** The same tool: output, display, live text and faults passed through `redact`; an edit that would write the mark is refused. */
export function withHiddenKeys(tool: Tool, redact: Redact): Tool {
  return {
    ...tool,
    async run(args, context) {
      const facts = tool.facts(args);
      if (facts.edits === true && (await wouldMark(args, facts, { context, redact }))) return refusal(tool.name);
      const live = createRedactStream(redact);
      const progress = (text: string): void => {
        const safe = live.push(text);
        if (safe !== '') context.progress(safe);
      };
      const began = Date.now();
      let said = '';
      try {
        const result = await tool.run(args, { ...context, progress });
        said = result.output;
        return hidden(result, redact);
      } catch (error) {
        throw error instanceof ToolFault ? new ToolFault(error.code, redact(error.message)) : error;
      } finally {
        const rest = live.end();
        if (rest !== '') context.progress(rest);
        if (facts.order === 'alone') await cleanLogs(context, redact, { since: began, said });
        if (facts.order === 'alone' || tool.name.startsWith('@proc')) await cleanJobLogs(context, redact);
      }
    },
  };
}

function hidden(result: ToolResult, redact: Redact): ToolResult {
  const output = redact(result.output);
  return { ...result, output, ...(result.display ? { display: redactValue(result.display, redact) } : {}) };
}

function refusal(name: string): ToolResult {
  const output =
    `error [InvalidArgs]: ${name}: the text holds ${KEY_MARK}, the mark that stands in results for a key that is not shown. ` +
    'Writing it would destroy the key. Nothing was changed. Leave those lines out of the edit: patch the lines around them, ' +
    'with a search text that does not reach into them.\n';
  return { output, isError: true, code: 'InvalidArgs' };
}

/** Does an edit bring a mark that does not stand in its files already? */
async function wouldMark(
  args: JsonObject,
  { writes }: Facts,
  { context, redact }: { readonly context: ToolContext; readonly redact: Redact },
): Promise<boolean> {
  const texts = markedTexts(args);
  if (texts.length === 0) return false;
  const contents: string[] = [];
  for (const path of writes) {
    const file = await context.workspace.readFile(path).catch(() => undefined);
    if (file !== undefined) contents.push(file.bytes.toString('utf8'));
  }
  return !texts.every((text) => standsIn(text, contents, redact));
}

/** Logs our tools make: what they are for, when, and a number nobody guesses. */
const LOG_NAME = /^(exec|test|git)-[0-9a-z]+-[0-9a-f]{8}\.log$/;

/** Whole logs this call left in the scratch folder are written by the command itself, key and all. */
async function cleanLogs(
  { host }: ToolContext,
  redact: Redact,
  { since, said }: { readonly since: number; readonly said: string },
): Promise<void> {
  for (const name of await readdir(host.scratch).catch(() => [])) {
    if (!LOG_NAME.test(name)) continue;
    const path = join(host.scratch, name);
    // Something left in the background still writes to it.
    if (said.includes(`further output: ${path}`)) continue;
    const stat = await lstat(path).catch(() => undefined);
    if (stat?.isFile() && stat.mtimeMs >= since - 1000) await cleanLog(path, redact);
  }
}

/** Logs of jobs that were cleaned, by path: a job that has ended writes no more. */
const cleaned = new Set<string>();

/** Jobs write their logs themselves, also when nobody is there: they are cleaned once nothing of them runs any more. */
async function cleanJobLogs({ host }: ToolContext, redact: Redact): Promise<void> {
  const jobs = (await host.jobs?.list().catch(() => [])) ?? [];
  for (const { state, leftover, logFile, startedAt } of jobs) {
    const key = `${startedAt} ${logFile}`;
    if (state === 'running' || leftover.length > 0 || cleaned.has(key)) continue;
    cleaned.add(key);
    await cleanJobLog(logFile, redact);
  }
}
