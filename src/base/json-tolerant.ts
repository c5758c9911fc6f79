/**
 * JSON as models write it: single quotes, bare keys and words, trailing commas, comments, Python words, raw line ends.
 * One rule stands above all: what may have been cut off is a fault, never a value.
 */
import { MOST_DEPTH, pointerOf } from './json-strict.js';
import { closingQuote, decodeString } from './json-strings.js';
import { type Ending, type Json, type JsonFault, type JsonObject, type JsonRead, setKey } from './json-types.js';

type Last = 'start' | 'opener' | 'key' | 'colon' | 'comma' | 'string' | 'number' | 'word' | 'bare' | 'brace' | 'bracket';

interface Reader {
  readonly text: string;
  readonly ending: Ending | 'inside';
  at: number;
  last: Last;
  /** Where the value being read stands. */
  readonly path: (string | number)[];
  /** A bracket was added where more fields might have followed. */
  assumed: boolean;
  readonly open: ('{' | '[')[];
  readonly repairs: Set<string>;
}

class Stop extends Error {
  constructor(
    readonly kind: JsonFault['kind'],
    message: string,
  ) {
    super(message);
  }
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '„': '”', '«': '»' };

/** Reads the one value `text` holds. Never throws. */
export function readTolerant(text: string, ending: Ending): JsonRead | JsonFault {
  return guarded(start(text, 0, ending), (reader) => {
    const value = readValue(reader);
    finish(reader);
    return value;
  });
}

/** Reads a value that begins at `offset` inside a longer text; brackets must close. `end` says where it ended. */
export function readInside(text: string, offset: number): JsonRead | JsonFault {
  return guarded(start(text, offset, 'inside'), readValue);
}

function start(text: string, at: number, ending: Reader['ending']): Reader {
  return { text, ending, at, last: 'start', path: [], assumed: false, open: [], repairs: new Set() };
}

function guarded(reader: Reader, read: (reader: Reader) => Json): JsonRead | JsonFault {
  try {
    const value = read(reader);
    const assumed = reader.assumed ? { assumed: true as const } : {};
    return { ok: true, value, repairs: [...reader.repairs], end: reader.at, ...assumed };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { ok: false, kind: error.kind, message: error.message, pointer: pointerOf(reader.path), offset: reader.at };
  }
}

function readValue(reader: Reader): Json {
  skipBlank(reader);
  const char = reader.text.charAt(reader.at);
  if (char === '') throw new Stop('cut', 'the text ends where a value should begin');
  if (char === '{') return readObject(reader);
  if (char === '[') return readList(reader);
  if (Object.hasOwn(QUOTES, char)) return readString(reader, 'string');
  return readBare(reader);
}

function readObject(reader: Reader): Json {
  const object: JsonObject = {};
  enter(reader, '{');
  for (;;) {
    skipBlank(reader);
    if (closes(reader, '}')) return object;
    const key = readKey(reader);
    reader.path.push(key);
    if (Object.hasOwn(object, key)) throw new Stop('duplicate', `the key ${JSON.stringify(key)} stands twice`);
    skipBlank(reader);
    if (reader.text.charAt(reader.at) !== ':') throw unexpected(reader, 'a colon');
    reader.at++;
    reader.last = 'colon';
    setKey(object, key, readValue(reader));
    afterItem(reader, '}');
    reader.path.pop();
  }
}

function readList(reader: Reader): Json {
  const list: Json[] = [];
  enter(reader, '[');
  for (;;) {
    skipBlank(reader);
    if (closes(reader, ']')) return list;
    reader.path.push(list.length);
    list.push(readValue(reader));
    afterItem(reader, ']');
    reader.path.pop();
  }
}

function enter(reader: Reader, bracket: '{' | '['): void {
  if (reader.open.length >= MOST_DEPTH) {
    reader.path.length = 0;
    throw new Stop('deep', `nested deeper than ${MOST_DEPTH} levels`);
  }
  reader.open.push(bracket);
  reader.at++;
  reader.last = 'opener';
}

