/** Keeps the beginning and the end of a stream of bytes in bounded memory. */

export interface KeptText {
  /** Everything, or the beginning when something was left out. */
  readonly head: string;
  /** The end when something was left out, otherwise empty. */
  readonly tail: string;
  readonly omittedBytes: number;
}

/** How far from the cut a line end is looked for, so that whole lines remain. */
const LINE_REACH = 2048;

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Length of `bytes` without a letter cut in half at its end. */
export function wholeLettersEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (isContinuation(byte)) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Offset of the first whole letter of `bytes`. */
export function wholeLettersStart(bytes: Uint8Array): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return start;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Takes chunks of any size; memory stays below twice `keepBytes` whatever comes in. */
export class BoundedBytes {
  readonly #headCap: number;
  readonly #tailCap: number;
  #head: Buffer[] = [];
  #headLength = 0;
  #ring: Buffer | undefined;
  #ringEnd = 0;
  #ringLength = 0;
  total = 0;

  constructor(keepBytes: number) {
    this.#headCap = Math.max(1, Math.ceil(keepBytes / 2));
    this.#tailCap = Math.max(1, Math.floor(keepBytes / 2));
  }

  push(chunk: Uint8Array): void {
    this.total += chunk.length;
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (this.#headLength < this.#headCap) {
      const part = Buffer.from(rest.subarray(0, this.#headCap - this.#headLength));
      this.#head.push(part);
      this.#headLength += part.length;
      if (this.#head.length > 256) this.#head = [Buffer.concat(this.#head)];
      rest = rest.subarray(part.length);
    }
    if (rest.length > 0) this.#pushTail(rest);
  }

  #pushTail(chunk: Buffer): void {
    this.#ring ??= Buffer.allocUnsafe(this.#tailCap);
    const ring = this.#ring;
    const rest = chunk.length > ring.length ? chunk.subarray(chunk.length - ring.length) : chunk;
    const first = Math.min(rest.length, ring.length - this.#ringEnd);
    rest.copy(ring, this.#ringEnd, 0, first);
    rest.copy(ring, 0, first);
    this.#ringEnd = (this.#ringEnd + rest.length) % ring.length;
    this.#ringLength = Math.min(ring.length, this.#ringLength + rest.length);
  }

  #tail(): Buffer {
    const ring = this.#ring;
    if (ring === undefined) return Buffer.alloc(0);
    const start = (this.#ringEnd - this.#ringLength + ring.length) % ring.length;
    const part = ring.subarray(start, Math.min(ring.length, start + this.#ringLength));
    return Buffer.concat([part, ring.subarray(0, this.#ringLength - part.length)]);
  }

  /** The bytes kept so far, beginning and end; contiguous when nothing was left out. */
  bytes(): { head: Buffer; tail: Buffer; omitted: number } {
    const head = Buffer.concat(this.#head);
    const tail = this.#tail();
    return { head, tail, omitted: this.total - head.length - tail.length };
  }

  /** Decoded as UTF-8, invalid bytes replaced; cut at line ends where one is near, never inside a letter. */
  text(): KeptText {
    const { head, tail, omitted } = this.bytes();
    if (omitted === 0) return { head: decode(Buffer.concat([head, tail])), tail: '', omittedBytes: 0 };
    const lineEnd = head.lastIndexOf(0x0a);
    const headEnd = lineEnd >= head.length - LINE_REACH && lineEnd > 0 ? lineEnd + 1 : wholeLettersEnd(head);
    const lineStart = tail.indexOf(0x0a);
    const tailStart =
      lineStart !== -1 && lineStart < Math.min(LINE_REACH, tail.length / 2) ? lineStart + 1 : wholeLettersStart(tail);
    return {
      head: decode(head.subarray(0, headEnd)),
      tail: decode(tail.subarray(tailStart)),
      omittedBytes: this.total - headEnd - (tail.length - tailStart),
    };
  }
}
