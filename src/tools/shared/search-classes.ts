/** Character classes and escapes of ripgrep's patterns, as JavaScript classes for the flag `v`. */

/** A set of characters, not yet written out. */
export interface Piece {
  /** What stands between the brackets, in JavaScript's spelling. */
  readonly inner: string;
  readonly negated: boolean;
  /** It names a line break or carriage return itself. */
  readonly names: boolean;
  /** It holds letters that stand for themselves. */
  readonly cased: boolean;
}

export type Refuse = (what: string, at: number) => Error;

const DIGIT = '\\p{Nd}';
const SPACE = '\\p{White_Space}';
const WORD_SET = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
/** A letter, digit or underscore, as ripgrep sees them. */
export const WORD = `[${WORD_SET}]`;

const SHORT: Readonly<Record<string, string>> = { d: DIGIT, s: SPACE, w: WORD_SET };
const CONTROLS: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  f: '\f',
  v: '\v',
  e: '\x1b',
};
const POSIX: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\t-\\r\\x20',
  blank: '\\t\\x20',
  punct: '\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E',
  xdigit: '0-9a-fA-F',
  word: '0-9A-Za-z_',
  cntrl: '\\x00-\\x1F\\x7F',
  graph: '\\x21-\\x7E',
  print: '\\x20-\\x7E',
  ascii: '\\x00-\\x7F',
};

/** A character as an escape that is the same everywhere in a pattern. */
export function codeUnit(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A line never holds a line break, and bytes that are no character (kept as lone surrogates) are in no class. */
export function classText({ inner, negated }: Piece, across: boolean): string {
  const never = `[${across ? '' : '\\r\\n'}\\u{D800}-\\u{DFFF}]`;
  return `[[${negated ? '^' : ''}${inner}]--${never}]`;
}

/** The escape that begins at `at`: one character, or a set. Throws what `refuse` makes. */
export function escapeAt(text: string, at: number, refuse: Refuse): { value: string | Piece; end: number } {
  const rest = text.slice(at, at + 80);
  const char = rest[1] ?? '';
  const hex = /^\\(?:[xuU]\{([0-9a-fA-F]{1,8})\}|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest);
  if (hex) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? hex[4] ?? '', 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw refuse(`${hex[0]} is no character`, at);
    return { value: String.fromCodePoint(code), end: at + hex[0].length };
  }
  const property = /^\\([pP])(?:\{(\^?)([^{}]{1,60})\}|([A-Za-z]))/.exec(rest);
  if (property) {
    const [whole, kind, caret = '', name, letter] = property;
    const inner = propertyText(name ?? letter ?? '');
    if (!inner) throw refuse(`${whole} is no known property`, at);
    return { value: set(inner, (kind === 'P') !== (caret === '^')), end: at + whole.length };
  }
  const short = SHORT[char.toLowerCase()];
  if (short) return { value: set(short, char !== char.toLowerCase()), end: at + 2 };
  const control = CONTROLS[char];
  if (control) return { value: control, end: at + 2 };
  if (char === '') throw refuse('a backslash stands at its end', at);
  if (/[A-Za-z0-9]/.test(char)) throw refuse(`\\${char} is not known here`, at);
  const whole = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  return { value: whole, end: at + 1 + whole.length };
}

function set(inner: string, negated: boolean): Piece {
  return { inner, negated, names: false, cased: false };
}

function propertyText(name: string): string | undefined {
  const plain = name.trim().replace(/[\s-]+/g, '_');
  const titled = plain
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase())
    .join('_');
  const [key, value] = plain.split(/[=:]/);
  const tries = value
    ? [`${key}=${value}`, `${/^(sc|script)$/i.test(key ?? '') ? 'Script' : 'General_Category'}=${capital(value)}`]
    : [plain, titled, `Script=${titled}`, plain.toUpperCase(), capital(plain)];
  return tries.map((tried) => `\\p{${tried}}`).find(isPattern);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'v');
    return true;
  } catch {
    return false;
  }
}

