/** The text of a file for our own search: pieces of whole lines, so that a file of any size fits into little memory. */
import type { FileHandle } from 'node:fs/promises';
import { decodeUtf16, detect, isUtf8 } from '../../base/text-encoding.js';
import { ToolFault } from '../../types/tool.js';
import type { Workspace } from '../../types/workspace.js';

/** A zero byte in this much of the beginning makes a file binary; so much is also held at once at most. */
export const LOOKED_AT = 32 * 1024 * 1024;
const PIECE = 1024 * 1024;

export interface TextPiece {
  /** Whole lines with their endings; bytes that are no UTF-8 stand as lone surrogates U+DC80 to U+DCFF. */
  readonly text: string;
  /** The rest of the file is not searched: it is larger than can be matched as a whole. */
  readonly cut?: true;
}

/**
 * Pieces of a text file in order; none for one that is binary, guarded or unreadable. `whole`: one piece, and for a file
 * over 32 MiB only an empty one with `cut`. The same file gives the same lines, however it is cut into pieces.
 */
export async function* textPieces(path: string, workspace: Workspace, whole: boolean): AsyncGenerator<TextPiece> {
  let opened: { handle: FileHandle; size: number };
  try {
    opened = await workspace.openFile(path);
  } catch (error) {
    if (error instanceof ToolFault) return;
    throw error;
  }
  const { handle, size } = opened;
  try {
    if (size > LOOKED_AT && whole) yield { text: '', cut: true };
    else if (size <= LOOKED_AT) yield* atOnce(await readUpTo(handle, size));
    else yield* inPieces(handle);
  } catch (error) {
    // It vanished, or cannot be read on: what was found stays.
    if ((error as { code?: unknown }).code === undefined) throw error;
  } finally {
    await handle.close();
  }
}

/** Does the beginning of this file hold a zero byte, read as the text it is? */
export async function isBinaryFile(path: string, workspace: Workspace): Promise<boolean> {
  const { handle, size } = await workspace.openFile(path);
  try {
    return await startsBinary(handle, utf16Of(await readUpTo(handle, Math.min(4, size))));
  } finally {
    await handle.close();
  }
}

async function startsBinary(handle: FileHandle, utf16: Wide | undefined): Promise<boolean> {
  const buffer = Buffer.allocUnsafe(PIECE);
  for (let at = 0; at < LOOKED_AT; ) {
    const { bytesRead } = await handle.read(buffer, 0, PIECE, at);
    if (bytesRead === 0) return false;
    const seen = buffer.subarray(0, bytesRead);
    if (utf16 ? decodeUtf16(seen, utf16).includes('\0') : seen.includes(0)) return true;
    at += bytesRead;
  }
  return false;
}

/** Bytes that are no UTF-8, as people read them. */
export function shownText(text: string): string {
  return text.replace(/[\uDC80-\uDCFF]/gu, (half) => `\\x${(half.charCodeAt(0) - 0xdc00).toString(16).toUpperCase()}`);
}

type Wide = 'utf-16le' | 'utf-16be';

function utf16Of(bytes: Buffer): Wide | undefined {
  const { encoding } = detect(bytes);
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? encoding : undefined;
}

function* atOnce(bytes: Buffer): Generator<TextPiece> {
  const utf16 = utf16Of(bytes);
  if (!utf16 && bytes.includes(0)) return;
  const text = utf16 ? new TextDecoder(utf16).decode(bytes) : decoded(bytes).replace(/^\ufeff/, '');
  if (text.includes('\0') || text === '') return;
  yield { text };
}

async function* inPieces(handle: FileHandle): AsyncGenerator<TextPiece> {
  const utf16 = utf16Of(await readUpTo(handle, 4));
  if (await startsBinary(handle, utf16)) return;
  const decoder = utf16 ? new TextDecoder(utf16) : undefined;
  let kept: Buffer | string = decoder ? '' : Buffer.alloc(0);
  for (let at = 0, isFirst = true; ; isFirst = false) {
    const bytes = await readUpTo(handle, PIECE, at);
    at += bytes.length;
    const isLast = bytes.length === 0;
    const whole: Buffer | string =
      typeof kept === 'string' ? kept + (decoder?.decode(bytes, { stream: !isLast }) ?? '') : Buffer.concat([kept, bytes]);
    const zero = whole.indexOf('\0');
    const end = isLast || zero >= 0 ? (zero >= 0 ? zero : whole.length) : whole.lastIndexOf('\n') + 1;
    const lines = typeof whole === 'string' ? whole.slice(0, end) : decoded(whole.subarray(0, end));
    if (lines !== '') yield { text: isFirst ? lines.replace(/^\ufeff/, '') : lines };
    kept = typeof whole === 'string' ? whole.slice(end) : whole.subarray(end);
    // Beyond a zero byte a file is no text any more.
    if (isLast || zero >= 0) return;
    if (kept.length > LOOKED_AT) {
      yield { text: '', cut: true };
      return;
    }
  }
}

async function readUpTo(handle: FileHandle, size: number, from = 0): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(buffer, filled, size - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** UTF-8 as text; each byte that is none becomes a lone surrogate, so that it matches nothing and is not lost. */
function decoded(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(bytes.toString('utf8', start, at), String.fromCharCode(0xdc00 + (bytes[at] ?? 0)));
    at++;
    start = at;
  }
  return parts.join('') + bytes.toString('utf8', start);
}

/** Bytes of the valid UTF-8 sequence at `at`; 0 when there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  const next = (from: number, to: number) => second >= from && second <= to;
  const follows = (count: number) => {
    for (let i = 2; i <= count; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return false;
    return true;
  };
  if (first >= 0xc2 && first <= 0xdf) return next(0x80, 0xbf) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const low = first === 0xe0 ? 0xa0 : 0x80;
    return next(low, first === 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4)
    return next(first === 0xf0 ? 0x90 : 0x80, first === 0xf4 ? 0x8f : 0xbf) && follows(3) ? 4 : 0;
  return 0;
}
