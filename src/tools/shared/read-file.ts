/** Reads one file for a model: numbered lines within the limits, or what can be said about it otherwise. */

import { fstatSync } from 'node:fs';
import { type FileHandle, readdir } from 'node:fs/promises';
import { type Detected, decodeUtf16, detect, kindOf } from '../../base/text-encoding.js';
import { type Display, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import type { Located, Workspace } from '../../types/workspace.js';
import { invalid, stopIfAborted } from './args.js';
import { counted } from './counted.js';
import { LineTaker, type Stop, type TakeLimits, type TakenLine, takeLast } from './line-taker.js';
import { printable } from './printable.js';
import { mediaOf, mediaSection } from './read-media.js';
import type { Window } from './read-window.js';

/** Files up to this size are read at once; larger ones in pieces. */
const AT_ONCE = 32 * 1024 * 1024;
const CHUNK = 256 * 1024;
/** How much of the end of a large file is looked at for its last lines. */
const TAIL_WINDOW = 1024 * 1024;
const LINE_LIMIT = 2000;
/** A read of a few lines shows more of each. */
const FEW_LINES = 5;
const FEW_LIMIT = 40_000;
/** Room for markers and notices in the limit of output. */
const FRAME = 700;

export interface ReadRequest {
  readonly path: string;
  readonly window: Window;
  readonly maxBytes: number;
  /** Characters this file may take of the output. */
  readonly maxChars: number;
}

export interface ReadSection {
  readonly text: string;
  readonly display?: Display;
  /** A picture or document for a model that can see it. */
  readonly attachment?: ToolResult['attachment'];
}

/** Throws ToolFault. */
export async function readTextFile(request: ReadRequest, context: ToolContext): Promise<ReadSection> {
  const { workspace } = context;
  try {
    return readSmall(request, await workspace.readFile(request.path, { maxBytes: AT_ONCE }), context);
  } catch (error) {
    if (!(error instanceof ToolFault) || error.code !== 'EFBIG') throw await withEntries(error, request.path, context);
  }
  const opened = await workspace.openFile(request.path);
  try {
    return await readLarge(request, opened, context);
  } finally {
    await opened.handle.close();
  }
}

function readSmall(request: ReadRequest, read: Awaited<ReturnType<Workspace['readFile']>>, context: ToolContext): ReadSection {
  const { located, bytes, state } = read;
  const detected = detect(bytes);
  const note = (display?: Display) => context.workspace.noteRead(located.real, state, shownIn(display));
  if (detected.binary || bytes.length === 0) note();
  if (detected.binary) return binarySection(located, bytes, bytes.length);
  if (bytes.length === 0) return { text: framed(located, [], ['(the file is empty)']), display: fileDisplay(located, [], 0) };
  const content = asUtf8(bytes, detected);
  const total = countBytesLines(content);
  const limits = limitsOf(request);
  if (request.window.kind === 'tail') {
    const taken = takeLast(content, request.window.count, total, limits);
    const notices = [...contentNotices(detected, taken), ...tailNotice(taken.lines, taken.stop, request.window.count)];
    const display = fileDisplay(located, taken.lines, total);
    note(display);
    return { text: framed(located, taken.lines, notices), display };
  }
  const { first, last } = request.window;
  if (first > total)
    throw invalid('start', `invalid range: ${printable(located.shown)} has ${counted(total, 'line')}, there is no line ${first}`);
  const taker = new LineTaker(first, last, limits);
  taker.push(content);
  taker.end();
  const notices = [...contentNotices(detected, taker), ...moreNotice(taker, request, total)];
  const display = fileDisplay(located, taker.lines, total);
  note(display);
  return { text: framed(located, taker.lines, notices), display };
}

/** The lines a read showed; undefined: there is no more than that. */
function shownIn(display: Display | undefined): { from: number; to: number; total: number } | undefined {
  return display?.kind === 'file' ? { from: display.from, to: display.to, total: display.total } : undefined;
}

async function readLarge(
  request: ReadRequest,
  opened: { located: Located; handle: FileHandle; size: number },
  context: ToolContext,
): Promise<ReadSection> {
  const { located, handle, size } = opened;
  const head = await readPiece(handle, 0, 64 * 1024);
  const detected = detect(head, { whole: false });
  if (detected.binary) return binarySection(located, head, size);
  const { mtimeMs } = fstatSync(handle.fd);
  // Of a file this large no read shows all.
  context.workspace.noteRead(located.real, { mtimeMs, size, sha256: '' }, { from: 0, to: 0, total: 1 });
  const limits = limitsOf(request);
  if (request.window.kind === 'tail') return readLargeTail(request.window.count, opened, detected, limits);
  const { first, last } = request.window;
  const taker = new LineTaker(first, last, limits);
  await feed(handle, detected, taker, context.signal);
  if (taker.lines.length === 0)
    throw invalid(
      'start',
      `invalid range: ${printable(located.shown)} has ${counted(taker.seen, 'line')}, there is no line ${first}`,
    );
  const notices = [...contentNotices(detected, taker), ...moreNotice(taker, request, undefined, size)];
  return {
    text: framed(located, taker.lines, notices),
    display: fileDisplay(located, taker.lines, taker.stop === undefined ? taker.seen : 0),
  };
}

async function feed(handle: FileHandle, detected: Detected, taker: LineTaker, signal: AbortSignal): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  const decoder = detected.encoding.startsWith('utf-16') ? new TextDecoder(detected.encoding, { ignoreBOM: true }) : undefined;
  for (let position = 0; ; ) {
    stopIfAborted(signal);
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const piece = buffer.subarray(0, bytesRead);
    if (!taker.push(decoder ? Buffer.from(decoder.decode(piece, { stream: true }), 'utf8') : piece)) return;
  }
  taker.end();
}

