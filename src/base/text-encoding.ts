/** What kind of bytes a file holds, and lossless ways to and from text. */
import { isUtf8 as isValidUtf8 } from 'node:buffer';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'bytes';

export interface Detected {
  /** `bytes`: not valid UTF-8, yet not binary either (a legacy code page). */
  readonly encoding: Encoding;
  readonly bom: boolean;
  readonly binary: boolean;
}

/** How many leading bytes decide whether a file is binary. */
const SNIFF = 8192;
const BINARY_STARTS: readonly (readonly [string, string, string])[] = [
  ['89504e470d0a1a0a', 'PNG image', 'image/png'],
  ['ffd8ff', 'JPEG image', 'image/jpeg'],
  ['47494638', 'GIF image', 'image/gif'],
  ['255044462d', 'PDF document', 'application/pdf'],
  ['504b0304', 'ZIP archive', 'application/zip'],
  ['1f8b08', 'gzip archive', 'application/gzip'],
  ['7f454c46', 'ELF program', 'application/x-elf'],
  ['53514c69746520666f726d6174203300', 'SQLite database', 'application/vnd.sqlite3'],
];

/** Looks at the bytes of a whole file, or at its beginning when `whole` is false. Never throws. */
export function detect(bytes: Uint8Array, options: { readonly whole: boolean } = { whole: true }): Detected {
  if (bytes[0] === 0xff && bytes[1] === 0xfe && !(bytes[2] === 0 && bytes[3] === 0 && bytes.length >= 4)) {
    return { encoding: 'utf-16le', bom: true, binary: false };
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', bom: true, binary: false };
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const head = bytes.subarray(0, SNIFF);
  const binary = kindOf(bytes) !== undefined || head.includes(0) || mostlyControls(head);
  const valid = isUtf8(options.whole ? bytes : withoutCutCharacter(bytes));
  return { encoding: valid ? 'utf-8' : 'bytes', bom, binary };
}

/** The kind of a well-known binary format by its first bytes, or undefined. */
export function kindOf(bytes: Uint8Array): { readonly name: string; readonly mediaType: string } | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  if (start.startsWith('52494646') && Buffer.from(bytes.subarray(8, 12)).toString('latin1') === 'WEBP') {
    return { name: 'WebP image', mediaType: 'image/webp' };
  }
  const found = BINARY_STARTS.find(([magic]) => start.startsWith(magic));
  return found && { name: found[1], mediaType: found[2] };
}

export function isUtf8(bytes: Uint8Array): boolean {
  return isValidUtf8(bytes);
}

/** Text of UTF-8 bytes; bytes that are not UTF-8 appear as `\xNN`. The byte order mark is kept. */
export function decodeShown(bytes: Uint8Array): { readonly text: string; readonly escaped: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return { text: buffer.toString('utf8'), escaped: 0 };
  let text = '';
  let escaped = 0;
  let start = 0;
  let at = 0;
  while (at < buffer.length) {
    const length = sequenceLength(buffer, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += buffer.toString('utf8', start, at);
    text += `\\x${(buffer[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
    escaped++;
    at++;
    start = at;
  }
  return { text: text + buffer.toString('utf8', start), escaped };
}

/** Bytes of the valid UTF-8 sequence at `at`; 0 when there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

/** Bytes of `text` in an encoding, without adding a mark. A lone surrogate becomes U+FFFD except in UTF-16. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  return Buffer.from(text, 'utf8');
}

/** UTF-16 bytes -> text, code unit for code unit; an odd last byte is left out. The mark is kept as U+FEFF. */
export function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): string {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const copy = Buffer.from(even);
  if (encoding === 'utf-16be') copy.swap16();
  return copy.toString('utf16le');
}

/** The bytes that begin a file of this kind. */
export function bomOf(encoding: Encoding): Buffer {
  if (encoding === 'utf-16le') return Buffer.from([0xff, 0xfe]);
  if (encoding === 'utf-16be') return Buffer.from([0xfe, 0xff]);
  return Buffer.from([0xef, 0xbb, 0xbf]);
}

/** Offset of the first half of a surrogate pair that stands alone, or -1: such text has no UTF-8 form. */
export function loneSurrogate(text: string): number {
  return text.search(/\p{Surrogate}/u);
}

function mostlyControls(head: Uint8Array): boolean {
  let controls = 0;
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls++;
  return controls * 10 > head.length && controls > 3;
}

/** A character that the end of the piece cuts through must not make it look like another encoding. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) break;
  }
  return bytes;
}
