/** C and C++ text as tokens with offsets: enough to see braces, brackets, words and directives, past comments and strings. */

/** Part of a text, from and up to offsets. */
export type Range = readonly [number, number];

export interface Token {
  readonly kind: 'word' | 'sign' | 'directive' | 'other';
  /** A word or a sign as it is; the name of a directive: `ifdef`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** First on its line, comments aside. */
  readonly first: boolean;
}

const PIECES = new RegExp(
  [
    String.raw`(?<space>[ \t\r\f\v]+|\\\r?\n)`,
    String.raw`(?<line>\n)`,
    String.raw`(?<comment>//(?:\\\r?\n|[^\n])*|/\*[\s\S]*?(?:\*/|$))`,
    String.raw`(?<raw>(?:u8|[uUL])?R"(?<mark>[^()\\\s"]{0,16})\([\s\S]*?(?:\)\k<mark>"|$))`,
    String.raw`(?<text>(?:u8|[uUL])?"(?:\\[\s\S]|[^"\\\n])*"?|(?:u8|[uUL])?'(?:\\[\s\S]|[^'\\\n])*'?)`,
    String.raw`(?<word>[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)`,
    String.raw`(?<number>\.?\d(?:'?[\w.])*)`,
    String.raw`(?<sign>::|->|[\s\S])`,
  ].join('|'),
  'gy',
);
const DIRECTIVE = /#[ \t]*([A-Za-z_]*)(?:\\\r?\n|\/\*[\s\S]*?(?:\*\/|$)|[^\n])*/y;

/** All tokens of a text. Time grows with its length only. */
export function cTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let first = true;
  for (let at = 0; at < text.length; ) {
    if (first && text[at] === '#') {
      DIRECTIVE.lastIndex = at;
      const directive = DIRECTIVE.exec(text);
      if (directive) {
        tokens.push({ kind: 'directive', text: directive[1] ?? '', start: at, end: DIRECTIVE.lastIndex, first });
        at = DIRECTIVE.lastIndex;
        continue;
      }
    }
    PIECES.lastIndex = at;
    const piece = PIECES.exec(text);
    if (!piece) break;
    const end = PIECES.lastIndex;
    const { line, space, comment, word, sign } = piece.groups ?? {};
    if (line !== undefined) first = true;
    else if (space === undefined && comment === undefined) {
      const kind = word !== undefined ? 'word' : sign !== undefined ? 'sign' : 'other';
      tokens.push({ kind, text: kind === 'other' ? '' : piece[0], start: at, end, first });
      first = false;
    }
    at = end;
  }
  return tokens;
}
