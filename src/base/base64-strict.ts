/** Base64 without guessing: the standard alphabet, white space ignored, everything else refused with its place. */

export type DecodedBase64 =
  | { readonly bytes: Buffer }
  /** `offset` counts bytes of the text as UTF-8, from 0. */
  | { readonly error: string; readonly offset: number };

const WHITE = ' \t\r\n\f\v';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes all of `text` or nothing. Never throws. */
export function decodeStrict(text: string): DecodedBase64 {
  let kept = '';
  let padding = 0;
  let lastKept = 0;
  let paddingAt = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (WHITE.includes(char)) continue;
    if (char === '=') {
      if (padding === 0) paddingAt = index;
      padding++;
      continue;
    }
    if (!ALPHABET.includes(char)) return fault(text, index, `${named(text, index)} is not in the base64 alphabet${hint(char)}`);
    if (padding > 0) return fault(text, paddingAt, 'padding "=" stands before the end');
    kept += char;
    lastKept = index;
  }
  const rest = kept.length % 4;
  if (rest === 1) return fault(text, lastKept, 'wrong length: one character is left over after whole groups of four');
  const wanted = rest === 0 ? 0 : 4 - rest;
  if (padding > wanted)
    return fault(text, paddingAt, `wrong padding: ${padding} "=" where ${wanted === 0 ? 'none is' : `${wanted} belong`} needed`);
  if (padding < wanted) return fault(text, text.length, `wrong length: ${wanted - padding} "=" missing at the end`);
  const unused = rest === 2 ? 0b1111 : rest === 3 ? 0b11 : 0;
  if (unused && ALPHABET.indexOf(kept.at(-1) ?? 'A') & unused)
    return fault(text, lastKept, 'the last character has bits that belong to no byte');
  return { bytes: Buffer.from(kept, 'base64') };
}

function fault(text: string, index: number, error: string): DecodedBase64 {
  return { error, offset: Buffer.byteLength(text.slice(0, index), 'utf8') };
}

function named(text: string, index: number): string {
  const code = text.codePointAt(index) ?? 0;
  const shown = code > 0x20 && code !== 0x7f ? `"${String.fromCodePoint(code)}"` : 'a control character';
  return `${shown} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
}

function hint(char: string): string {
  if (char === '-') return '; the URL-safe alphabet is not accepted, write "+" for "-"';
  if (char === '_') return '; the URL-safe alphabet is not accepted, write "/" for "_"';
  return '';
}
