/** Pictures and PDF documents: what their first bytes tell, and whether a model could be shown them. */
import { kindOf } from '../../base/text-encoding.js';
import { ToolFault, type ToolResult } from '../../types/tool.js';
import type { Located } from '../../types/workspace.js';
import { counted } from './counted.js';
import { printable } from './printable.js';

/** Services take pictures of at most 5 MiB once they are base64. */
const MOST_IMAGE = 3_932_160;
const MOST_DOCUMENT = 10 * 1024 * 1024;
/** Pixels of a side. */
const LONGEST_SIDE = 8000;
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const PDF = 'application/pdf';

export interface Media {
  readonly name: string;
  readonly mediaType: string;
  readonly width?: number;
  readonly height?: number;
  /** Why no service would take it. */
  readonly fault?: string;
}

export interface MediaSection {
  readonly text: string;
  readonly attachment?: NonNullable<ToolResult['attachment']>;
}

/** What the bytes are, by their beginning; undefined when they are neither a picture nor a PDF. Never throws. */
export function mediaOf(bytes: Buffer): Media | undefined {
  const kind = kindOf(bytes);
  if (kind?.mediaType === PDF) return { ...kind, ...pdfFault(bytes) };
  if (!kind || !IMAGES.has(kind.mediaType)) return undefined;
  const size = sizeOf(bytes, kind.mediaType);
  if (!size || size.width === 0 || size.height === 0) return { ...kind, fault: 'it is damaged or cut off' };
  const tooLong = Math.max(size.width, size.height) > LONGEST_SIDE;
  return { ...kind, ...size, ...(tooLong ? { fault: `no side may have more than ${LONGEST_SIDE} pixels` } : {}) };
}

/**
 * The answer to reading such a file; the attachment goes with it where the model can see it. `size`: of the whole file,
 * of which `bytes` may be only the beginning. Throws ToolFault `EFBIG` for what is too large to be shown.
 */
export function mediaSection(located: Located, media: Media, bytes: Buffer, size: number): MediaSection {
  const pixels = media.width === undefined ? '' : `, ${media.width} x ${media.height} pixels`;
  const what = `${printable(located.shown)} is a ${media.name}${pixels}, ${counted(size, 'byte')}`;
  const most = media.mediaType === PDF ? MOST_DOCUMENT : MOST_IMAGE;
  if (size > most) {
    const advice =
      media.mediaType === PDF
        ? 'Take the pages or the text you need out of it with a command'
        : 'Make a smaller copy of it with a command and read that';
    throw new ToolFault('EFBIG', `${what}; at most ${counted(most, 'byte')} can be shown. ${advice}.`);
  }
  if (media.fault) return { text: `${what}; it cannot be shown: ${media.fault}. Use encoding base64 to get its bytes.\n` };
  return { text: `${what}.\n`, attachment: { mediaType: media.mediaType, data: bytes.toString('base64') } };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Undefined when the picture does not go to its end. */
function sizeOf(bytes: Buffer, mediaType: string): Size | undefined {
  try {
    if (mediaType === 'image/png') return pngSize(bytes);
    if (mediaType === 'image/jpeg') return jpegSize(bytes);
    return mediaType === 'image/gif' ? gifSize(bytes) : webpSize(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  for (let at = 8; at < bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') {
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    }
    at = end;
  }
  return undefined;
}

function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 0) return undefined;
  for (let at = 2; at < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker === 0xda || marker === 0xd9) return undefined;
    const alone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    at += alone ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function gifSize(bytes: Buffer): Size | undefined {
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  return bytes.lastIndexOf(0x3b) > 12 ? size : undefined;
}

function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return undefined;
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (chunk !== 'VP8 ') return undefined;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

function pdfFault(bytes: Buffer): { fault?: string } {
  if (bytes.lastIndexOf('%%EOF') < 0) return { fault: 'it is damaged or cut off' };
  return bytes.includes('/Encrypt') ? { fault: 'it is encrypted' } : {};
}
