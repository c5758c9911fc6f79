/** Makes the end of a log whole again: a last line that was cut off is set aside, never thrown away. */
import { closeSync, constants, fstatSync, ftruncateSync, readSync } from 'node:fs';
import { openPlain, writeAll } from './files.js';
import { parseObject } from './guards.js';

const BLOCK = 64 * 1024;
const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * Ends the file behind `fd` (open for reading and appending) with a line feed. A whole line only gets the line feed;
 * half a line moves to `damagedFile`, or stays as a line of its own when it cannot be moved. Gives the bytes set aside.
 */
export function repairEnd(fd: number, damagedFile: string): number {
  const size = fstatSync(fd).size;
  const start = lastLineStart(fd, size);
  if (start === size) return 0;
  const whole = size - start <= LONGEST_LINE && parseObject(readAt(fd, start, size - start).toString('utf8')) !== undefined;
  if (whole || !copyTail(fd, start, size, damagedFile)) {
    writeAll(fd, Buffer.from('\n'));
    return 0;
  }
  ftruncateSync(fd, start);
  return size - start;
}

/** Position after the last line feed. */
function lastLineStart(fd: number, size: number): number {
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - BLOCK);
    const at = readAt(fd, from, end - from).lastIndexOf(10);
    if (at !== -1) return from + at + 1;
    end = from;
  }
  return 0;
}

function copyTail(fd: number, start: number, size: number, file: string): boolean {
  try {
    const out = openPlain(file, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
    try {
      for (let at = start; at < size; at += BLOCK) writeAll(out, readAt(fd, at, Math.min(BLOCK, size - at)));
      writeAll(out, Buffer.from('\n'));
    } finally {
      closeSync(out);
    }
    return true;
  } catch {
    return false;
  }
}

function readAt(fd: number, position: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let done = 0;
  while (done < size) {
    const read = readSync(fd, bytes, done, size - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}
