/** Keeps keys out of what a model reads, whoever printed them, and the mark that stands for them out of files. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRedactStream, KEY_MARK, type Redact, redactValue } from '../../base/secret-text.js';
import type { JsonObject } from '../../types/json.js';
import { type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';

/** The same tool: output, display, live text and faults passed through `redact`; an edit that would write the mark is refused. */
export function withHiddenKeys(tool: Tool, redact: Redact): Tool {
  return {
    ...tool,
    async run(args, context) {
      const { edits } = tool.facts(args);
      if (edits === true && holdsMark(args)) return refusal(tool.name);
      const live = createRedactStream(redact);
      const progress = (text: string): void => {
        const safe = live.push(text);
        if (safe !== '') context.progress(safe);
      };
      const began = Date.now();
      try {
        const result = await tool.run(args, { ...context, progress });
        return hidden(result, redact);
      } catch (error) {
        throw error instanceof ToolFault ? new ToolFault(error.code, redact(error.message)) : error;
      } finally {
        const rest = live.end();
        if (rest !== '') context.progress(rest);
        if (tool.facts(args).order === 'alone') await cleanLogs(context, redact, began);
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

/** In any text of the arguments, base64 included. */
function holdsMark(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(KEY_MARK) || decoded(value).includes(KEY_MARK);
  if (Array.isArray(value)) return value.some(holdsMark);
  return typeof value === 'object' && value !== null && Object.values(value as JsonObject).some(holdsMark);
}

function decoded(text: string): string {
  return text.length >= KEY_MARK.length && /^[A-Za-z0-9+/_=\s-]+$/.test(text)
    ? Buffer.from(text, 'base64').toString('latin1')
    : '';
}

/** Larger logs are left as they are; `read` hides keys when they are shown (bytes). */
const MOST_LOG = 64 * 1024 * 1024;

/** Whole logs this call left in the scratch folder are written by the command itself, key and all. */
async function cleanLogs({ host }: ToolContext, redact: Redact, since: number): Promise<void> {
  try {
    for (const name of await readdir(host.scratch)) {
      if (!name.endsWith('.log')) continue;
      const path = join(host.scratch, name);
      const { mtimeMs, size } = await stat(path);
      if (mtimeMs < since - 1000 || size > MOST_LOG) continue;
      // Bytes that are no text come back as they were.
      const text = (await readFile(path)).toString('latin1');
      const safe = redact(text);
      if (safe !== text) await writeFile(path, Buffer.from(safe, 'latin1'));
    }
  } catch {
    // Without a scratch folder there is no log.
  }
}
