/** Outline of one file for a model: read within the boundary, parsed, and what could not be done said. */
import { decodeUtf16, detect, kindOf } from '../../base/text-encoding.js';
import { read } from '../../code/aside/thread.js';
import { LANGUAGES, languageOf } from '../../code/languages/registry.js';

import { entriesOf, entryLine, isDetail, type OutlineEntry } from '../../code/outline/outline-text.js';
import { cutAtLine, withLineFeeds } from '../../code/parse/parse-text.js';
import type { Outline } from '../../types/code.js';
import { type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { stopIfAborted } from './args.js';
import { counted } from './counted.js';
import { printable } from './printable.js';

/** Entries of one outline. */
const MOST_ENTRIES = 300;
/** Declarations of one line of a minified file that are listed. */
const CROWD = 10;
/** Characters of one outline; a notice still fits below the tool's cap. */
const MOST_CHARS = 28_000;
/** What is tried of a text that is too much as a whole (characters). */
const PART_CHARS = 32 * 1024;
/** Of a larger file only the beginning is read. */
const MOST_BYTES = 2 * 1024 * 1024;

interface FileText {
  readonly shown: string;
  readonly bytes: Buffer;
  /** Size of the whole file. */
  readonly size: number;
  readonly changedSince: boolean;
}

/** Throws ToolFault. A file without declarations, of no known language or without text is an answer, not an error. */
export async function runOutline(file: string, context: ToolContext): Promise<ToolResult> {
  const start = await readStart(file, context);
  stopIfAborted(context.signal);
  const name = printable(start.shown);
  const detected = detect(start.bytes);
  if (detected.binary) return answer(binaryText(name, start));
  const decoded = detected.encoding.startsWith('utf-16')
    ? decodeUtf16(start.bytes, detected.encoding as 'utf-16le' | 'utf-16be')
    : start.bytes.toString('utf8');
  const text = withLineFeeds(decoded);
  const language = languageOf(start.shown, text);
  if (!language) return answer(unknownText(name));
  const outline = await outlineOf(language.id, text, context.signal);
  stopIfAborted(context.signal);
  if (!outline)
    return answer(
      `${name} (${language.name}): no outline, its syntax takes too long or too much memory to parse. Use search in it, or read with a range.`,
    );
  const notes = notesOf(outline, start, detected.encoding === 'bytes');
  return answer(outlineText(name, outline, notes));
}

/** Of a text that brought the parser down, the beginning. */
async function outlineOf(language: string, text: string, signal: AbortSignal): Promise<Outline | undefined> {
  const whole = await read('outline', { language, text }, { signal });
  const less = cutAtLine(text, PART_CHARS);
  if (whole || less.length === text.length || signal.aborted) return whole;
  const part = await read('outline', { language, text: less }, { signal });
  return part && { ...part, cutAtLine: part.cutAtLine ?? lineCount(Buffer.from(less)) };
}

const answer = (output: string): ToolResult => ({
  output,
  isError: false,
  display: { kind: 'text', text: output },
});

/** A file up to the cap, or its beginning. Throws ToolFault. */
async function readStart(file: string, { workspace }: ToolContext): Promise<FileText> {
  try {
    const { located, bytes, state } = await workspace.readFile(file, { maxBytes: MOST_BYTES });
    const seen = workspace.lastSeen(located.real);
    return { shown: located.shown, bytes, size: bytes.length, changedSince: seen !== undefined && seen.sha256 !== state.sha256 };
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    if (error.code === 'EISDIR')
      throw new ToolFault(
        'EISDIR',
        `${error.message.replace(/\.$/, '')}. outline takes one file; use map for the structure of a folder, tree for its files`,
      );
    if (error.code !== 'EFBIG') throw error;
  }
  const { located, handle, size } = await workspace.openFile(file);
  try {
    const bytes = Buffer.alloc(MOST_BYTES);
    let length = 0;
    for (let read = -1; read !== 0 && length < MOST_BYTES; length += read)
      read = (await handle.read(bytes, length, MOST_BYTES - length, length)).bytesRead;
    const end = bytes.lastIndexOf(10, length - 1) + 1;
    return { shown: located.shown, bytes: bytes.subarray(0, end > length / 2 ? end : length), size, changedSince: false };
  } finally {
    await handle.close();
  }
}

function outlineText(name: string, outline: Outline, notes: readonly string[]): string {
  const all = entriesOf(outline.symbols);
  const details = all.filter(isDetail).length;
  const head = `${name} (${outline.languageName}${outline.form ? `, ${outline.form}` : ''})`;
  if (all.length === 0) return [`${head}: no declarations.`, ...notes].join('\n');
  const listed = outline.form === 'minified' ? withoutCrowds(all) : all;
  const kept = listed.length > MOST_ENTRIES ? listed.filter((entry) => !isDetail(entry)) : listed;
  const lines: string[] = [];
  let room = MOST_CHARS;
  for (const entry of kept.slice(0, MOST_ENTRIES)) {
    const line = entryLine(entry);
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const left = kept[lines.length];
  return [
    `${head}: ${counted(all.length - details, 'declaration')}${details > 0 ? `, ${fieldCount(details)}` : ''}`,
    ...lines,
    ...(left ? [moreText(kept, lines.length, left)] : []),
    ...(kept.length < listed.length ? [`(left out: ${fieldCount(details)})`] : []),
    ...(listed.length < all.length
      ? [`(${all.length - listed.length} of them not listed: they share very long lines; use search in it for a name)`]
      : []),
    ...notes,
  ].join('\n');
}

const fieldCount = (count: number): string => counted(count, 'field or property', 'fields and properties');

/** What stands on a line with many others is of no use to anyone who reads by lines. */
function withoutCrowds(entries: readonly OutlineEntry[]): readonly OutlineEntry[] {
  const lines = new Map<number, number>();
  for (const { symbol } of entries) lines.set(symbol.startLine, (lines.get(symbol.startLine) ?? 0) + 1);
  return entries.filter(({ symbol }) => (lines.get(symbol.startLine) ?? 0) <= CROWD);
}

function moreText(kept: readonly OutlineEntry[], shown: number, next: OutlineEntry): string {
  return `… and ${kept.length - shown} more. The next is at L${next.symbol.startLine}; search for it by name, or read from there.`;
}

function notesOf(outline: Outline, read: FileText, odd: boolean): string[] {
  const notes: string[] = [];
  if (outline.errorLine !== undefined)
    notes.push(`(syntax error near L${outline.errorLine}; what could be read is listed, something there may be missing)`);
  const cut = outline.cutAtLine ?? (read.bytes.length < read.size ? lineCount(read.bytes) : undefined);
  if (cut !== undefined)
    notes.push(`(only lines 1 to ${cut} of a file of ${counted(read.size, 'byte')} were parsed; read goes on from there)`);
  if (odd) notes.push('(the file holds bytes that are not UTF-8; they are shown as \uFFFD)');
  if (read.changedSince) notes.push('(the file changed since you last read it; these lines are of its present state)');
  return notes;
}

function lineCount(bytes: Buffer): number {
  let count = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < bytes.length - 1; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

function binaryText(name: string, { bytes, size }: FileText): string {
  const kind = kindOf(bytes);
  return `${name} is a binary file (${kind ? `${kind.name}, ` : ''}${counted(size, 'byte')}); it has no declarations to list.`;
}

function unknownText(name: string): string {
  const known = LANGUAGES.map((language) => language.name).join(', ');
  return `${name} is of no language with a parser here (${known}), so there is no outline. Use search with dir set to this file and regex: true, or read with a range.`;
}
