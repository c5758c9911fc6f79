/** A file's bytes as a text in which every byte has its place, so that an edit can be cut out and put back exactly. */
import { decodeUtf16, detect, type Encoding, encodeText, isUtf8 } from '../../base/text-encoding.js';

export interface TextView {
  readonly encoding: Encoding;
  /** For `bytes` one character a byte (Latin-1); otherwise the decoded text, a byte order mark included. */
  readonly text: string;
  readonly bytes: Buffer;
  /** Bytes of text to be put into the view. */
  toBytes(text: string): Buffer;
  /** How many bytes a piece of `text` takes. */
  size(text: string): number;
}

/** `raw` forces the byte-for-byte view, for searches that are no text. */
export function viewOf(bytes: Buffer, options: { readonly raw: boolean } = { raw: false }): TextView {
  const encoding = options.raw ? 'bytes' : detect(bytes).encoding;
  if (encoding === 'bytes') {
    return {
      encoding,
      bytes,
      text: bytes.toString('latin1'),
      toBytes: (text) => Buffer.from(text, 'latin1'),
      size: (text) => text.length,
    };
  }
  const text = encoding === 'utf-8' ? bytes.toString('utf8') : decodeUtf16(bytes, encoding);
  const size = encoding === 'utf-8' ? (piece: string) => Buffer.byteLength(piece) : (piece: string) => piece.length * 2;
  return { encoding, bytes, text, toBytes: (piece) => encodeText(piece, encoding), size };
}

/** One replacement in a view: `text` stands where `start` to `end` stood. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The new bytes; everything outside the splices (in order, not overlapping) is the old bytes themselves. */
export function applySplices(view: TextView, splices: readonly Splice[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  let byte = 0;
  for (const splice of splices) {
    const start = byte + view.size(view.text.slice(at, splice.start));
    parts.push(view.bytes.subarray(byte, start), view.toBytes(splice.text));
    byte = start + view.size(view.text.slice(splice.start, splice.end));
    at = splice.end;
  }
  parts.push(view.bytes.subarray(byte));
  return Buffer.concat(parts);
}

/** What a model sent as search or replacement: text, or bytes that are no text (then `text` is undefined). */
export interface Wanted {
  readonly bytes: Buffer;
  readonly text: string | undefined;
}

export function wantedText(text: string): Wanted {
  return { text, bytes: Buffer.from(text, 'utf8') };
}

export function wantedBytes(bytes: Buffer): Wanted {
  return { bytes, text: isUtf8(bytes) ? bytes.toString('utf8') : undefined };
}

/** Search and replacement in the units of a view. `note` says how they were read when that is not obvious. */
export interface Needle {
  readonly search: string;
  readonly replace: string;
  readonly note?: string;
}

export type Needles = { readonly ok: true; readonly list: readonly Needle[] } | { readonly ok: false; readonly reason: string };

/** The readings of an edit for this file, best first. */
export function needlesFor(view: TextView, search: Wanted, replace: Wanted): Needles {
  if (view.encoding !== 'bytes') {
    if (search.text === undefined || replace.text === undefined) return { ok: false, reason: 'what was sent is not text' };
    return { ok: true, list: [{ search: search.text, replace: replace.text }] };
  }
  const list: Needle[] = [];
  const latin = (bytes: Buffer) => bytes.toString('latin1');
  const plainReplace = replacementBytes(view, search, replace);
  if (plainReplace) list.push({ search: latin(search.bytes), replace: latin(plainReplace.bytes), note: plainReplace.note });
  const escaped = [search, replace].map((wanted) => fromEscapes(wanted.text));
  if (escaped[0] && escaped[1] && search.text !== undefined && /\\x[0-9a-f]{2}/i.test(search.text)) {
    list.push({
      search: latin(escaped[0]),
      replace: latin(escaped[1]),
      note: '\\xNN was read as a byte, the way read shows bytes that are not UTF-8',
    });
  }
  const legacy = [search, replace].map((wanted) => (wanted.text === undefined ? undefined : toWindows1252(wanted.text)));
  if (legacy[0] && legacy[1] && !isAscii(search.bytes)) {
    list.push({
      search: latin(legacy[0]),
      replace: latin(legacy[1]),
      note: 'the file is not UTF-8; the text sent was taken as Windows-1252',
    });
  }
  if (list.length > 0) return { ok: true, list };
  return {
    ok: false,
    reason:
      'the file is not UTF-8 and the replacement has characters that its encoding may not have; send the text in base64 with the bytes of the file',
  };
}

/** Non-ASCII text goes into a file of unknown code page only in a form that is named. */
function replacementBytes(view: TextView, search: Wanted, replace: Wanted): { bytes: Buffer; note?: string } | undefined {
  const known = replace.text === undefined || isAscii(replace.bytes) || !isAscii(search.bytes) || isUtf8(view.bytes);
  if (known) return { bytes: replace.bytes };
  const bytes = toWindows1252(replace.text ?? '');
  return bytes && { bytes, note: 'the file is not UTF-8; the new characters were written as Windows-1252, which is a guess' };
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

function fromEscapes(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  const parts = text.split(/(\\x[0-9a-fA-F]{2})/);
  return Buffer.concat(parts.map((part, i) => (i % 2 === 1 ? Buffer.from(part.slice(2), 'hex') : Buffer.from(part, 'utf8'))));
}

/** What Windows-1252 has at 0x80 to 0x9f; five places are empty. */
const UPPER =
  '\u20ac\0\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\0\u017d\0\0\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\0\u017e\u0178';

function toWindows1252(text: string): Buffer | undefined {
  const bytes: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const upper = code === 0 ? -1 : UPPER.indexOf(char);
    if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) bytes.push(code);
    else if (upper >= 0) bytes.push(0x80 + upper);
    else return undefined;
  }
  return Buffer.from(bytes);
}
