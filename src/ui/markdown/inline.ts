/** Inline Markdown of one stretch of text: emphasis, code, links. Linear in its length, whatever stands in it. */
import type { Span } from './spans.js';

export interface Inline {
  readonly spans: readonly Span[];
  /** Something was opened that more text could close. */
  readonly open: boolean;
}

type Mark = 'strong' | 'emphasis' | 'struck' | 'link';
const MARKS: readonly Mark[] = ['strong', 'emphasis', 'struck', 'link'];

interface Piece {
  text: string;
  readonly role?: Span['role'];
  readonly delimiter?: Delimiter;
}

interface Delimiter {
  readonly letter: '*' | '_' | '~';
  count: number;
  readonly whole: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

interface Bracket {
  readonly piece: number;
  readonly image: boolean;
}

interface Scan {
  readonly text: string;
  at: number;
  readonly pieces: Piece[];
  /** Brackets that wait for their end. */
  readonly brackets: Bracket[];
  /** Where marks begin and end: piece -> change. */
  readonly turns: Map<Mark, Map<number, number>>;
  /** Lengths of backtick runs that have no partner in the rest of the text. */
  readonly loneTicks: Set<number>;
  /** A link's target ran to the end of the text once: it will again. */
  targetless: boolean;
  open: boolean;
}

const MOST_BRACKETS = 200;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'" };
const SPECIAL = /[\\`*_~[\]!<&h]/g;

/** `ticks`: code keeps its backticks, for screens that cannot show it otherwise. */
export function parseInline(text: string, ticks = false): Inline {
  const scan: Scan = {
    text,
    at: 0,
    pieces: [],
    brackets: [],
    turns: new Map(MARKS.map((mark) => [mark, new Map<number, number>()])),
    loneTicks: new Set(),
    targetless: false,
    open: false,
  };
  while (scan.at < text.length) step(scan, ticks);
  pairDelimiters(scan);
  const open = scan.open || scan.brackets.length > 0 || scan.pieces.some(({ delimiter: d }) => d?.opens && d.count > 0);
  return { spans: spansOf(scan), open };
}

function step(scan: Scan, ticks: boolean): void {
  const { text, at } = scan;
  SPECIAL.lastIndex = at;
  const next = SPECIAL.exec(text)?.index ?? text.length;
  if (next > at) {
    say(scan, text.slice(at, next), next);
    return;
  }
  const letter = text[at] ?? '';
  if (letter === '\\') escaped(scan);
  else if (letter === '`') code(scan, ticks);
  else if (letter === '*' || letter === '_' || letter === '~') delimiter(scan, letter);
  else if (letter === '[') bracket(scan, 1, false);
  else if (letter === '!' && text[at + 1] === '[') bracket(scan, 2, true);
  else if (letter === ']') closeBracket(scan);
  else if (letter === '<') angle(scan);
  else if (letter === '&') entity(scan);
  else if (letter === 'h') address(scan);
  else say(scan, letter, at + 1);
}

function say(scan: Scan, text: string, next: number, role?: Span['role']): void {
  const last = scan.pieces.at(-1);
  if (last && role === undefined && last.role === undefined && !last.delimiter && !isBracket(scan)) last.text += text;
  else scan.pieces.push({ text, role });
  scan.at = next;
}

const isBracket = (scan: Scan): boolean => scan.brackets.at(-1)?.piece === scan.pieces.length - 1;

function escaped(scan: Scan): void {
  const next = scan.text[scan.at + 1] ?? '';
  if (next === '\n') say(scan, '\n', scan.at + 2);
  else if (/[!-/:-@[-`{-~]/.test(next)) say(scan, next, scan.at + 2);
  else say(scan, '\\', scan.at + 1);
}

function code(scan: Scan, ticks: boolean): void {
  const { text, at } = scan;
  let end = at;
  while (text[end] === '`') end++;
  const length = end - at;
  const close = scan.loneTicks.has(length) ? -1 : closingTicks(text, end, length);
  if (close < 0) {
    scan.loneTicks.add(length);
    scan.open = true;
    say(scan, text.slice(at, end), end);
    return;
  }
  const inner = text.slice(end, close).replace(/\n/g, ' ');
  const bare = /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner;
  say(scan, ticks ? `\`${bare}\`` : bare, close + length, 'inlineCode');
}

function closingTicks(text: string, from: number, length: number): number {
  for (let at = text.indexOf('`', from); at >= 0; at = text.indexOf('`', at)) {
    let end = at;
    while (text[end] === '`') end++;
    if (end - at === length) return at;
    at = end;
  }
  return -1;
}

function delimiter(scan: Scan, letter: Delimiter['letter']): void {
  const { text, at } = scan;
  let end = at;
  while (text[end] === letter) end++;
  const before = text[at - 1] ?? ' ';
  const after = text[end] ?? ' ';
  const left = !/\s/.test(after) && (!/[\p{P}\p{S}]/u.test(after) || /[\s\p{P}\p{S}]/u.test(before));
  const right = !/\s/.test(before) && (!/[\p{P}\p{S}]/u.test(before) || /[\s\p{P}\p{S}]/u.test(after));
  const inWord = letter === '_';
  const opens = left && (!inWord || !right || /[\p{P}\p{S}]/u.test(before));
  const closes = right && (!inWord || !left || /[\p{P}\p{S}]/u.test(after));
  const count = end - at;
  scan.at = end;
  if (letter === '~' && count !== 2) scan.pieces.push({ text: text.slice(at, end) });
  else scan.pieces.push({ text: '', delimiter: { letter, count, whole: count, opens, closes } });
}

function bracket(scan: Scan, length: number, image: boolean): void {
  scan.pieces.push({ text: scan.text.slice(scan.at, scan.at + length) });
  scan.brackets.push({ piece: scan.pieces.length - 1, image });
  if (scan.brackets.length > MOST_BRACKETS) scan.brackets.shift();
  scan.at += length;
}

function closeBracket(scan: Scan): void {
  const opener = scan.brackets.pop();
  const target = opener && scan.text[scan.at + 1] === '(' ? targetOf(scan, scan.at + 2) : undefined;
  if (!opener || !target) {
    scan.pieces.push({ text: ']' });
    scan.at += 1;
    return;
  }
  const from = opener.piece;
  (scan.pieces[from] as Piece).text = '';
  const label = scan.pieces
    .slice(from)
    .map((piece) => piece.text)
    .join('');
  turn(scan, 'link', from, scan.pieces.length);
  // A link whose text is its target is said once.
  const said = label === target.url || `mailto:${label}` === target.url || target.url === '';
  if (label === '') scan.pieces.push({ text: target.url, role: 'link' });
  else if (!said) scan.pieces.push({ text: ` (${target.url})`, role: 'dim' });
  else scan.pieces.push({ text: '' });
  scan.at = target.end;
}

/** `url "title")`: where it ends. The title is not shown. */
function targetOf(scan: Scan, from: number): { readonly url: string; readonly end: number } | undefined {
  if (scan.targetless) return undefined;
  const { text } = scan;
  const angled = /^<([^<>\n]*)>/.exec(text.slice(from, from + 2000));
  let at = from;
  let depth = 0;
  if (angled) at += angled[0].length;
  else
    for (; at < text.length; at++) {
      const letter = text[at] ?? '';
      if (letter === '\\') at++;
      else if (letter === '(') depth++;
      else if (letter === ')' && depth-- === 0) break;
      else if (/\s/.test(letter)) break;
    }
  const url = angled?.[1] ?? text.slice(from, at);
  const rest = /^\s*(?:"[^"\n]*"|'[^'\n]*')?\s*\)/.exec(text.slice(at, at + 1000));
  if (rest) return { url, end: at + rest[0].length };
  if (at + 1000 >= text.length) {
    scan.open = true;
    scan.targetless = at >= text.length;
  }
  return undefined;
}

/** `<https://…>` is an address; any other tag is text. */
function angle(scan: Scan): void {
  const found = /^<((?:https?:\/\/|mailto:)[^\s<>]{1,2000}|[\w.+-]{1,64}@[\w.-]{1,200})>/.exec(
    scan.text.slice(scan.at, scan.at + 2100),
  );
  if (found) say(scan, found[1] ?? '', scan.at + found[0].length, 'link');
  else say(scan, '<', scan.at + 1);
}

function entity(scan: Scan): void {
  const found = /^&(#?\w{2,6});/.exec(scan.text.slice(scan.at, scan.at + 9));
  const letter = found && Object.hasOwn(ENTITIES, found[1] ?? '') ? ENTITIES[found[1] ?? ''] : undefined;
  if (found && letter) say(scan, letter, scan.at + found[0].length);
  else say(scan, '&', scan.at + 1);
}

/** A bare address, without the punctuation that ends the sentence around it. */
function address(scan: Scan): void {
  const { text, at } = scan;
  const found = /\w/.test(text[at - 1] ?? '') ? null : /^https?:\/\/[^\s<>`*"\]|]{1,2000}/.exec(text.slice(at, at + 2010));
  if (!found) {
    say(scan, 'h', at + 1);
    return;
  }
  let url = found[0].replace(/[.,;:!?'_~)]+$/, '');
  // A parenthesis that the address opened belongs to it.
  const closed = found[0].slice(url.length);
  if (closed.startsWith(')') && url.split('(').length > url.split(')').length) url += ')';
  say(scan, url, at + url.length, 'link');
}

function turn(scan: Scan, mark: Mark, from: number, to: number): void {
  const turns = scan.turns.get(mark);
  turns?.set(from, (turns.get(from) ?? 0) + 1);
  turns?.set(to, (turns.get(to) ?? 0) - 1);
}

/** Pairs runs of `*`, `_` and `~~` as CommonMark does; runs without a partner are text. */
function pairDelimiters(scan: Scan): void {
  const stack: { readonly piece: number; readonly delimiter: Delimiter }[] = [];
  const bottoms = new Map<string, number>();
  for (const [index, { delimiter: closer }] of scan.pieces.entries()) {
    if (!closer) continue;
    while (closer.closes && closer.count > 0) {
      const key = `${closer.letter}${closer.opens}${closer.whole % 3}`;
      const bottom = bottoms.get(key) ?? 0;
      let found = stack.length - 1;
      while (found >= bottom && !fits(stack[found]?.delimiter, closer)) found--;
      const opener = stack[found];
      if (found < bottom || !opener) {
        bottoms.set(key, stack.length);
        break;
      }
      const used = closer.letter === '~' || (opener.delimiter.count >= 2 && closer.count >= 2) ? 2 : 1;
      turn(scan, closer.letter === '~' ? 'struck' : used === 2 ? 'strong' : 'emphasis', opener.piece + 1, index);
      opener.delimiter.count -= used;
      closer.count -= used;
      stack.length = opener.delimiter.count > 0 ? found + 1 : found;
      for (const [name, at] of bottoms) if (at > stack.length) bottoms.set(name, stack.length);
    }
    if (closer.opens && closer.count > 0) stack.push({ piece: index, delimiter: closer });
  }
}

function fits(opener: Delimiter | undefined, closer: Delimiter): boolean {
  if (!opener || opener.letter !== closer.letter) return false;
  if (closer.letter === '~') return true;
  const both = opener.closes || closer.opens;
  return !both || (opener.whole + closer.whole) % 3 !== 0 || (opener.whole % 3 === 0 && closer.whole % 3 === 0);
}

function spansOf({ pieces, turns }: Scan): Span[] {
  const depth: Record<Mark, number> = { strong: 0, emphasis: 0, struck: 0, link: 0 };
  const spans: Span[] = [];
  for (const [index, piece] of pieces.entries()) {
    for (const mark of MARKS) depth[mark] += turns.get(mark)?.get(index) ?? 0;
    const text = piece.delimiter ? piece.delimiter.letter.repeat(piece.delimiter.count) : piece.text;
    if (text === '') continue;
    const role = piece.role ?? (depth.link > 0 ? 'link' : undefined);
    spans.push({
      text,
      ...(role === undefined ? {} : { role }),
      ...(depth.strong > 0 ? { strong: true } : {}),
      ...(depth.emphasis > 0 ? { emphasis: true } : {}),
      ...(depth.struck > 0 ? { struck: true } : {}),
    });
  }
  return spans;
}