/** True at the closing bracket, and at the end of the text where a missing one may be added. */
function closes(reader: Reader, bracket: '}' | ']'): boolean {
  const char = reader.text.charAt(reader.at);
  if (char === bracket) {
    if (reader.last === 'comma') reader.repairs.add('a trailing comma');
    reader.at++;
  } else if (char === '') {
    if (!mayClose(reader)) throw new Stop('cut', `the text ends before the closing ${bracket}`);
    if (reader.repairs.has(COMMENTS) || reader.repairs.has(SPELLED_ENDS))
      throw new Stop(
        'ambiguous',
        `the closing ${bracket} is missing, and what looks like a comment may be text; send plain JSON`,
      );
    reader.repairs.add(`a missing ${bracket} at the end`);
    if (reader.ending !== 'closed' && (reader.open.length > 1 || !['brace', 'bracket'].includes(reader.last)))
      reader.assumed = true;
    reader.open.pop();
    return true;
  } else {
    return false;
  }
  reader.open.pop();
  reader.last = bracket === '}' ? 'brace' : 'bracket';
  return true;
}

/** Whether the brackets still open at the end of the text are a slip, and not the mark of a cut. */
function mayClose(reader: Reader): boolean {
  const { last, ending, open } = reader;
  // More entries may have followed in a list.
  if (open.includes('[')) return false;
  if (ending === 'closed') return ['string', 'number', 'word', 'brace', 'bracket'].includes(last);
  if (ending === 'word') return ['string', 'word', 'brace', 'bracket'].includes(last);
  return ending === 'open' && open.length === 1 && last === 'brace';
}

function afterItem(reader: Reader, bracket: '}' | ']'): void {
  skipBlank(reader);
  const char = reader.text.charAt(reader.at);
  if (char === ',') {
    reader.at++;
    reader.last = 'comma';
  } else if (char !== bracket && char !== '') {
    throw unexpected(reader, `a comma or ${bracket}`);
  }
}

function readKey(reader: Reader): string {
  const char = reader.text.charAt(reader.at);
  if (Object.hasOwn(QUOTES, char)) return readString(reader, 'key');
  const bare = /^[\p{L}_$@][\p{L}\p{N}_$@.-]*/u.exec(reader.text.slice(reader.at, reader.at + 200))?.[0];
  if (!bare) throw unexpected(reader, 'a key');
  reader.at += bare.length;
  reader.last = 'key';
  reader.repairs.add('keys without quotes');
  return bare;
}

function readString(reader: Reader, as: 'string' | 'key'): string {
  const { text, at } = reader;
  const open = text.charAt(at);
  const tripled = (open === '"' || open === "'") && text.startsWith(open.repeat(3), at) ? open.repeat(3) : undefined;
  const quote = tripled ?? QUOTES[open] ?? open;
  const from = at + (tripled ? 3 : 1);
  const end = closingQuote(text, from, quote);
  if (end < 0) throw new Stop('cut', as === 'key' ? 'a key is not closed' : 'the text is not closed');
  const decoded = decodeString(text.slice(from, end), quote.charAt(0));
  if (quote !== '"') reader.repairs.add(tripled ? 'triple quotes' : quote === "'" ? 'single quotes' : 'unusual quotes');
  if (decoded.rawControl) reader.repairs.add('raw line ends or tabs in a string');
  if (decoded.keptEscape) reader.repairs.add('backslashes that JSON does not know (kept)');
  reader.at = end + quote.length;
  reader.last = as;
  return decoded.text;
}

const WORDS: Readonly<Record<string, Json>> = { true: true, false: false, null: null, none: null, undefined: null };

