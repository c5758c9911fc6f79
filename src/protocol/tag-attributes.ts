/** The attributes of a call tag, quoted as models quote them. XML entities are decoded here, once, and nowhere else. */
import { recoverJson } from '../base/json-recover.js';
import { parseStrict } from '../base/json-strict.js';
import { readInside, readTolerant } from '../base/json-tolerant.js';
import type { Json, JsonFault } from '../base/json-types.js';
import { decodeEntities } from './entities.js';
import { jsonEnds } from './json-ends.js';
import { isSpent, spend, type Work } from './work.js';

export interface Attribute {
  readonly name: string;
  readonly value: string;
}

type OpenTag =
  | { readonly ok: true; readonly attributes: readonly Attribute[]; readonly end: number; readonly selfClosed: boolean }
  /** `cut`: the text ends inside the tag. */
  | { readonly ok: false; readonly cut: boolean; readonly attributes: readonly Attribute[]; readonly at: number };

export const ARGS_ATTRIBUTE = /^(args|arguments|parameters|params|input)$/i;
/** What may stand behind the closing quote of a value. */
const AFTER_VALUE = /^\s*(\/?>|$|[A-Za-z_][\w.-]*\s*=)/;
/** Ends of one value that are tried. */
const MOST_ENDS = 400;

/** Reads from behind the tag's name to behind its `>`. */
export function readOpenTag(text: string, from: number, work: Work): OpenTag {
  const attributes: Attribute[] = [];
  let at = from;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++;
    if (at >= text.length) return { ok: false, cut: true, attributes, at };
    if (text.charAt(at) === '>') return { ok: true, attributes, end: at + 1, selfClosed: false };
    if (text.startsWith('/>', at)) return { ok: true, attributes, end: at + 2, selfClosed: true };
    const name = /^[^\s=/<>"'`{}]+/.exec(text.slice(at, at + 100))?.[0];
    if (!name) return { ok: false, cut: text.slice(at) === '/', attributes, at };
    at += name.length;
    const equals = /^\s*=\s*/.exec(text.slice(at, at + 100))?.[0];
    if (equals === undefined) {
      attributes.push({ name, value: '' });
      continue;
    }
    at += equals.length;
    const value = readValue(text, at, ARGS_ATTRIBUTE.test(name), work);
    if (value === undefined || value === 'unclear') return { ok: false, cut: value === undefined, attributes, at };
    attributes.push({ name, value: value.value });
    at = value.end;
  }
}

interface Value {
  readonly value: string;
  readonly end: number;
}

/** Undefined when the value never ends, `unclear` when it could end in several places. */
function readValue(text: string, at: number, isArgs: boolean, work: Work): Value | undefined | 'unclear' {
  const quote = text.charAt(at);
  if (quote === '"' || quote === "'") {
    const start = at + 1;
    const first = /\S/.exec(text.slice(start, start + 200))?.[0];
    const looksJson = isArgs && (first === '{' || first === '[');
    return looksJson ? readJsonValue(text, start, quote, work) : readPlainValue(text, start, quote, work);
  }
  if (isArgs && quote === '{') {
    const inside = readInside(text, at);
    spend(work, inside.ok ? inside.end - at : inside.offset - at + lostString(text, inside));
    return inside.ok ? { value: decodeEntities(text.slice(at, inside.end)), end: inside.end } : undefined;
  }
  const bare = /^[^\s>"'`]*/.exec(text.slice(at))?.[0] ?? '';
  const end = bare.endsWith('/') && text.charAt(at + bare.length) === '>' ? at + bare.length - 1 : at + bare.length;
  return end >= text.length ? undefined : { value: decodeEntities(text.slice(at, end)), end };
}

/** A backslash before the quote keeps it in the value. Quotes that cannot be the end are part of it. */
function readPlainValue(text: string, start: number, quote: string, work: Work): Value | undefined | 'unclear' {
  let escaped = false;
  let passed = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\' && (text.charAt(at + 1) === quote || text.charAt(at + 1) === '\\')) {
      if (text.charAt(at + 1) === quote) escaped = true;
      at++;
    } else if (char === quote) {
      if (!AFTER_VALUE.test(text.slice(at + 1, at + 200))) {
        passed++;
        continue;
      }
      // Bare quotes inside come in pairs, and leave only one end.
      if (passed % 2 === 1 || (passed > 0 && otherEnd(text, at + 1, quote))) return 'unclear';
      const raw = text.slice(start, at);
      return { value: decodeEntities(escaped ? unescapeQuotes(raw, quote) : raw), end: at + 1 };
    }
  }
  spend(work, text.length - start);
  return undefined;
}

/** With bare quotes inside the value, a second possible end on the line makes it unclear where it ends. */
function otherEnd(text: string, from: number, quote: string): boolean {
  const line = /^[^\n]*/.exec(text.slice(from))?.[0] ?? '';
  const before = line.split(/<(?:tool_call|tool|agent_call)\b/i)[0] ?? '';
  return new RegExp(`${quote}\\s*/?>`).test(before);
}

