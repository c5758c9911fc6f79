/**
 * Strings with unescaped quotes inside: all readings of the text as complete JSON are looked for. The one that leaves most
 * borders between fields in force counts, if there is only one such. For texts that something closed, never for cut-off ones.
 */

import { parseStrict } from './json-strict.js';
import { closingQuote, decodeString } from './json-strings.js';
import type { Json } from './json-types.js';

/** Search steps before a text counts as ambiguous. */
const MOST_STEPS = 20_000;
/** Readings before a text counts as ambiguous. */
const MOST_READINGS = 64;
/** Deepest recursion: one level for each string. */
const MOST_STRINGS = 1_500;

type InnerQuotes = { readonly kind: 'one'; readonly value: Json } | { readonly kind: 'none' } | { readonly kind: 'many' };

type Mode = 'value' | 'key' | 'after';

/** A reading so far, last piece first. A piece is JSON text, or the place of a string's inside. */
interface Trail {
  readonly before: Trail | undefined;
  readonly piece: string | { readonly from: number; readonly to: number };
  readonly strings: number;
}

interface Search {
  readonly text: string;
  /** The one quote character strings stand in. */
  readonly quote: string;
  /** States that lead to no reading. */
  readonly dead: Set<string>;
  readonly found: Trail[];
  steps: number;
  exhausted: boolean;
}

/** The best way to read `text`, if there is exactly one. Object keys have no quotes inside. */
export function readInnerQuotes(text: string): InnerQuotes {
  const quote = /["']/.exec(text)?.[0];
  if (!quote) return { kind: 'none' };
  const search: Search = { text: text.trim(), quote, dead: new Set(), found: [], steps: 0, exhausted: false };
  walk(search, 0, 'value', '', undefined);
  if (search.exhausted) return { kind: 'many' };
  const costs = search.found.map((trail) => swallowedBorders(search, trail));
  const least = Math.min(...costs);
  const best = search.found.filter((_, index) => costs[index] === least);
  const only = best[0];
  if (only === undefined) return { kind: 'none' };
  if (best.length > 1 || onlyMarksBetween(text, quote) || mayBeSeveral(search, only)) return { kind: 'many' };
  const strict = parseStrict(jsonOf(search, only));
  return strict.ok ? { kind: 'one', value: strict.value } : { kind: 'none' };
}

/** What stands between values where no comma, colon or bracket is missing, doubled or of another language: no words. */
const MARKS = /^(?:[\s,:;=+>{}[\]()\d.-]|true|false|null|None|True|False|[fFrRbBuU]$)*$/;

/**
 * Whether the quotes pair up so that nothing but marks stands between the strings. Then the fault is in the marks, and a string
 * that swallowed some of them would be another text.
 */
function onlyMarksBetween(text: string, quote: string): boolean {
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf(quote, at);
    const between = text.slice(at, open < 0 ? text.length : open);
    if (!MARKS.test(between)) return false;
    if (open < 0) return true;
    const close = closingQuote(text, open + 1, quote);
    if (close < 0) return false;
    at = close + 1;
  }
  return true;
}

/** Follows one reading from `from`; `openBefore` is the stack of brackets. True when it led to a reading. */
function walk(search: Search, from: number, startMode: Mode, openBefore: string, before: Trail | undefined): boolean {
  const state = `${from} ${startMode} ${openBefore}`;
  if (search.dead.has(state) || search.exhausted) return false;
  if (++search.steps > MOST_STEPS || (before?.strings ?? 0) > MOST_STRINGS) {
    search.exhausted = true;
    return false;
  }
  const led = follow(search, from, startMode, openBefore, before);
  if (!led && !search.exhausted) search.dead.add(state);
  return led;
}

