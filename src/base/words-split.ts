/** One line of CLI-style text -> words, by the quoting rules of the original: no shell, no expansion. */

/** `start` and `end` are offsets in the line; `quoted` is true when any part stood in quotes. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

export type SplitWords =
  | { readonly ok: true; readonly words: readonly Word[] }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/**
 * White space separates; single quotes keep all; in double quotes a backslash escapes `"` and `\` only;
 * outside it escapes white space, quotes and `\`. Every other backslash stays. An open quote is an error.
 */
export function splitWords(line: string): SplitWords {
  const words: Word[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line.charAt(at)) || isContinuation(line, at)) {
      at++;
      continue;
    }
    const word = readWord(line, at);
    if (!('text' in word)) return word;
    words.push(word);
    at = word.end;
  }
  return { ok: true, words };
}

function readWord(line: string, start: number): Word | (SplitWords & { ok: false }) {
  let text = '';
  let quoted = false;
  let at = start;
  while (at < line.length) {
    const char = line.charAt(at);
    if (/\s/.test(char) || isContinuation(line, at)) break;
    if (char === "'" || char === '"') {
      const part = readQuoted(line, at);
      if (part === undefined) return { ok: false, message: `the quote ${char} at character ${at + 1} is not closed`, offset: at };
      quoted = true;
      text += part.text;
      at = part.end;
      continue;
    }
    if (char === '\\') {
      if (at + 1 === line.length) return { ok: false, message: 'the line ends with a backslash', offset: at };
      const next = line.charAt(at + 1);
      text += /[\s'"\\]/.test(next) ? next : `\\${next}`;
      at += 2;
      continue;
    }
    text += char;
    at++;
  }
  return { text, start, end: at, quoted };
}

function readQuoted(line: string, start: number): { readonly text: string; readonly end: number } | undefined {
  const quote = line.charAt(start);
  let text = '';
  for (let at = start + 1; at < line.length; at++) {
    const char = line.charAt(at);
    if (char === quote) return { text, end: at + 1 };
    const next = line.charAt(at + 1);
    if (quote === '"' && char === '\\' && (next === '"' || next === '\\')) {
      text += next;
      at++;
      continue;
    }
    const plain = quote === '"' ? /["\\]/g : /'/g;
    plain.lastIndex = at + 1;
    const stop = plain.exec(line)?.index ?? line.length;
    text += line.slice(at, stop);
    at = stop - 1;
  }
  return undefined;
}

/** A backslash before a line end joins two lines. */
function isContinuation(line: string, at: number): boolean {
  return line.charAt(at) === '\\' && (line.charAt(at + 1) === '\n' || line.startsWith('\r\n', at + 1));
}
