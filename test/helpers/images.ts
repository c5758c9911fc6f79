/** The smallest whole pictures and documents of each kind. */
import { crc32, deflateSync } from 'node:zlib';

const u32 = (value: number) => Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);
const chunk = (name: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
};

/** A black picture with one byte a pixel. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([8, 0, 0, 0, 0])]);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Frame headers and marks only: enough to be measured. */
export function jpeg(width: number, height: number): Buffer {
  const app = Buffer.from('ffe000104a46494600010100000100010000', 'hex');
  const size = Buffer.from([height >> 8, height & 255, width >> 8, width & 255]);
  const frame = Buffer.concat([Buffer.from('ffc2000b08', 'hex'), size, Buffer.from('01011100', 'hex')]);
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    app,
    frame,
    Buffer.from('ffda0008010100003f0000', 'hex'),
    Buffer.from('ffd9', 'hex'),
  ]);
}

export function gif(width: number, height: number): Buffer {
  const size = Buffer.from([width & 255, width >> 8, height & 255, height >> 8]);
  return Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from('800000000000ffffff2c00000000010001000002024401003b', 'hex')]);
}

/** `kind`: the three forms of the format. */
export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const [w, h] = [width - 1, height - 1];
  const data = {
    'VP8 ': Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, width & 255, width >> 8, height & 255, height >> 8]),
    VP8L: Buffer.from([0x2f, w & 255, ((w >> 8) & 0x3f) | ((h & 3) << 6), (h >> 2) & 255, (h >> 10) & 15, 0]),
    VP8X: Buffer.from([0, 0, 0, 0, w & 255, w >> 8, 0, h & 255, h >> 8, 0]),
  }[kind];
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  const body = Buffer.concat([Buffer.from(`WEBP${kind}`), size, data]);
  const whole = Buffer.alloc(4);
  whole.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), whole, body]);
}

export const pdf = (more = '') =>
  Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n${more}trailer<</Root 1 0 R>>\n%%EOF\n`, 'latin1');
