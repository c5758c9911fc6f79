/** How many columns a text takes in a terminal, and wrapping by columns. */

/** Ranges of letters two columns wide: East Asian wide and full width, and emoji. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

function letterWidth(letter: string): number {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x300) return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(letter)) return 0;
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** Columns of a text without control characters. */
export function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return width;
}

/** On a narrow terminal (20 to 79 columns) lines break between words; otherwise, and where the width is not known (0), the text as it is. */
export function fitted(text: string, columns = 80): string {
  return columns >= 20 && columns < 80 ? wrap(text, columns - 1).join('\n') : text;
}

/** Breaks every line at `columns`, at the last space where there is one; nothing is lost but a single space at the break. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(4, columns)));
}

function wrapLine(line: string, columns: number): string[] {
  const out: string[] = [];
  let current = '';
  let width = 0;
  let isFull = false;
  for (const word of line.match(/\x1b\[[\d;]*m|\s+|[^\s\x1b]+|\x1b/g) ?? ['']) {
    // Colours take no room and go on over a break.
    const isColour = word.startsWith('\x1b[');
    const wide = isColour ? 0 : textWidth(word);
    if (!isColour && isFull) {
      out.push(current);
      current = '';
      width = 0;
      isFull = false;
    }
    if (width + wide <= columns) {
      current += word;
      width += wide;
      continue;
    }
    // The one space at which a full line ends begins no line.
    if (width === columns && word === ' ') {
      isFull = true;
      continue;
    }
    if (width > 0 && wide <= columns && !/^\s/.test(word)) {
      out.push(current);
      current = word;
      width = wide;
      continue;
    }
    for (const letter of word) {
      const one = letterWidth(letter);
      if (width + one > columns) {
        out.push(current);
        current = '';
        width = 0;
      }
      current += letter;
      width += one;
    }
  }
  out.push(current);
  return out;
}