async function readLargeTail(
  count: number,
  opened: { located: Located; handle: FileHandle; size: number },
  detected: Detected,
  limits: TakeLimits,
): Promise<ReadSection> {
  const { located, handle, size } = opened;
  const start = size - TAIL_WINDOW - ((size - TAIL_WINDOW) % 2);
  const content = asUtf8(await readPiece(handle, start, size - start), { ...detected, bom: false });
  const firstBreak = content.indexOf(10);
  const whole = firstBreak >= 0 && firstBreak < content.length - 1 ? content.subarray(firstBreak + 1) : content;
  const taken = takeLast(whole, count, -1, limits);
  const short = taken.stop === undefined && taken.lines.length < count;
  const notices = [
    ...contentNotices(detected, taken),
    `... [the file has ${counted(size, 'byte')}; line numbers count from its end] ...`,
    ...tailNotice(taken.lines, short ? 'bytes' : taken.stop, count),
  ];
  return { text: framed(located, taken.lines, notices), display: fileDisplay(located, [], 0) };
}

async function readPiece(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function limitsOf({ window, maxBytes, maxChars }: ReadRequest): TakeLimits {
  const wanted = window.kind === 'tail' ? window.count : window.last - window.first + 1;
  return { maxBytes, maxChars: Math.max(0, maxChars - FRAME), lineLimit: wanted <= FEW_LINES ? FEW_LIMIT : LINE_LIMIT };
}

function asUtf8(bytes: Buffer, { encoding }: Detected): Buffer {
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? Buffer.from(decodeUtf16(bytes, encoding), 'utf8') : bytes;
}

function countBytesLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return bytes.at(-1) === 10 ? count : count + 1;
}

function framed(located: Located, lines: readonly TakenLine[], notices: readonly string[]): string {
  const body = lines.map((line) => `${String(line.number).padStart(4)} | ${line.text}\n`).join('');
  const name = printable(located.shown);
  return `<<< BEGIN FILE: ${name} >>>\n${body}${notices.map((notice) => `${notice}\n`).join('')}<<< END FILE: ${name} >>>\n`;
}