function unescapeQuotes(raw: string, quote: string): string {
  // In double quotes `\"` and `\\` are one style; in single quotes a doubled backslash belongs to the text.
  return raw.replace(/\\(["'\\])/g, (whole, char: string) => (char === quote || (char === '\\' && quote === '"') ? char : whole));
}

/**
 * JSON in an attribute. Where the value ends is decided by the JSON: the first end at which it is valid counts,
 * so that an apostrophe in a text does not cut the call.
 */
function readJsonValue(text: string, start: number, quote: string, work: Work): Value | undefined | 'unclear' {
  for (const behind of jsonEnds(text, start, quote, work)) {
    const end = quoteBehind(text, behind, quote);
    const value = end === undefined ? undefined : strictValue(text.slice(start, end), quote);
    if (value !== undefined && end !== undefined) return { value, end: end + 1 };
  }
  const inside = readInside(text, start);
  spend(work, inside.ok ? inside.end - start : inside.offset - start + lostString(text, inside));
  if (inside.ok) {
    const end = quoteBehind(text, inside.end, quote);
    if (end !== undefined) return { value: decodeEntities(text.slice(start, inside.end)), end: end + 1 };
  }
  const near = beforeNextTag(text, start, possibleEnds(text, start, quote, work));
  for (const end of near) {
    spend(work, end - start);
    if (isSpent(work)) return 'unclear';
    const value = forms(text.slice(start, end), quote).find((form) => readTolerant(form.trim(), 'closed').ok);
    if (value !== undefined) return { value, end: end + 1 };
  }
  const last = near.at(-1);
  if (last === undefined) return undefined;
  const raw = forms(text.slice(start, last), quote);
  return { value: raw.find((form) => recoverJson(form.trim(), 'closed').ok) ?? raw[0] ?? '', end: last + 1 };
}

/** Offset of the delimiter that ends the value behind its last bracket. */
function quoteBehind(text: string, from: number, quote: string): number | undefined {
  const end = from + (/^\s*/.exec(text.slice(from, from + 1000))?.[0].length ?? 0);
  return text.charAt(end) === quote && AFTER_VALUE.test(text.slice(end + 1, end + 200)) ? end : undefined;
}

/** A string without an end was looked for up to the end of the text. */
function lostString(text: string, fault: JsonFault): number {
  return fault.kind === 'cut' ? text.length - fault.offset : 0;
}

/** Offsets of quotes that could end the value. */
function possibleEnds(text: string, start: number, quote: string, work: Work): number[] {
  const ends: number[] = [];
  let at = text.indexOf(quote, start);
  for (; at >= 0 && ends.length < MOST_ENDS && !isSpent(work); at = text.indexOf(quote, at + 1)) {
    spend(work, 20);
    if (AFTER_VALUE.test(text.slice(at + 1, at + 200))) ends.push(at);
  }
  spend(work, (at < 0 ? text.length : at) - start);
  return ends;
}

/** The ends before the next call tag; all of them when there is none before it. */
function beforeNextTag(text: string, start: number, ends: readonly number[]): readonly number[] {
  const next = /<(?:tool_call|tool|agent_call)[\s>]/i.exec(text.slice(start));
  const near = next ? ends.filter((end) => end < start + next.index) : ends;
  return near.length > 0 ? near : ends;
}

/** The texts a raw value may stand for: entities decoded; backslashed quotes taken as quotes. */
function forms(raw: string, quote: string): string[] {
  const xml = decodeEntities(raw);
  const unescaped = raw.includes(`\\${quote}`) && !bareQuote(raw, quote) ? decodeEntities(unescapeQuotes(raw, quote)) : undefined;
  return unescaped === undefined ? [xml] : [xml, unescaped];
}

/** Whether the delimiter stands in the value without a backslash before it. */
function bareQuote(raw: string, quote: string): boolean {
  for (let at = 0; at < raw.length; at++) {
    if (raw.charAt(at) === '\\') at++;
    else if (raw.charAt(at) === quote) return true;
  }
  return false;
}

function strictValue(raw: string, quote: string): string | undefined {
  const valid = forms(raw, quote).find((form) => isJson(form));
  if (valid !== undefined) return valid;
  // Valid before decoding only: the entities stand inside texts, where they are decoded instead.
  const strict = raw.includes('&') ? parseStrict(raw) : undefined;
  return strict?.ok ? JSON.stringify(decodeTexts(strict.value)) : undefined;
}

function isJson(text: string): boolean {
  const strict = parseStrict(text);
  return strict.ok || strict.kind === 'duplicate';
}

function decodeTexts(value: Json): Json {
  if (typeof value === 'string') return decodeEntities(value);
  if (Array.isArray(value)) return value.map(decodeTexts);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [decodeEntities(key), decodeTexts(item)]));
}
