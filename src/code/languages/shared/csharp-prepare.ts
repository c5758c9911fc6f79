/** Rewrites C# that its grammar does not know into something of the same length that it does. */

const EXTENSION = /^([ \t]*)extension(?=[ \t\r\n]*[<(])/gm;
/** What may stand between the word and its receiver, and behind it up to the body. */
const TYPES = /[ \t\r\n]*(?:<[^(){};]{0,500}>)?[ \t\r\n]*\(/y;
const BODY = /[ \t\r\n]*(?:where\b[^{};]{0,1000})?\{/y;
const LONGEST_RECEIVER = 1_000;
const AS = 'struct E ';

/** Blocks of extension members (`extension(string text) { … }`) become structures without the receiver, offset for offset. */
export function prepareExtensions(text: string): string {
  if (!text.includes('extension')) return text;
  let out = '';
  let last = 0;
  for (const match of text.matchAll(EXTENSION)) {
    const word = match.index + (match[1]?.length ?? 0);
    const receiver = receiverAt(text, word + AS.length);
    if (!receiver) continue;
    const blank = text.slice(receiver.from, receiver.to).replace(/[^\r\n]/g, ' ');
    out += text.slice(last, word) + AS + text.slice(word + AS.length, receiver.from) + blank;
    last = receiver.to;
  }
  return out + text.slice(last);
}

/** Whether a structure is one that was made here: in the real text it begins with another word. */
export const isExtension = (text: string, at: number): boolean => text.startsWith('extension', at);

/** Where the receiver stands, its brackets with it, when a body follows. */
export function receiverAt(text: string, behind: number): { readonly from: number; readonly to: number } | undefined {
  TYPES.lastIndex = behind;
  const types = TYPES.exec(text);
  if (!types) return undefined;
  const from = behind + types[0].length - 1;
  let depth = 0;
  for (let at = from; at < text.length && at < from + LONGEST_RECEIVER; at++) {
    const char = text[at];
    if (char === '(' || char === '[') depth++;
    else if (char === ')' || char === ']') depth--;
    if (depth > 0) continue;
    BODY.lastIndex = at + 1;
    return BODY.test(text) ? { from, to: at + 1 } : undefined;
  }
  return undefined;
}