function contentNotices(detected: Detected, taken: { crlf: number; lf: number; escaped: number }): string[] {
  const notices: string[] = [];
  if (detected.encoding.startsWith('utf-16'))
    notices.push(`... [the file is ${detected.encoding.toUpperCase()}; patch and write keep that] ...`);
  else if (detected.bom) notices.push('... [the file begins with a byte order mark] ...');
  if (taken.escaped > 0) notices.push(`... [${counted(taken.escaped, 'byte is', 'bytes are')} not UTF-8, shown as \\xNN] ...`);
  if (taken.crlf > 0) notices.push(`... [line endings: ${taken.lf > 0 ? 'mixed CRLF and LF' : 'CRLF'}] ...`);
  return notices;
}

/** Where to go on. `total` undefined: the file was not read to its end. */
function moreNotice(taker: LineTaker, { window, maxBytes }: ReadRequest, total: number | undefined, size = 0): string[] {
  const last = taker.lines.at(-1)?.number ?? 0;
  const wanted = window.kind === 'range' ? window.last : Number.MAX_SAFE_INTEGER;
  const complete =
    total === undefined
      ? taker.stop === undefined || (taker.stop === 'lines' && window.kind === 'range')
      : last >= Math.min(total, wanted);
  if (complete) return [];
  const shown =
    total === undefined
      ? `lines up to ${last} of a file of ${counted(size, 'byte')}`
      : `${taker.lines.length} of ${counted(total, 'line')}`;
  const why = taker.stop === 'bytes' ? `TRUNCATED AT ${maxBytes} BYTES: ` : taker.stop === 'output' ? 'output limit: ' : '';
  return [`... [${why}${shown}; continue with --start ${last + 1}] ...`];
}

function tailNotice(lines: readonly TakenLine[], stop: Stop | undefined, count: number): string[] {
  if (stop === undefined || lines.length >= count) return [];
  const first = lines[0]?.number ?? 0;
  const before = first > 1 ? `; the lines before: --end ${first - 1} with a --start` : '';
  return [`... [only the last ${lines.length} of ${count} lines fit${before}] ...`];
}

function fileDisplay(located: Located, lines: readonly TakenLine[], total: number): Display {
  return { kind: 'file', path: located.shown, from: lines[0]?.number ?? 0, to: lines.at(-1)?.number ?? 0, total };
}

/** Throws ToolFault for a picture or document too large to be shown. */
function binarySection(located: Located, bytes: Buffer, size: number): ReadSection {
  const media = mediaOf(bytes);
  if (media) {
    const section = mediaSection(located, media, bytes, size);
    return { ...section, display: { kind: 'text', text: section.text.trimEnd() } };
  }
  const kind = kindOf(bytes);
  const what = kind ? `a binary file (${kind.name}, ${counted(size, 'byte')})` : `a binary file (${counted(size, 'byte')})`;
  return {
    text: `${printable(located.shown)} is ${what}; its content is not shown as text. Use encoding base64 with max_bytes of at least ${size} to get its bytes.\n`,
    display: { kind: 'text', text: `${printable(located.shown)}: ${kind?.name ?? 'binary'}, ${counted(size, 'byte')}` },
  };
}

/** A directory is answered with what is in it. */
async function withEntries(error: unknown, path: string, context: ToolContext): Promise<unknown> {
  if (!(error instanceof ToolFault) || error.code !== 'EISDIR') return error;
  try {
    const located = await context.workspace.directory(path);
    const entries = (await readdir(located.real, { withFileTypes: true }))
      .map((entry) => `${printable(entry.name)}${entry.isDirectory() ? '/' : ''}`)
      .sort();
    const shown = entries.slice(0, 50).join(', ');
    return new ToolFault(
      'EISDIR',
      `${error.message}\nIn it: ${shown || 'nothing'}${entries.length > 50 ? `, and ${entries.length - 50} more` : ''}`,
    );
  } catch {
    return error;
  }
}