/** A number or a known word with a comment behind it. */
const LITERAL = /^(?:-?\d[\d.eE+-]*|[A-Za-z]{4,9})(?=\s*(?:#|\/\/|\/\*))/;

/** Numbers and known words with space or semicolons between them: commas are missing. */
const SEVERAL =
  /^(?:(?:-?\d[\d.eE+-]*|true|false|null|None|True|False)[\s;]+)+(?:-?\d[\d.eE+-]*|true|false|null|None|True|False)$/;

/** A value without quotes: a number, a known word, or the text up to the next comma or bracket. */
function readBare(reader: Reader): Json {
  const rest = reader.text.slice(reader.at);
  const run = LITERAL.exec(rest.slice(0, 200))?.[0] ?? /^[^,{}[\]"'`\n\r]*/.exec(rest)?.[0] ?? '';
  const bare = run.trim();
  const behind = rest.slice(run.length).trimStart();
  const next = /^(?:#|\/\/|\/\*)/.test(behind) ? ',' : behind.charAt(0);
  if (!bare || /:(\s|$)/.test(bare) || SEVERAL.test(bare) || (next !== '' && !',}]'.includes(next)))
    throw unexpected(reader, 'a value');
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(bare);
  const isWord = Object.hasOwn(WORDS, bare.toLowerCase());
  if (next === '' && !isWord && (!isNumber || reader.ending !== 'closed'))
    throw new Stop('cut', `the text ends with ${JSON.stringify(bare.slice(-20))}, which may not be whole`);
  if (reader.open.length === 0 && !isNumber && !isWord) throw unexpected(reader, 'a value');
  reader.at += run.length;
  reader.last = isNumber ? 'number' : isWord ? 'word' : 'bare';
  if (isNumber) return Number(bare);
  if (isWord) {
    if (!/^(true|false|null)$/.test(bare)) reader.repairs.add('words of another language (True, None)');
    return WORDS[bare.toLowerCase()] ?? null;
  }
  reader.repairs.add('values without quotes');
  return bare;
}

const COMMENTS = 'comments';
const SPELLED_ENDS = 'line ends between values that were spelled out (\\n)';

/** White space and comments, which count only between values. */
function skipBlank(reader: Reader): void {
  const { text } = reader;
  for (;;) {
    while (/[\s\uFEFF]/.test(text.charAt(reader.at))) reader.at++;
    if (text.charAt(reader.at) === '\\' && /[nrt]/.test(text.charAt(reader.at + 1))) {
      reader.repairs.add(SPELLED_ENDS);
      reader.at += 2;
      continue;
    }
    const isBlock = text.startsWith('/*', reader.at);
    if (!isBlock && !text.startsWith('//', reader.at) && text.charAt(reader.at) !== '#') return;
    const end = text.indexOf(isBlock ? '*/' : '\n', reader.at + (isBlock ? 2 : 1));
    if (end < 0 && isBlock) throw new Stop('cut', 'a comment is not closed');
    const next = end < 0 ? text.length : end + (isBlock ? 2 : 1);
    if (mayBeText(text.slice(reader.at, next), reader.repairs.has('single quotes')))
      throw new Stop(
        'ambiguous',
        'what looks like a comment may be part of a text: a quote inside a string needs a backslash (\\"), and JSON has no comments',
      );
    reader.repairs.add(COMMENTS);
    reader.at = next;
  }
}

/** Whether a comment may be the rest of a string that a stray quote cut: it holds quotes, backslashes or unpaired brackets. */
function mayBeText(comment: string, singleQuoted: boolean): boolean {
  if (/["`\\“”„‘«»]|(?<!\p{L})['’]|['’](?!\p{L})/u.test(comment) || (singleQuoted && comment.includes("'"))) return true;
  const open: string[] = [];
  for (const char of comment) {
    if (char === '{' || char === '[') open.push(char);
    if ((char === '}' || char === ']') && open.pop() !== (char === '}' ? '{' : '[')) return true;
  }
  return open.length > 0;
}

/** Marks that end a call or a reply of some model, left behind an argument text; and an empty string some services add. */
const LEFT_BEHIND =
  /^(?:<\/(?:tool_call|tool|args|arguments|parameters|input|function|invoke)\s*>|<[|｜][\w▁]{1,40}[|｜]>|<\/s>|""|\s)+$/;

/** Nothing but spare closing brackets and end marks may follow the value. */
function finish(reader: Reader): void {
  skipBlank(reader);
  const rest = reader.text.slice(reader.at).trim();
  if (!rest) return;
  reader.path.length = 0;
  if (LEFT_BEHIND.test(rest)) {
    reader.repairs.add('marks behind the end');
    return;
  }
  if (/^[,;]?\s*[{[]/.test(rest))
    throw new Stop('extra', 'two JSON values stand one after the other; send one object in one call');
  if (!/^[\]};\s]+$/.test(rest))
    throw new Stop('unexpected', `text follows the JSON value: ${JSON.stringify(rest.slice(0, 40))}`);
  if (reader.repairs.has(COMMENTS))
    throw new Stop('ambiguous', 'brackets are left over, and what looks like a comment may be text; send plain JSON');
  reader.repairs.add('spare closing brackets');
}

function unexpected(reader: Reader, wanted: string): Stop {
  const found = reader.text.slice(reader.at, reader.at + 20);
  return new Stop(
    found ? 'unexpected' : 'cut',
    found ? `${wanted} should stand before ${JSON.stringify(found)}` : `the text ends where ${wanted} should stand`,
  );
}
