/** Takes keys out of logs commands wrote themselves: only ordinary files that are nobody else's, piece by piece, whole or not at all. */
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createRedactStream, type Redact } from '../base/secret-text.js';
import { noteSeen, readSeen } from './jobs/job-folder.js';

const PIECE = 1024 * 1024;

/**
 * Redacts a log in place; it gets another file of the same name. A link, another name of a file, or anything that is no
 * ordinary file is left alone. True when it was changed. Never throws: without the log there is nothing to clean.
 */
export async function cleanLog(path: string, redact: Redact): Promise<boolean> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (!stat.isFile() || stat.nlink !== 1 || !(await holdsSecret(handle, redact))) return false;
    await rewrite(handle, path, redact);
    return true;
  } catch {
    return false;
  } finally {
    await handle?.close().catch(() => undefined);
  }
}

/** The same for the log of a job that has ended; what was shown of it stays shown. */
export async function cleanJobLog(path: string, redact: Redact): Promise<void> {
  const folder = dirname(path);
  const seen = readSeen(folder);
  const after = seen === 0 ? 0 : await cleanLength(path, redact, seen);
  if (await cleanLog(path, redact)) noteSeen(folder, after);
}

async function* pieces(handle: FileHandle, most = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  const bytes = Buffer.alloc(PIECE);
  for (let at = 0; at < most; ) {
    const { bytesRead } = await handle.read(bytes, 0, Math.min(PIECE, most - at), at);
    if (bytesRead === 0) return;
    at += bytesRead;
    // Bytes that are no text come back as they were.
    yield bytes.toString('latin1', 0, bytesRead);
  }
}

async function* redacted(handle: FileHandle, redact: Redact, most?: number): AsyncGenerator<string> {
  const stream = createRedactStream(redact);
  for await (const piece of pieces(handle, most)) yield stream.push(piece);
  yield stream.end();
}

async function holdsSecret(handle: FileHandle, redact: Redact): Promise<boolean> {
  const stream = createRedactStream(redact);
  let open = '';
  for await (const piece of pieces(handle)) {
    open += piece;
    const safe = stream.push(piece);
    if (!open.startsWith(safe)) return true;
    open = open.slice(safe.length);
  }
  return stream.end() !== open;
}

async function rewrite(handle: FileHandle, path: string, redact: Redact): Promise<void> {
  const draft = `${path}.clean`;
  const out = await open(draft, 'wx', 0o600);
  try {
    for await (const piece of redacted(handle, redact)) await out.write(Buffer.from(piece, 'latin1'));
    await out.close();
    await rename(draft, path);
  } catch (error) {
    await out.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

async function cleanLength(path: string, redact: Redact, most: number): Promise<number> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  if (handle === undefined) return most;
  try {
    let length = 0;
    for await (const piece of redacted(handle, redact, most)) length += piece.length;
    return length;
  } finally {
    await handle.close();
  }
}
