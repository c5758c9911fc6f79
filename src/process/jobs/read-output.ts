/** Reads a part of a job's log in bounded memory. */
import { wholeLettersEnd, wholeLettersStart } from '../bounded-bytes.js';
import { cleanText } from '../clean-text.js';
import { settleText } from '../settle-text.js';
import { readLog } from './job-folder.js';

/** Bytes read of one part, half from each end. */
const KEEP_BYTES = 256 * 1024;
const STEP = 64 * 1024;
/** How far back last lines are looked for. */
const TAIL_REACH = 8 * 1024 * 1024;

interface ReadOutput {
  readonly output: string;
  readonly outputEnd: string;
  readonly omittedBytes: number;
  /** Where the part that was read ends: before a letter whose rest has not come yet. */
  readonly end: number;
}

const decode = (bytes: Uint8Array): string => settleText(cleanText(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)));

/** Bytes `from` to `to` of the log as text. `open`: more may come, so that half a letter at the end waits for its rest. */
export function readOutput(folder: string, from: number, to: number, open: boolean): ReadOutput {
  if (to - from <= KEEP_BYTES) {
    const bytes = readLog(folder, from, to);
    const length = open ? wholeLettersEnd(bytes) : bytes.length;
    return { output: decode(bytes.subarray(0, length)), outputEnd: '', omittedBytes: 0, end: from + length };
  }
  const head = readLog(folder, from, from + KEEP_BYTES / 2);
  const tail = readLog(folder, to - KEEP_BYTES / 2, to);
  const headLength = wholeLettersEnd(head);
  const tailStart = wholeLettersStart(tail);
  const tailEnd = open ? wholeLettersEnd(tail) : tail.length;
  return {
    output: decode(head.subarray(0, headLength)),
    outputEnd: decode(tail.subarray(tailStart, tailEnd)),
    omittedBytes: to - from - headLength - (tail.length - tailStart),
    end: to - (tail.length - tailEnd),
  };
}

/** Where the last `lines` lines begin, at most 8 MiB before `to`. */
export function startOfTail(folder: string, lines: number, to: number): number {
  let missing = lines;
  let position = to;
  const least = Math.max(0, to - TAIL_REACH);
  while (position > least) {
    const start = Math.max(least, position - STEP);
    const bytes = readLog(folder, start, position);
    for (let index = bytes.length - 1; index >= 0; index--) {
      if (bytes[index] !== 0x0a || start + index === to - 1) continue;
      missing -= 1;
      if (missing === 0) return start + index + 1;
    }
    position = start;
  }
  return least;
}