/** The class whose bracket stands at `open`. Throws what `refuse` makes. */
export function classAt(text: string, open: number, verbose: boolean, refuse: Refuse): { piece: Piece; end: number } {
  return readClass(text, open, verbose, refuse, 0);
}

function readClass(text: string, open: number, verbose: boolean, refuse: Refuse, depth: number): { piece: Piece; end: number } {
  if (depth > 50) throw refuse('classes nest too deep', open);
  let at = open + 1;
  const negated = text[at] === '^';
  if (negated) at++;
  const found = { names: false, cased: false };
  /** What stands left of an operator, and the set that grows. */
  let left: string | undefined;
  let operator = '';
  let inner = '';
  let isFirst = true;
  for (;;) {
    const char = text[at];
    if (char === undefined) throw refuse('a class is not closed', open);
    if (char === ']' && !isFirst) break;
    const sign = /^(?:&&|--|~~)/.exec(text.slice(at, at + 2))?.[0];
    if (sign && !isFirst) {
      if (sign === '~~') throw refuse('~~ between sets is not known here', at);
      left = left === undefined ? `[${inner}]` : `[${left}${operator}[${inner}]]`;
      operator = sign;
      inner = '';
      at += 2;
      continue;
    }
    isFirst = false;
    if (verbose && /\s/.test(char)) {
      at++;
      continue;
    }
    const item = readItem(text, at, verbose, refuse, depth);
    at = item.end;
    inner += item.source;
    found.names ||= item.names;
    found.cased ||= item.cased;
  }
  const whole = left === undefined ? inner : `${left}${operator}[${inner}]`;
  return { piece: { inner: whole, negated, ...found }, end: at + 1 };
}

interface ClassItem {
  readonly source: string;
  readonly end: number;
  readonly names: boolean;
  readonly cased: boolean;
}

function readItem(text: string, at: number, verbose: boolean, refuse: Refuse, depth: number): ClassItem {
  const posix = /^\[:(\^?)([a-z]+):\]/.exec(text.slice(at, at + 16));
  const inner = POSIX[posix?.[2] ?? ''];
  if (posix && inner) {
    const source = `[${posix[1] ?? ''}${inner}]`;
    return { source, end: at + posix[0].length, names: false, cased: /a-z|A-Z/.test(inner) };
  }
  if (text[at] === '[') {
    const { piece, end } = readClass(text, at, verbose, refuse, depth + 1);
    return {
      source: `[${piece.negated ? '^' : ''}${piece.inner}]`,
      end,
      names: piece.names && !piece.negated,
      cased: piece.cased,
    };
  }
  const low = readOne(text, at, refuse);
  if (typeof low.value !== 'string') {
    return { source: `[${low.value.negated ? '^' : ''}${low.value.inner}]`, end: low.end, names: false, cased: false };
  }
  const range = text[low.end] === '-' && text[low.end + 1] !== ']' && text[low.end + 1] !== '-';
  if (!range || text[low.end + 1] === undefined) return one(low.value, low.value, low.end);
  const high = readOne(text, low.end + 1, refuse);
  if (typeof high.value !== 'string') throw refuse('a range ends with a set', at);
  if ((high.value.codePointAt(0) ?? 0) < (low.value.codePointAt(0) ?? 0)) throw refuse('a range runs backwards', at);
  return one(low.value, high.value, high.end);
}

function readOne(text: string, at: number, refuse: Refuse): { value: string | Piece; end: number } {
  if (text[at] === '\\') return text[at + 1] === 'b' ? { value: '\b', end: at + 2 } : escapeAt(text, at, refuse);
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return { value: char, end: at + char.length };
}

function one(low: string, high: string, end: number): ClassItem {
  const names = low === high && (low === '\n' || low === '\r');
  const cased = low !== high || low.toLowerCase() !== low.toUpperCase();
  return { source: low === high ? codeUnit(low) : `${codeUnit(low)}-${codeUnit(high)}`, end, names, cased };
}
