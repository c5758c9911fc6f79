/** What language servers say, without what may stem from a file that must not be read: literals and comments of other files. */

/** Stands where something was left out. */
const GONE = '…';
const OPENING = /["'`“‘]/;
const CLOSING: Readonly<Record<string, string>> = { '“': '”', '‘': '’' };
/** Numbers of up to two digits are counts and places, and no secret. */
const NUMBER =
  /(?<![\p{L}\p{N}_$.-])-?(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]{2,}(?:\.\d+)?(?:[eE][+-]?\d+)?|\d+\.\d{2,})n?(?![\p{L}\p{N}_])/gu;
/** Words of types that say nothing of a file. */
const PLAIN: ReadonlySet<string> = new Set(
  (
    'string number boolean bool bigint symbol object undefined null void never any unknown true false readonly typeof keyof ' +
    'int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float float32 float64 double long short byte rune char error ' +
    'str list dict tuple set None Literal Optional Union Callable Any i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 usize isize ' +
    'String Integer Boolean Object Array Promise Record Map Set Error Function Vec Option Result const unsigned signed size_t auto'
  ).split(' '),
);

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
const joined = (text: string): string => ` ${wordsOf(text).join(' ')} `;

/** A text whose words and literals may be shown. */
interface Readable {
  /** Does all of a quoted piece stand in it, or is it made of its names and of plain types? */
  holds(piece: string): boolean;
  /** Do the words of a line stand in it, in this order? */
  says(line: string): boolean;
}

/** What may be read, to compare with. */
export function readableText(texts: readonly string[]): Readable {
  const whole = texts.join('\n');
  const words = new Set(wordsOf(whole));
  const order = joined(whole);
  return {
    holds: (piece) =>
      whole.includes(piece) || (!/["'`]/.test(piece) && wordsOf(piece).every((word) => words.has(word) || PLAIN.has(word))),
    says: (line) => order.includes(joined(line)),
  };
}

/**
 * A message, or the code of a hover, in its shape: every quoted piece and long number that does not stand in the text that may be
 * read becomes `…`, and so does what others wrote as prose (deprecations, errors of included files).
 */
export function withoutLiterals(message: string, readable: Readable): string {
  const prose = /\bdeprecated\b|\bin included file\b/i.exec(message);
  const end = prose === null ? message.length : prose.index + prose[0].length;
  const kept = cutQuoted(message.slice(0, end), readable);
  return end < message.length && /[\p{L}\p{N}]/u.test(message.slice(end)) ? `${kept} ${GONE}` : kept + message.slice(end);
}

function cutQuoted(text: string, readable: Readable): string {
  let out = '';
  let at = 0;
  const plain = (until: number) => {
    const piece = text.slice(at, until);
    out += piece.replace(NUMBER, (number) => (readable.holds(number) ? number : GONE));
    at = until;
  };
  for (let from = 0; from < text.length; ) {
    const quote = text.charAt(from);
    if (!OPENING.test(quote) || isApostrophe(text, from)) {
      from++;
      continue;
    }
    plain(from);
    const close = closingAt(text, from);
    const piece = text.slice(from + 1, close);
    out += quote + (readable.holds(piece) ? piece : GONE) + (close < text.length ? text.charAt(close) : '');
    at = close + 1;
    from = at;
  }
  plain(text.length);
  return out;
}

/** `doesn't`, `the files' place`. */
function isApostrophe(text: string, at: number): boolean {
  return /['‘’]/.test(text.charAt(at)) && /[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

/**
 * Where a quoted piece ends: at a quote of its kind that is not escaped, has no word right behind it and leaves no other quote open;
 * else at the end of the text.
 */
function closingAt(text: string, from: number): number {
  const quote = text.charAt(from);
  const close = CLOSING[quote] ?? quote;
  let open = false;
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === '"' && close !== '"') open = !open;
    else if (char === close && !open && !/[\p{L}\p{N}_]/u.test(text.charAt(at + 1))) return at;
  }
  return text.length;
}

/**
 * What a server says of a place: its code in shape; other lines, where they may be of the workspace (`isOurs`), only if a text that
 * may be read says the same.
 */
export function hoverShape(hover: string, readable: Readable, isOurs: boolean): string {
  const lines = hover.split('\n');
  const fenced = lines.some((line) => line.startsWith('```'));
  let isCode = !fenced;
  let hidden = 0;
  const kept = lines.flatMap((line) => {
    if (line.startsWith('```')) {
      isCode = !isCode;
      return [line];
    }
    if (!fenced && line.trim() === '') isCode = false;
    if (isCode) return [withoutLiterals(line.replace(/(?:\/\/|\/\*|(?<=\s)#).*$/, ''), readable)];
    if (!isOurs || wordsOf(line).length === 0 || readable.says(line)) return [line];
    hidden++;
    return [];
  });
  const note = hidden === 0 ? [] : [`(not shown: ${hidden} line(s) that may stem from files which must not be read)`];
  return [...kept, ...note].join('\n').trim();
}
