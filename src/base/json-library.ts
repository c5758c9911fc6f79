/**
 * The wrapper of `jsonrepair`: what it does to commas and colons is taken, what it would do to texts is not.
 * It only sees texts whose strings and brackets are complete, and its answer counts only if every string came through untouched.
 */
import { jsonrepair } from 'jsonrepair';
import { parseStrict } from './json-strict.js';
import { closingQuote, decodeString } from './json-strings.js';
import type { Json } from './json-types.js';

interface Pieces {
  /** The text again, each string as valid JSON. */
  readonly text: string;
  readonly strings: readonly string[];
  readonly numbers: readonly number[];
  readonly brackets: number;
  /** `true`, `false` and `null`, in any spelling: the library may not make up a value where none stands. */
  readonly words: number;
}

/** The repaired value, or undefined when the library cannot do it within the rule. Never throws. */
export function repairByLibrary(text: string): Json | undefined {
  const pieces = takeApart(text);
  if (!pieces) return undefined;
  let repaired: string;
  try {
    repaired = jsonrepair(pieces.text);
  } catch {
    return undefined;
  }
  const strict = parseStrict(repaired);
  if (!strict.ok) return undefined;
  const found = { strings: [] as string[], numbers: [] as number[], brackets: 0, words: 0 };
  collect(strict.value, found);
  const same =
    equal(found.strings, pieces.strings) &&
    equal(found.numbers, pieces.numbers) &&
    found.brackets === pieces.brackets &&
    found.words === pieces.words;
  return same ? strict.value : undefined;
}

/** Undefined when a string or bracket is not complete, or when a bare word stands where only a key could. */
function takeApart(text: string): Pieces | undefined {
  let out = '';
  let open = '';
  let brackets = 0;
  let words = 0;
  const strings: string[] = [];
  const numbers: number[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    if (char === '"' || char === "'") {
      const end = closingQuote(text, at + 1, char);
      if (end < 0) return undefined;
      const value = decodeString(text.slice(at + 1, end), char).text;
      strings.push(value);
      out += JSON.stringify(value);
      at = end + 1;
    } else if (/[\s,:{}[\]]/.test(char)) {
      if (char === '{' || char === '[') open += char;
      if (char === '}' || char === ']') {
        if (!open.endsWith(char === '}' ? '{' : '[')) return undefined;
        open = open.slice(0, -1);
        brackets++;
      }
      out += char;
      at++;
    } else {
      const bare = /^[^\s,:{}[\]"']+/.exec(text.slice(at, at + 100))?.[0] ?? '';
      const isKey = /^\s*:/.test(text.slice(at + bare.length, at + bare.length + 50));
      if (/^-?\d+(\.\d+)?$/.test(bare)) numbers.push(Number(bare));
      else if (isKey && /^[A-Za-z_][\w-]*$/.test(bare)) strings.push(bare);
      else if (/^(true|false|null|True|False|None)$/.test(bare)) words++;
      else return undefined;
      out += bare;
      at += bare.length;
    }
  }
  return open === '' && brackets > 0 ? { text: out, strings, numbers, brackets, words } : undefined;
}

function collect(
  value: Json,
  found: { readonly strings: string[]; readonly numbers: number[]; brackets: number; words: number },
): void {
  if (typeof value === 'string') found.strings.push(value);
  if (typeof value === 'number') found.numbers.push(value);
  if (value === null || typeof value === 'boolean') found.words++;
  if (value === null || typeof value !== 'object') return;
  found.brackets++;
  if (Array.isArray(value)) for (const item of value) collect(item, found);
  else
    for (const [key, item] of Object.entries(value)) {
      found.strings.push(key);
      collect(item, found);
    }
}

function equal<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
