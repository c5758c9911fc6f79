/** Globs over paths with `/`, matched without regular expressions: time grows with pattern times path, whatever they hold. */

export interface Glob {
  test(path: string): boolean;
}

type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] }
  /** `dirs` stands at the beginning of a folder name, `in-dir` inside one: together they are a leading or inner globstar. */
  | { readonly kind: 'dirs' | 'in-dir' }
  /** A trailing globstar: `first` takes one character, `rest` any number. */
  | { readonly kind: 'first' | 'rest' };

const POSIX_CLASSES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  alpha: [
    ['a', 'z'],
    ['A', 'Z'],
  ],
  digit: [['0', '9']],
  alnum: [
    ['a', 'z'],
    ['A', 'Z'],
    ['0', '9'],
  ],
  upper: [['A', 'Z']],
  lower: [['a', 'z']],
  space: [
    [' ', ' '],
    ['\t', '\r'],
  ],
};

const MOST_ALTERNATIVES = 256;

/**
 * `*`, `?`, `[...]`, `\x`, and `**` as a whole component. The whole path must match. Braces are plain characters here:
 * see `expandBraces`. Never throws: an open bracket is a plain character.
 */
export function compileGlob(pattern: string, options: { readonly ignoreCase?: boolean } = {}): Glob {
  const fold = (text: string) => (options.ignoreCase ? text.toLowerCase() : text);
  const tokens = parse(fold(pattern));
  if (tokens.every((token) => token.kind === 'char')) {
    const whole = tokens.map((token) => (token.kind === 'char' ? token.char : '')).join('');
    return { test: (path) => fold(path) === whole };
  }
  return { test: (path) => matches(tokens, fold(path)) };
}

function parse(pattern: string): Token[] {
  const chars = [...pattern];
  const tokens: Token[] = [];
  let at = 0;
  while (at < chars.length) {
    const char = chars[at] ?? '';
    if (char === '\\' && at + 1 < chars.length) {
      tokens.push({ kind: 'char', char: chars[at + 1] ?? '' });
      at += 2;
    } else if (char === '*') {
      let end = at;
      while (chars[end] === '*') end++;
      const wholeStart = at === 0 || chars[at - 1] === '/';
      if (end - at === 2 && wholeStart && chars[end] === '/') {
        tokens.push({ kind: 'dirs' }, { kind: 'in-dir' });
        end++;
      } else if (end - at === 2 && wholeStart && end === chars.length) tokens.push({ kind: 'first' }, { kind: 'rest' });
      else tokens.push({ kind: 'star' });
      at = end;
    } else if (char === '?') {
      tokens.push({ kind: 'any' });
      at++;
    } else {
      const set = char === '[' ? parseClass(chars, at) : undefined;
      tokens.push(set ? set.token : { kind: 'char', char });
      at = set ? set.end : at + 1;
    }
  }
  return tokens;
}

function parseClass(chars: readonly string[], open: number): { token: Token; end: number } | undefined {
  let at = open + 1;
  const negated = chars[at] === '!' || chars[at] === '^';
  if (negated) at++;
  const ranges: (readonly [string, string])[] = [];
  const first = at;
  while (at < chars.length && (chars[at] !== ']' || at === first)) {
    if (chars[at] === '[' && chars[at + 1] === ':') {
      const end = chars.indexOf(']', at + 2);
      const name = end > 0 && chars[end - 1] === ':' ? chars.slice(at + 2, end - 1).join('') : '';
      const known = POSIX_CLASSES[name];
      if (known) {
        ranges.push(...known);
        at = end + 1;
        continue;
      }
    }
    if (chars[at] === '\\' && at + 1 < chars.length) at++;
    const low = chars[at] ?? '';
    at++;
    if (chars[at] === '-' && at + 1 < chars.length && chars[at + 1] !== ']') {
      at++;
      if (chars[at] === '\\' && at + 1 < chars.length) at++;
      ranges.push([low, chars[at] ?? '']);
      at++;
    } else ranges.push([low, low]);
  }
  return at < chars.length ? { token: { kind: 'class', negated, ranges }, end: at + 1 } : undefined;
}

/** Follows all ways through the pattern at once: `live[i]` means "what is left is tokens from i on". */
function matches(tokens: readonly Token[], path: string): boolean {
  let live = new Uint8Array(tokens.length + 1);
  enter(tokens, live, 0);
  for (const char of path) {
    const next = new Uint8Array(tokens.length + 1);
    let alive = false;
    for (let i = 0; i < tokens.length; i++) {
      if (!live[i]) continue;
      const to = step(tokens[i], i, char);
      if (to < 0) continue;
      enter(tokens, next, to);
      alive = true;
    }
    if (!alive) return false;
    live = next;
  }
  return live[tokens.length] === 1;
}

/** Where token `i` leads when it takes `char`; -1 when it cannot. */
function step(token: Token | undefined, i: number, char: string): number {
  switch (token?.kind) {
    case 'char':
      return token.char === char ? i + 1 : -1;
    case 'any':
      return char === '/' ? -1 : i + 1;
    case 'star':
      return char === '/' ? -1 : i;
    case 'class':
      return char !== '/' && token.ranges.some(([low, high]) => char >= low && char <= high) !== token.negated ? i + 1 : -1;
    case 'dirs':
      return char === '/' ? -1 : i + 1;
    case 'in-dir':
      return char === '/' ? i - 1 : i;
    case 'first':
      return i + 1;
    case 'rest':
      return i;
    default:
      return -1;
  }
}

/** Marks a state and all that follow it without taking a character. */
function enter(tokens: readonly Token[], live: Uint8Array, start: number): void {
  let at = start;
  for (;;) {
    live[at] = 1;
    const kind = tokens[at]?.kind;
    if (kind === 'star' || kind === 'rest') at += 1;
    else if (kind === 'dirs') at += 2;
    else return;
  }
}

/** `a.{b,c}` -> `a.b`, `a.c`; nested too. Unbalanced braces stay as they are; beyond 256 alternatives so does the rest. */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open: string[] = [pattern];
  while (open.length > 0) {
    const text = open.pop() ?? '';
    const parts = done.length + open.length < MOST_ALTERNATIVES ? firstBraces(text) : undefined;
    if (!parts) done.push(text);
    else for (const choice of parts.choices.toReversed()) open.push(parts.before + choice + parts.after);
  }
  return done;
}

function firstBraces(text: string): { before: string; choices: string[]; after: string } | undefined {
  for (let open = findPlain(text, '{', 0); open >= 0; open = findPlain(text, '{', open + 1)) {
    const choices: string[] = [];
    let depth = 0;
    let start = open + 1;
    for (let at = open + 1; at < text.length; at++) {
      const char = text[at];
      if (char === '\\') at++;
      else if (char === '{') depth++;
      else if (char === '}' && depth > 0) depth--;
      else if (depth === 0 && (char === ',' || char === '}')) {
        choices.push(text.slice(start, at));
        start = at + 1;
        if (char === '}') return { before: text.slice(0, open), choices, after: text.slice(at + 1) };
      }
    }
  }
  return undefined;
}

function findPlain(text: string, char: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === char) return at;
  }
  return -1;
}

/** A comma list of globs; commas inside braces and brackets belong to the glob. Blanks around entries are dropped. */
export function splitGlobList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const char of text) {
    if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && depth > 0) depth--;
    if (char === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += char;
  }
  parts.push(part);
  return parts.map((entry) => entry.trim()).filter((entry) => entry !== '');
}
