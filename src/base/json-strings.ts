/** The inside of a JSON string -> its text. What JSON knows is decoded; an escape it does not know stays, backslash included. */

interface DecodedString {
  readonly text: string;
  /** An escape JSON does not know was kept as it stands. */
  readonly keptEscape: boolean;
  /** A raw line end or control character stood in the string. */
  readonly rawControl: boolean;
}

const SIMPLE: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Decodes `raw`, the text between two `quote` characters. A backslash before `quote` stands for it. */
export function decodeString(raw: string, quote = '"'): DecodedString {
  let text = '';
  let keptEscape = false;
  let rawControl = false;
  let from = 0;
  for (let at = 0; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    if (code < 0x20) rawControl = true;
    if (code !== 0x5c) continue;
    const found = readEscape(raw, at, quote);
    if (found === undefined) {
      keptEscape = true;
      // The escaped character is passed over, so that of two backslashes the second starts nothing.
      at++;
      continue;
    }
    text += raw.slice(from, at) + found.text;
    from = at + found.length;
    at = from - 1;
  }
  return { text: text + raw.slice(from), keptEscape, rawControl };
}

function readEscape(raw: string, at: number, quote: string): { readonly text: string; readonly length: number } | undefined {
  const next = raw.charAt(at + 1);
  if (next === quote && next !== '') return { text: quote, length: 2 };
  if (next === 'u') {
    const digits = raw.slice(at + 2, at + 6);
    if (/^[0-9a-fA-F]{4}$/.test(digits)) return { text: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 };
    return undefined;
  }
  const simple = Object.hasOwn(SIMPLE, next) ? SIMPLE[next] : undefined;
  return simple === undefined ? undefined : { text: simple, length: 2 };
}

/** Offset of the quote that closes a string whose text begins at `start`, or -1. An escaped character closes nothing. */
export function closingQuote(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.startsWith(quote, at)) return at;
  }
  return -1;
}
