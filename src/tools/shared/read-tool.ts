/** What `@coder read` and `@read` share: one or several files, as numbered text or base64. */

import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorCode, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { diskFault } from '../../workspace/faults.js';
import { invalid } from './args.js';
import { counted } from './counted.js';
import { printable } from './printable.js';
import { type ReadSection, readTextFile } from './read-file.js';
import type { Window } from './read-window.js';
import { READ_LIMIT } from './tool-limits.js';

/** Said of a second picture. */
const ONE_A_CALL = '... [one picture or document is shown per call; read this one in a call of its own] ...';

export interface ReadCall {
  readonly files: readonly string[];
  readonly window: Window;
  readonly maxBytes: number;
  readonly encoding: 'text' | 'base64';
}

/** A file that cannot be read makes the result an error; the others are still given. */
export async function runRead(call: ReadCall, context: ToolContext): Promise<ToolResult> {
  if (call.files.length === 0) throw invalid('file', 'is missing; name at least one file');
  const sections: ReadSection[] = [];
  let code: ErrorCode | undefined;
  let attachment: ReadSection['attachment'];
  let room = READ_LIMIT;
  for (const [i, path] of call.files.entries()) {
    if (i > 0 && room < 2000) {
      sections.push({ text: `... [output limit: not read: ${call.files.slice(i).join(', ')}; read them in another call] ...\n` });
      break;
    }
    const section = await readOne(path, call, room, context);
    if (section.code) code ??= section.code;
    const late = attachment !== undefined && section.attachment !== undefined;
    attachment ??= section.attachment;
    sections.push(late ? { ...section, text: `${section.text}${ONE_A_CALL}\n` } : section);
    room -= section.text.length + 1;
  }
  const [only] = sections;
  return {
    output: sections.map((section) => section.text).join('\n'),
    isError: code !== undefined,
    code,
    ...(sections.length === 1 && only?.display ? { display: only.display } : {}),
    ...(attachment ? { attachment } : {}),
  };
}

async function readOne(
  path: string,
  call: ReadCall,
  room: number,
  context: ToolContext,
): Promise<ReadSection & { code?: ErrorCode }> {
  try {
    return call.encoding === 'base64'
      ? await readBase64(path, call.maxBytes, room, context)
      : await readTextFile({ path, window: call.window, maxBytes: call.maxBytes, maxChars: room }, context);
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    return { text: `error [${error.code}]: ${error.message}\n`, code: error.code };
  }
}

/** Never cut: whole in the result, or whole in a file beside it. */
async function readBase64(path: string, maxBytes: number, room: number, context: ToolContext): Promise<ReadSection> {
  const { handle, located, size } = await context.workspace.openFile(path);
  await handle.close();
  if (size > maxBytes) {
    throw new ToolFault(
      'EFBIG',
      `${located.shown} has ${counted(size, 'byte')}, more than max_bytes (${maxBytes}). base64 is never cut: send max_bytes ${size} to get it whole`,
    );
  }
  const { bytes, state } = await context.workspace.readFile(path);
  context.workspace.noteRead(located.real, state);
  const text = bytes.toString('base64');
  const name = printable(located.shown);
  const begin = `<<< BEGIN FILE (base64): ${name} >>>\n`;
  const end = `<<< END FILE: ${name} >>>\n`;
  if (begin.length + text.length + end.length + 1 <= room) return { text: `${begin}${text}\n${end}` };
  const file = join(context.host.scratch, `base64-${randomBytes(6).toString('hex')}.txt`);
  const lines = `${text.replace(/.{76}(?!$)/g, '$&\n')}\n`;
  try {
    await writeFile(file, lines, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    await rm(file, { force: true }).catch(() => undefined);
    throw diskFault(error, 'write the base64 of', located.shown);
  }
  return {
    text: `${name}: ${size} bytes make ${text.length} characters of base64, more than fit here. All of it is in ${file} (lines of 76 characters).\n`,
  };
}
