/** Whole reads, writes and copies on descriptors: small ones at once, large ones without blocking. */
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  read as readCallback,
  readSync,
  write as writeCallback,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { UPDATE_FLAGS } from './open-checked.js';

const readAsync = promisify(readCallback);
const writeAsync = promisify(writeCallback);

/** Up to this size a transfer is done in one go. */
const AT_ONCE = 1024 * 1024;
const CHUNK = 1024 * 1024;

/** Writes all bytes at the descriptor's position. */
export async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  if (bytes.length <= AT_ONCE) {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
    return;
  }
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await writeAsync(fd, bytes, at, Math.min(bytes.length - at, CHUNK), null);
    at += bytesWritten;
  }
}

/** All bytes of a descriptor from its beginning; at most `most`, then undefined. A file that grows meanwhile is read to its end. */
export async function readAll(fd: number, size: number, most: number): Promise<Buffer | undefined> {
  if (size > most) return undefined;
  const parts: Buffer[] = [];
  let total = 0;
  for (;;) {
    const buffer = Buffer.allocUnsafe(Math.max(4096, size - total + 1));
    const count =
      size <= AT_ONCE
        ? readSync(fd, buffer, 0, buffer.length, total)
        : (await readAsync(fd, buffer, 0, buffer.length, total)).bytesRead;
    if (count === 0) return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, total);
    parts.push(buffer.subarray(0, count));
    total += count;
    if (total > most) return undefined;
  }
}

/** Copies everything from the beginning of one descriptor to the position of another. */
export async function copyDescriptor(from: number, to: number): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let position = 0; ; ) {
    const { bytesRead } = await readAsync(from, buffer, 0, CHUNK, position);
    if (bytesRead === 0) return;
    await writeAll(to, buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/** Puts `bytes` into an existing file without changing its identity, and waits for the disk. */
export function overwrite(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, UPDATE_FLAGS);
  try {
    overwriteDescriptor(fd, bytes);
  } finally {
    closeSync(fd);
  }
}

export function overwriteDescriptor(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
  ftruncateSync(fd, bytes.length);
  fsyncSync(fd);
}
