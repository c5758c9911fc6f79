/** Finds the submodules a git index names, by hand and within bounds. */
import { readSmallBytes, statOf } from './small-file.js';

const MOST_BYTES = 32 * 1024 * 1024;
const GITLINK = 0o160000;
let kept: { readonly stamp: string; readonly links: readonly string[] | undefined } | undefined;

/** Paths of the index entries that are other repositories; undefined when the index cannot be read for certain. */
export function gitlinksOf(path: string): readonly string[] | undefined {
  const stat = statOf(path);
  if (!stat) return [];
  const stamp = [path, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ');
  if (kept?.stamp === stamp) return kept.links;
  const bytes = stat.isFile() && stat.size <= MOST_BYTES ? readSmallBytes(path, stat.size) : 'odd';
  const links = typeof bytes === 'string' ? undefined : linksIn(bytes);
  kept = { stamp, links };
  return links;
}

function linksIn(bytes: Buffer): string[] | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const links: string[] = [];
  let previous = Buffer.alloc(0);
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    if (at + 62 > bytes.length) return undefined;
    const long = version > 2 && (bytes.readUInt16BE(at + 60) & 0x4000) !== 0;
    let name = at + 62 + (long ? 2 : 0);
    let shared = Buffer.alloc(0);
    if (version === 4) {
      const cut = varint(bytes, name);
      if (!cut || cut.value > previous.length) return undefined;
      shared = previous.subarray(0, previous.length - cut.value);
      name = cut.next;
    }
    const end = bytes.indexOf(0, name);
    if (end < 0) return undefined;
    const mode = bytes.readUInt32BE(at + 24);
    const link = (mode & 0o170000) === GITLINK;
    // A sparse index leaves whole folders out, and what is in them.
    if ((mode & 0o170000) === 0o040000) return undefined;
    if (version === 4) previous = Buffer.concat([shared, bytes.subarray(name, end)]);
    if (link) links.push(version === 4 ? previous.toString('utf8') : bytes.toString('utf8', name, end));
    at = version === 4 ? end + 1 : at + (((end - at) >> 3) + 1) * 8;
  }
  // A split index keeps entries in another file.
  return bytes.includes('link', at, 'latin1') && isSplit(bytes, at) ? undefined : links;
}

function isSplit(bytes: Buffer, start: number): boolean {
  for (let at = start; at + 8 <= bytes.length - 20; at += 8 + bytes.readUInt32BE(at + 4))
    if (bytes.toString('latin1', at, at + 4) === 'link') return true;
  return false;
}

function varint(bytes: Buffer, start: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let at = start; at < start + 5 && at < bytes.length; at++) {
    const byte = bytes.readUInt8(at);
    value = at === start ? byte & 127 : ((value + 1) << 7) | (byte & 127);
    if (byte < 128) return { value, next: at + 1 };
  }
  return undefined;
}
