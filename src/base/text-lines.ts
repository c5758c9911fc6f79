/** Lines of a text with the line ending each one has. */

export type Ending = '' | '\n' | '\r\n';

export interface Line {
  /** Without its ending. A lone carriage return belongs to the text. */
  readonly text: string;
  readonly ending: Ending;
  /** Offset of the first character. */
  readonly start: number;
}

/** All lines; a text that ends with a line break has no further empty line. The empty text has none. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const at = text.indexOf('\n', start);
    if (at < 0) {
      lines.push({ text: text.slice(start), ending: '', start });
      break;
    }
    const crlf = at > start && text.charCodeAt(at - 1) === 13;
    lines.push({ text: text.slice(start, crlf ? at - 1 : at), ending: crlf ? '\r\n' : '\n', start });
    start = at + 1;
  }
  return lines;
}

/** Pieces between line breaks: always one more than there are breaks; the breaks' endings beside them. */
export function splitBreaks(text: string): { readonly pieces: string[]; readonly endings: Ending[] } {
  const pieces: string[] = [];
  const endings: Ending[] = [];
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
    const crlf = at > start && text.charCodeAt(at - 1) === 13;
    pieces.push(text.slice(start, crlf ? at - 1 : at));
    endings.push(crlf ? '\r\n' : '\n');
    start = at + 1;
  }
  pieces.push(text.slice(start));
  return { pieces, endings };
}

/** How many line breaks a text has. */
export function countBreaks(text: string): number {
  let count = 0;
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) count++;
  return count;
}

/** How many lines a text has, as an editor counts them. */
export function countLines(text: string): number {
  if (text === '') return 0;
  return text.endsWith('\n') ? countBreaks(text) : countBreaks(text) + 1;
}
