/** The text of a file on the disk as servers are given it. */
import { decodeUtf16, detect } from '../../base/text-encoding.js';

/** Larger files are not given to servers; bytes. */
export const LARGEST_TEXT = 2 * 1024 * 1024;

/** Without a byte order mark; undefined for a binary file and one that is too large. */
export function serverText(bytes: Buffer): string | undefined {
  if (bytes.length > LARGEST_TEXT) return undefined;
  const { encoding, binary } = detect(bytes);
  if (binary) return undefined;
  const text = encoding === 'utf-16le' || encoding === 'utf-16be' ? decodeUtf16(bytes, encoding) : bytes.toString('utf8');
  return text.replace(/^\ufeff/, '');
}
