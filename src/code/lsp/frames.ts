/** Cuts a server's output into messages, whatever it writes: bounds for headers, bodies, noise and floods. */

const LONGEST_HEADER = 8 * 1024;
const LONGEST_BODY = 16 * 1024 * 1024;
/** Levels of lists and objects in a body; deeper ones cost far more memory than their bytes. */
const DEEPEST = 200;
/** Lines printed between messages, as careless servers and their wrappers do; bytes in all. */
const MOST_NOISE = 256 * 1024;
const FLOOD_WINDOW_MS = 5000;
const FLOOD_MESSAGES = 25_000;
const FLOOD_BYTES = 512 * 1024 * 1024;

/** The server broke the protocol beyond repair; the message is an English sentence without its full stop. */
export class FrameFault extends Error {}

export interface FrameReader {
  /** Takes bytes, gives the bodies that are whole. Throws FrameFault; afterwards it must not be used. */
  push(chunk: Buffer): Buffer[];
}

/** `now` in milliseconds, for the count of floods. */
export function createFrameReader(now: () => number): FrameReader {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = -1;
  let noise = 0;
  let since = now();
  let messages = 0;
  let bytes = 0;

  const count = (size: number) => {
    bytes += size;
    if (now() - since > FLOOD_WINDOW_MS) {
      since = now();
      messages = 0;
      bytes = size;
    }
    if (messages > FLOOD_MESSAGES || bytes > FLOOD_BYTES) throw new FrameFault('it floods us with messages');
  };
  const joined = (): Buffer => {
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    chunks = [all];
    return all;
  };
  const drop = (size: number) => {
    const rest = joined().subarray(size);
    chunks = rest.length > 0 ? [rest] : [];
    held = rest.length;
  };
  const header = (): boolean => {
    const found = findHeader(joined());
    noise += found.noise;
    if (noise > MOST_NOISE) throw new FrameFault('it writes other things than messages');
    drop(found.used);
    if (found.length === undefined) return false;
    wanted = found.length;
    return true;
  };

  return {
    push(chunk) {
      count(chunk.length);
      if (chunk.length > 0) chunks.push(chunk);
      held += chunk.length;
      const bodies: Buffer[] = [];
      while (held > 0 || wanted === 0) {
        if (wanted < 0 && !header()) break;
        if (held < wanted) break;
        // A copy: the chunk it lies in may be large and would be kept alive by it.
        bodies.push(Buffer.from(joined().subarray(0, wanted)));
        drop(wanted);
        wanted = -1;
        messages += 1;
        count(0);
      }
      return bodies;
    },
  };
}

interface Header {
  /** Bytes that are done with. */
  readonly used: number;
  readonly noise: number;
  /** Length of the body that follows; undefined: the header is not whole yet. */
  readonly length?: number;
}

const NAME = 'content-length:';

/** Passes over lines that are no header. Lines may end with a line feed alone. */
function findHeader(bytes: Buffer): Header {
  let at = 0;
  let noise = 0;
  let length: number | undefined;
  let started = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) {
      const open = bytes.length - (length === undefined ? at : started);
      if (open > LONGEST_HEADER) throw new FrameFault('its header has no end');
      return { used: length === undefined ? at : started, noise };
    }
    if (end - at > LONGEST_HEADER && length !== undefined) throw new FrameFault('its header is too long');
    const line = bytes.toString('latin1', at, Math.min(end, at + LONGEST_HEADER)).trim();
    if (length === undefined) {
      length = lengthOf(line);
      if (length === undefined) noise += end + 1 - at;
      else started = at;
    } else if (line === '') {
      return { used: end + 1, noise, length };
    } else if (end - started > LONGEST_HEADER) {
      throw new FrameFault('its header is too long');
    }
    at = end + 1;
  }
}

/** Also behind something that was printed without a line end. */
function lengthOf(line: string): number | undefined {
  const lower = line.toLowerCase();
  const at = lower.startsWith('content-type:') ? -1 : lower.lastIndexOf(NAME);
  if (at < 0) return undefined;
  const value = line.slice(at + NAME.length).trim();
  if (!/^\d{1,15}$/.test(value)) throw new FrameFault('the length of its message is no number');
  const length = Number(value);
  if (length > LONGEST_BODY) throw new FrameFault(`its message has ${length} bytes`);
  return length;
}

/** Does a body of JSON nest deeper than any message does? A look at its bytes, before anything is made of them. */
export function isTooDeep(body: Buffer): boolean {
  let depth = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === 0x22) at = endOfString(body, at);
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return false;
}

/** Place of the quote that ends a string which begins here, or the end. */
function endOfString(body: Buffer, start: number): number {
  for (let at = start + 1; at < body.length; at++) {
    if (body[at] === 0x5c) at++;
    else if (body[at] === 0x22) return at;
  }
  return body.length;
}
