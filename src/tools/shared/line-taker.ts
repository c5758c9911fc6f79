/** Takes the wanted lines out of bytes, within limits of bytes and characters, and keeps nothing else. */

import { decodeShown } from '../../base/text-encoding.js';
import { counted } from './counted.js';

export interface TakeLimits {
  /** Bytes of content, line breaks included (the break of the last line may go over). */
  readonly maxBytes: number;
  /** Characters of output, numbers included. */
  readonly maxChars: number;
  /** Characters of one line. */
  readonly lineLimit: number;
}

export interface TakenLine {
  readonly number: number;
  readonly text: string;
}

/** `lines`: the last wanted line was reached; `bytes`, `output`: a limit was. */
export type Stop = 'lines' | 'bytes' | 'output';

/** What a line costs beside its text: number, ` | `, line break. */
const LINE_COST = 8;
/** Room for the mark of a cut line. */
const MARK_COST = 60;

interface Shown {
  readonly text: string;
  /** Bytes of the file that it shows. */
  readonly bytes: number;
  readonly escaped: number;
  readonly cut: boolean;
}

/** Lines with what they cost so far. */
class Taken {
  readonly lines: TakenLine[] = [];
  escaped = 0;
  crlf = 0;
  lf = 0;
  cutLines = 0;
  #bytes = 0;
  #chars = 0;

  constructor(readonly limits: TakeLimits) {}

  /** Undefined when the line was taken; otherwise the limit that stands in its way. A first line is taken in part. */
  add(number: number, line: Buffer, length: number, breakBytes: number): Stop | undefined {
    const { maxBytes, maxChars, lineLimit } = this.limits;
    const shown = showLine(line, length, lineLimit, number === 1);
    const overBytes = this.#bytes + shown.bytes > maxBytes;
    if (!overBytes && this.#chars + shown.text.length + LINE_COST <= maxChars) {
      this.#accept(number, shown, breakBytes);
      return undefined;
    }
    if (this.lines.length === 0) {
      const limit = Math.max(0, Math.min(lineLimit, maxChars - LINE_COST - MARK_COST));
      this.#accept(number, showLine(line.subarray(0, maxBytes), length, limit, number === 1), breakBytes);
    }
    return overBytes ? 'bytes' : 'output';
  }

  #accept(number: number, shown: Shown, breakBytes: number): void {
    this.lines.push({ number, text: shown.text });
    this.#bytes += shown.bytes + breakBytes;
    this.#chars += shown.text.length + LINE_COST;
    this.escaped += shown.escaped;
    if (shown.cut) this.cutLines++;
    if (breakBytes === 2) this.crlf++;
    if (breakBytes === 1) this.lf++;
  }
}

/** Feed it pieces of a file from the beginning; it wants no more once `push` is false. */
export class LineTaker extends Taken {
  stop: Stop | undefined;
  readonly #first: number;
  readonly #last: number;
  /** Lines finished. */
  #seen = 0;
  #kept: Buffer[] = [];
  #keptLength = 0;
  #length = 0;

  /** `first` and `last`: wanted lines, 1-based, inclusive. */
  constructor(first: number, last: number, limits: TakeLimits) {
    super(limits);
    this.#first = first;
    this.#last = last;
  }

  /** Lines that were passed or taken. */
  get seen(): number {
    return this.#seen;
  }

  push(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.length && this.stop === undefined; ) {
      const end = chunk.indexOf(10, at);
      this.#keep(chunk, at, end < 0 ? chunk.length : end);
      if (end < 0) break;
      this.#finish(true);
      at = end + 1;
    }
    return this.stop === undefined;
  }

  /** The end of the file: a last line without a line break counts too. */
  end(): void {
    if (this.stop === undefined && this.#length > 0) this.#finish(false);
  }

  #keep(chunk: Buffer, from: number, to: number): void {
    this.#length += to - from;
    const most = this.limits.lineLimit * 4 + 64;
    if (this.#seen + 1 < this.#first || this.#keptLength >= most || to === from) return;
    // Copied: the reader uses its buffer again.
    const piece = Buffer.from(chunk.subarray(from, Math.min(to, from + most - this.#keptLength)));
    this.#kept.push(piece);
    this.#keptLength += piece.length;
  }

  #finish(broken: boolean): void {
    const number = this.#seen + 1;
    if (number > this.#last) {
      this.stop = 'lines';
      return;
    }
    const length = this.#length;
    if (number >= this.#first) {
      const line = Buffer.concat(this.#kept, this.#keptLength);
      const crlf = broken && line.length === length && line.at(-1) === 13;
      const bare = crlf ? line.subarray(0, -1) : line;
      const before = this.lines.length;
      this.stop = this.add(number, bare, length - (crlf ? 1 : 0), broken ? (crlf ? 2 : 1) : 0);
      if (this.stop !== undefined && this.lines.length === before) return;
    }
    this.#seen = number;
    this.#kept = [];
    this.#keptLength = 0;
    this.#length = 0;
  }
}

/** The last `count` lines of `bytes`, numbered so that the very last one is `lastNumber`. */
export function takeLast(
  bytes: Buffer,
  count: number,
  lastNumber: number,
  limits: TakeLimits,
): Taken & { stop: Stop | undefined } {
  const taken = new Taken(limits);
  let stop: Stop | undefined;
  let end = bytes.length;
  let number = lastNumber;
  for (let left = count; left > 0 && end > 0; left--) {
    const broken = bytes[end - 1] === 10;
    const textEnd = broken ? end - 1 : end;
    const start = textEnd === 0 ? 0 : bytes.lastIndexOf(10, textEnd - 1) + 1;
    const crlf = broken && textEnd > start && bytes[textEnd - 1] === 13;
    const line = bytes.subarray(start, crlf ? textEnd - 1 : textEnd);
    stop = taken.add(number, line, line.length, broken ? (crlf ? 2 : 1) : 0);
    if (stop !== undefined) break;
    end = start;
    number--;
  }
  taken.lines.reverse();
  return Object.assign(taken, { stop });
}

/** A line for the model: bytes that are not UTF-8 as `\xNN`, no NUL, no byte order mark, cut with a mark where it is too long. */
function showLine(line: Buffer, length: number, limit: number, isFirst: boolean): Shown {
  const whole = line.length === length;
  const decoded = decodeShown(whole ? line : withoutHalf(line));
  const text = (isFirst ? decoded.text.replace(/^\ufeff/, '') : decoded.text).replaceAll('\0', '\\x00');
  if (whole && text.length <= limit) return { text, bytes: length, escaped: decoded.escaped, cut: false };
  const head = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
  return {
    text: `${head}... [line cut; it has ${counted(length, 'byte')}]`,
    bytes: Buffer.byteLength(head),
    escaped: decoded.escaped,
    cut: true,
  };
}

/** Without a last character that the cut went through. */
function withoutHalf(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < wanted ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
