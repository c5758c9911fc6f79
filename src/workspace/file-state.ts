/** The identity of a file's bytes at one moment, and what changed between two moments. */
import { createHash } from 'node:crypto';
import { fstatSync, read as readCallback, readSync, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import type { FileState } from '../types/workspace.js';

const readAsync = promisify(readCallback);
const CHUNK = 1024 * 1024;

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** SHA-256 of what a descriptor holds, read in pieces; a small file at once, since waiting for a turn costs more than it. */
export async function sha256OfDescriptor(fd: number): Promise<string> {
  const hash = createHash('sha256');
  const { size } = fstatSync(fd);
  const buffer = Buffer.allocUnsafe(Math.min(size + 1, CHUNK));
  for (let position = 0; ; ) {
    const count =
      size < CHUNK
        ? readSync(fd, buffer, 0, buffer.length, position)
        : (await readAsync(fd, buffer, 0, buffer.length, position)).bytesRead;
    if (count === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, count));
    position += count;
  }
}

/** `sha` is empty for files too large to hash on every look. */
export function stateOf(stat: Stats, sha: string): FileState {
  return { mtimeMs: stat.mtimeMs, size: stat.size, sha256: sha };
}

/** Same bytes? By content where both know it, otherwise by size and time. */
export function sameBytes(a: FileState, b: FileState): boolean {
  if (a.size !== b.size) return false;
  return a.sha256 && b.sha256 ? a.sha256 === b.sha256 : a.mtimeMs === b.mtimeMs;
}

/** What changed, for the message of a `Stale` fault. Times are UTC. */
export function describeChange(seen: FileState, now: FileState): string {
  const parts: string[] = [];
  if (seen.size !== now.size) parts.push(`size ${seen.size} -> ${now.size} bytes`);
  else parts.push(`same size (${now.size} bytes), other content`);
  if (seen.mtimeMs !== now.mtimeMs) parts.push(`modified ${instant(seen.mtimeMs)} -> ${instant(now.mtimeMs)}`);
  return parts.join(', ');
}

export function instant(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
