/** `@coder write`: a whole file, or more at its end, with a backup of what was there. */

import { bomOf, detect, type Encoding, encodeText } from '../../base/text-encoding.js';
import { countLines } from '../../base/text-lines.js';
import type { JsonObject } from '../../types/json.js';
import { type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import type { FileState, Located } from '../../types/workspace.js';
import { againWhenStale, onlyIfSame } from '../shared/again-when-stale.js';
import { encodingArg, flagArg, guarded, invalid, requiredText, textArg, wantedArg } from '../shared/args.js';
import { changeOf, diffDisplay, statText, textOf } from '../shared/change-report.js';
import { counted } from '../shared/counted.js';
import type { Wanted } from '../shared/edit-view.js';
import { elidedLine } from '../shared/elision.js';

export const writeTool: Tool = {
  name: '@coder write',
  native: 'write',
  aliases: [],
  summary: 'Writes a whole file (backup .bak); append adds at its end',
  schema: {
    type: 'object',
    properties: {
      file: { type: 'string' },
      content: { type: 'string' },
      encoding: { type: 'string', enum: ['text', 'base64'] },
      append: { type: 'boolean' },
    },
    required: ['file', 'content'],
    additionalProperties: false,
  },
  fieldAliases: { path: 'file', filepath: 'file' },
  positional: ['file', 'content'],
  mainField: 'file',
  example: { file: 'hello.txt', content: 'Hello, World!\n' },
  inFull: true,
  limit: 30_000,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const file = textArg(args, 'file') ?? '';
    return {
      readOnly: false,
      reads: [],
      writes: [file],
      order: 'overlap',
      label: { verb: 'write', object: file },
      edits: true,
      snapshot: true,
    };
  },
  run: (args, context) => guarded(() => againWhenStale(() => write(args, context))),
};

async function write(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const { workspace } = context;
  const path = requiredText(args, 'file');
  const content = wantedArg(args, 'content', encodingArg(args));
  const append = flagArg(args, 'append') ?? false;
  const before = await readIfThere(path, context, append);
  const notes: string[] = [];
  const bytes = append ? appended(before?.bytes, content, notes) : whole(path, before?.bytes, content, notes);
  const seen = workspace.lastKnown(workspace.locate(path).real);
  if (before?.bytes?.equals(bytes)) {
    const name = before.located.shown;
    return {
      output: `${name} already has exactly this content (${counted(bytes.length, 'byte')}); nothing was written.\n`,
      isError: false,
    };
  }
  if (seen && !before) notes.push('the file had been removed since it was read');
  const expect = before ? ((append ? undefined : seen) ?? before.state) : 'absent';
  const writing = workspace.writeFile(path, bytes, { expect });
  // What is added at the end goes there whatever came before; a whole file was written for what was seen.
  const outcome = await (append ? onlyIfSame(writing) : writing);
  const change = changeOf(outcome.located.shown, before?.bytes, bytes);
  const size = counted(bytes.length, 'byte');
  const verb = append ? 'Appended to' : 'Wrote';
  const what = outcome.created ? `Created ${change.path} (${size})` : `${verb} ${change.path} (${size}, ${statText(change)})`;
  if (!append && before?.bytes) notes.push(...shrinkage(before.bytes, bytes));
  return {
    output: `${[`${what}.`, ...[...notes, ...outcome.notes].map((note) => `Note: ${note}.`)].join('\n')}\n`,
    isError: false,
    display: diffDisplay([change]),
    changed: [outcome.located.real],
  };
}

interface Before {
  readonly located: Located;
  /** Absent for a file too large to look into. */
  readonly bytes?: Buffer;
  readonly state?: FileState;
}

/** Undefined when the file does not exist. Other faults (outside, a folder, a pipe) are thrown before anything is written. */
async function readIfThere(path: string, { workspace }: ToolContext, needed: boolean): Promise<Before | undefined> {
  try {
    return await workspace.readFile(path);
  } catch (error) {
    if (error instanceof ToolFault && error.code === 'NotFound') return undefined;
    if (error instanceof ToolFault && error.code === 'EFBIG' && !needed) return { located: workspace.locate(path) };
    throw error;
  }
}

/** The new file in the encoding of the old one. */
function whole(path: string, old: Buffer | undefined, content: Wanted, notes: string[]): Buffer {
  if (old === undefined || content.text === undefined) return content.bytes;
  const elided = elidedLine(content.text, textOf(old) ?? '', path);
  if (elided) {
    throw invalid(
      'content',
      `line ${elided.line} (${elided.text}) stands for text that was left out, and writing it would lose that text. Send the whole file, or use patch`,
    );
  }
  const { encoding, bom, binary } = detect(old);
  if (!binary) notes.push(...changedForm(old, content.text));
  if (binary || !bom) return content.bytes;
  notes.push(`the file was ${nameOf(encoding)}, and still is`);
  return Buffer.concat([bomOf(encoding), encodeText(content.text.replace(/^\ufeff/, ''), encoding)]);
}

/** What a rewrite changes beside the words: kept as sent, but said. */
function changedForm(old: Buffer, text: string): string[] {
  const { encoding } = detect(old);
  const notes: string[] = [];
  if (encoding === 'bytes') notes.push('the file held bytes that are not UTF-8 (a legacy code page); now it is UTF-8');
  const before = textOf(old) ?? old.toString('latin1');
  const isCrlf = (value: string) => value.includes('\r\n') && !/(^|[^\r])\n/.test(value);
  if (isCrlf(before) && /(^|[^\r])\n/.test(text)) notes.push('its lines ended with CRLF; now they end as they were sent');
  return notes;
}

function appended(old: Buffer | undefined, content: Wanted, notes: string[]): Buffer {
  if (old === undefined) return content.bytes;
  const { encoding, bom } = detect(old);
  const wide = bom && (encoding === 'utf-16le' || encoding === 'utf-16be');
  if (!wide || content.text === undefined) return Buffer.concat([old, content.bytes]);
  notes.push(`the file is ${nameOf(encoding)}, and what was appended too`);
  return Buffer.concat([old, encodeText(content.text, encoding)]);
}

function nameOf(encoding: Encoding): string {
  return encoding === 'utf-8' || encoding === 'bytes' ? 'UTF-8 with a byte order mark' : encoding.toUpperCase();
}

/** A rewrite that loses much of a file may be a mistake: said, not refused. */
function shrinkage(before: Buffer, after: Buffer): string[] {
  const old = textOf(before);
  const now = textOf(after);
  if (old === undefined || now === undefined) return [];
  const lines = countLines(old);
  const left = countLines(now);
  if (lines < 10 || left * 3 > lines * 2) return [];
  return [
    `the file had ${counted(lines, 'line')} and now has ${left}, ${lines - left} fewer; rollback brings the old content back`,
  ];
}
