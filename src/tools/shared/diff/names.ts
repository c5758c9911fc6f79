/** File names in the headers of a diff: quoting, time stamps, and prefixes such as `a/` and `b/`. */
import type { Names } from './types.js';

export interface HeaderName {
  /** Null for `/dev/null`, also when a time stamp says that there was no file. */
  readonly name: string | null;
  /** The name beside a time stamp of 1970. */
  readonly spelled: string;
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A C-quoted name and how many characters it takes; undefined when it is not well formed or not UTF-8. */
function unquote(text: string): { readonly name: string; readonly length: number } | undefined {
  const bytes: number[] = [];
  for (let i = 1; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '"') return decoded(Buffer.from(bytes), i + 1);
    if (char !== '\\') {
      const whole = String.fromCodePoint(text.codePointAt(i) ?? 0);
      bytes.push(...Buffer.from(whole, 'utf8'));
      i += whole.length - 1;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(i + 1, i + 4))?.[0];
    const letter = ESCAPES[text.charAt(i + 1)];
    if (octal === undefined && letter === undefined) return undefined;
    bytes.push(octal === undefined ? (letter ?? 0) : Number.parseInt(octal, 8));
    i += octal?.length ?? 1;
  }
  return undefined;
}

function decoded(bytes: Buffer, length: number): { readonly name: string; readonly length: number } | undefined {
  const name = bytes.toString('utf8');
  return Buffer.from(name, 'utf8').equals(bytes) ? { name, length } : undefined;
}

/** What stands after `--- ` or `+++ `; undefined when it names nothing. */
export function headerName(rest: string): HeaderName | undefined {
  if (rest.startsWith('"')) {
    const quoted = unquote(rest);
    return quoted && { name: quoted.name, spelled: quoted.name };
  }
  const tab = rest.indexOf('\t');
  const stamp = tab >= 0 ? rest.slice(tab + 1) : (/\s+(\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*)$/.exec(rest)?.[1] ?? '');
  const spelled = tab >= 0 ? rest.slice(0, tab) : rest.slice(0, stamp === '' ? undefined : -stamp.length).trimEnd();
  if (spelled === '') return undefined;
  const never = /^(?:1970-01-01|1969-12-31)[ T]/.test(stamp) && /[ T]\d\d:(?:00|30):00(?:\.0+)?(?: |$)/.test(stamp);
  return { name: spelled === '/dev/null' || never ? null : spelled, spelled };
}

/** One name that fills a line, quoted or not (`rename from NAME`). */
export function plainName(rest: string): string | undefined {
  if (rest.startsWith('"')) return unquote(rest)?.name;
  return rest === '' ? undefined : rest;
}

/** The two names of `diff --git`; undefined when the line cannot be split without guessing. A name may end with a blank. */
export function gitNames(line: string): readonly [string, string] | undefined {
  const whole = splitNames(line);
  const trimmed = line.trimEnd();
  const sure = whole && (sameFile(whole) || line.startsWith('"'));
  return trimmed === line || sure ? whole : (splitNames(trimmed) ?? whole);
}

function sameFile([a, b]: readonly [string, string]): boolean {
  return a === b || (afterFirst(a) !== undefined && afterFirst(a) === afterFirst(b));
}

function splitNames(rest: string): readonly [string, string] | undefined {
  if (rest.startsWith('"')) {
    const first = unquote(rest);
    const second = first && rest.charAt(first.length) === ' ' ? plainName(rest.slice(first.length + 1)) : undefined;
    return first && second !== undefined ? [first.name, second] : undefined;
  }
  const quote = rest.endsWith('"') ? rest.indexOf(' "') : -1;
  if (quote > 0) {
    const second = unquote(rest.slice(quote + 1));
    return second && [rest.slice(0, quote), second.name];
  }
  const splits: [string, string][] = [];
  for (let at = rest.indexOf(' '); at >= 0; at = rest.indexOf(' ', at + 1)) splits.push([rest.slice(0, at), rest.slice(at + 1)]);
  const same = splits.filter(sameFile);
  const [only, other] = same.length > 0 ? same : splits;
  return other === undefined ? only : undefined;
}

/** The name without its first folder. */
export function afterFirst(name: string): string | undefined {
  const at = name.indexOf('/');
  return at <= 0 || at + 1 === name.length ? undefined : name.slice(at + 1);
}

/** Prefixes that tools put before the two sides. */
const PAIRS = new Set(['a b', 'b a', 'i w', 'c i', 'c w', 'o w', 'w i', 'i c', 'w c', 'w o', '1 2', 'old new', 'orig new']);

/** Which file the two sides of a change mean. */
export function namesOfChange(old: string, now: string): Names {
  const [before, after] = [clean(old), clean(now)];
  if (before === after) return names(before, bare(before));
  const rest = afterFirst(before);
  if (rest !== undefined && rest === afterFirst(after)) {
    const pair = `${before.slice(0, before.indexOf('/'))} ${after.slice(0, after.indexOf('/'))}`;
    if (pair === 'a b') return names(stripped(rest));
    return PAIRS.has(pair) ? names(stripped(rest), after, before) : names(after, before, stripped(rest));
  }
  if (bare(before) === after) return names(after);
  if (before === bare(after)) return names(before);
  return { ...names(bare(after), bare(before)), differ: !sameButSuffix(bare(before), bare(after)) };
}

/** Which file a side means whose other side is `/dev/null`. `pair`: what `diff --git` said. */
export function namesOfSide(side: 'old' | 'new', name: string, pair: readonly [string, string] | undefined): Names {
  const text = clean(name);
  const rest = afterFirst(text);
  if (rest === undefined) return names(text);
  const first = text.slice(0, text.indexOf('/'));
  if (pair && clean(pair[0]) !== clean(pair[1]) && afterFirst(clean(pair[0])) === afterFirst(clean(pair[1]))) {
    const prefix = clean(pair[side === 'old' ? 0 : 1]).split('/')[0];
    return first === prefix ? names(stripped(rest)) : names(text);
  }
  if (pair && clean(pair[0]) === clean(pair[1])) return names(text, bare(text));
  if (first === (side === 'old' ? 'a' : 'b')) return names(stripped(rest));
  return names(text, bare(text));
}

/** A name of `rename from` and the like: git writes none of its prefixes there, others may. `header`: the side of `diff --git`. */
export function namesOfMove(name: string, header: string | undefined): Names {
  const text = clean(name);
  if (header !== undefined && afterFirst(clean(header)) === text) return names(stripped(text));
  return names(text, bare(text));
}

/** Without `./` in front. */
export function clean(name: string): string {
  return name.replace(/^(?:\.\/+)+(?=.)/, '');
}

function bare(name: string): string {
  const rest = /^[ab]\//.test(name) ? afterFirst(name) : undefined;
  return rest === undefined ? name : stripped(rest);
}

/** What follows a prefix is a name as it stands: a tilde in it is no home folder. */
function stripped(rest: string): string {
  return rest.startsWith('~') ? `./${rest}` : rest;
}

/** A side that lies elsewhere (`/tmp/x.orig`) is no file to patch when the other one names a file here. */
function names(...list: string[]): Names {
  const inside = list.filter((name) => !/^(?:\/|[A-Za-z]:[\\/]|\.\.(?:\/|$))/.test(name));
  return { list: [...new Set(inside.length > 0 ? inside : list)] };
}

/** `x` and `x.orig`, `x~`: one file and its copy. */
function sameButSuffix(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short) && /^(?:\.[A-Za-z]{2,8}|~)$/.test(long.slice(short.length));
}