/** Takes everything that can be read in one way only, up to the next string or the end. */
function follow(search: Search, from: number, startMode: Mode, openBefore: string, before: Trail | undefined): boolean {
  const { text } = search;
  let trail = before;
  let at = from;
  let mode = startMode;
  let open = openBefore;
  const add = (piece: string): void => {
    trail = { before: trail, piece, strings: trail?.strings ?? 0 };
    at += piece.length;
  };
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++;
    const char = text.charAt(at);
    const inObject = open.endsWith('{');
    if (mode === 'after' && open === '') {
      if (at < text.length || !trail) return false;
      search.found.push(trail);
      if (search.found.length > MOST_READINGS) search.exhausted = true;
      return true;
    }
    if (mode === 'after') {
      if (char === ',') mode = inObject ? 'key' : 'value';
      else if (char === (inObject ? '}' : ']')) open = open.slice(0, -1);
      else return false;
      add(char);
    } else if (char === search.quote) {
      return mode === 'key' ? tryKey(search, at, open, trail) : tryString(search, at, open, trail);
    } else if (mode === 'value' && (char === '{' || char === '[')) {
      open += char;
      add(char);
      const isEmpty = new RegExp(`^\\s*\\${char === '{' ? '}' : ']'}`).test(text.slice(at, at + 200));
      mode = isEmpty ? 'after' : char === '{' ? 'key' : 'value';
    } else {
      const literal = /^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|null)/.exec(text.slice(at, at + 64))?.[0];
      if (mode !== 'value' || !literal) return false;
      add(literal);
      mode = 'after';
    }
  }
}

function tryKey(search: Search, at: number, open: string, before: Trail | undefined): boolean {
  const end = search.text.indexOf(search.quote, at + 1);
  const key = search.text.slice(at + 1, end);
  const colon = /^\s*:/.exec(search.text.slice(end + 1, end + 200))?.[0];
  if (end < 0 || !colon || !/^[\p{L}\p{N}_@$.-]{1,64}$/u.test(key)) return false;
  const strings = (before?.strings ?? 0) + 1;
  return walk(search, end + 1 + colon.length, 'value', open, { before, piece: `${JSON.stringify(key)}:`, strings });
}

/** Every quote that could end the string is tried. */
function tryString(search: Search, at: number, open: string, before: Trail | undefined): boolean {
  const { text, quote } = search;
  const strings = (before?.strings ?? 0) + 1;
  let led = false;
  for (let end = at + 1; end < text.length && !search.exhausted; end++) {
    if (text.charAt(end) === '\\') {
      end++;
      continue;
    }
    if (text.charAt(end) !== quote || !/^\s*([,}\]]|$)/.test(text.slice(end + 1, end + 100))) continue;
    led = walk(search, end + 1, 'after', open, { before, piece: { from: at + 1, to: end }, strings }) || led;
  }
  return led;
}

/** How often a string of this reading holds what looks like the border to the next field: `","key":`. */
function swallowedBorders(search: Search, last: Trail): number {
  const border = search.quote === '"' ? /"\s*,\s*"[\w@$.-]+"\s*:/g : /'\s*,\s*'[\w@$.-]+'\s*:/g;
  let count = 0;
  for (let trail: Trail | undefined = last; trail; trail = trail.before) {
    if (typeof trail.piece !== 'string') count += search.text.slice(trail.piece.from, trail.piece.to).match(border)?.length ?? 0;
  }
  return count;
}

/**
 * Whether a string of this reading looks like several: `"a" + "b"`, or a field's end and the next field's name
 * outside any bracket of its own, as when the next value is something this reader does not know.
 */
function mayBeSeveral(search: Search, last: Trail): boolean {
  const { quote } = search;
  const joined = new RegExp(`^[^${quote}]*(?:${quote}\\s*\\+\\s*${quote}[^${quote}]*)+$`);
  const border = new RegExp(`${quote}\\s*,\\s*${quote}?[\\w@$.-]+${quote}?\\s*:`);
  for (let trail: Trail | undefined = last; trail; trail = trail.before) {
    if (typeof trail.piece === 'string') continue;
    const inside = search.text.slice(trail.piece.from, trail.piece.to);
    const plain = inside.replace(/\\[\s\S]/g, '  ');
    const at = border.exec(plain)?.index;
    if (joined.test(plain) || (at !== undefined && openBrackets(plain.slice(0, at)) <= 0)) return true;
  }
  return false;
}

function openBrackets(text: string): number {
  return (text.match(/[{[(]/g)?.length ?? 0) - (text.match(/[}\])]/g)?.length ?? 0);
}

function jsonOf(search: Search, last: Trail): string {
  const pieces: string[] = [];
  for (let trail: Trail | undefined = last; trail; trail = trail.before) {
    const { piece } = trail;
    pieces.push(
      typeof piece === 'string'
        ? piece
        : JSON.stringify(decodeString(search.text.slice(piece.from, piece.to), search.quote).text),
    );
  }
  return pieces.reverse().join('');
}
