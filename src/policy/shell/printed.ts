/** What simple commands print, as far as the line itself says. */
import { only, possible, type Simple } from './types.js';

/** The text an `echo`, `printf` or `cat <<EOF` sends on, in the readings it may have. */
export function printedBy(simple: Simple | undefined, stdin: readonly string[] | undefined): readonly string[] | undefined {
  const name = only(simple?.words[0]);
  if (!simple || name === undefined) return undefined;
  if (name === 'cat' && simple.words.length === 1) return simple.stdin ?? stdin;
  if (name !== 'echo' && name !== 'printf') return undefined;
  const words = simple.words.slice(1).filter((word, index) => !(index === 0 && /^-[neE]+$|^--$/.test(word.source)));
  const texts = words.map((word) => possible(word)[0]);
  if (texts.some((text) => text === undefined)) return undefined;
  const plain = texts.join(' ');
  const rest = texts.slice(1).join(' ');
  const escaped = unescapeText(plain);
  return [...new Set([plain, escaped, rest, unescapeText(rest)])].filter((text) => text !== '');
}

/** Backslash escapes as echo -e and printf read them. */
function unescapeText(text: string): string {
  const letters: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '', b: '', f: '\f', v: '\v', '\\': '\\' };
  return text.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|([\s\S]))/g, (whole, hex, octal, letter) => {
    if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    return letters[letter as string] ?? whole;
  });
}
