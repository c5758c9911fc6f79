/** Pastes kept apart: one letter in the text stands for each. */

/**
 * A lone low surrogate: no well-formed text holds one, so nothing typed can be taken for a fold, and no letter of any
 * script or icon font is lost.
 */
const FIRST = 0xdc00;
const MOST = 0x400;
const LONE = /[\udc00-\udfff]/gu;

/** Is this one letter a fold? */
export function isFold(letter: string): boolean {
  return letter.length === 1 && letter >= '\udc00' && letter <= '\udfff';
}

export interface Folds {
  /** The letter for a text; undefined: there are too many. */
  keep(text: string): string | undefined;
  textOf(letter: string): string | undefined;
  /** What is shown for it. */
  about(letter: string): { readonly number: number; readonly lines: number } | undefined;
  /** A text with all folds in full. */
  whole(text: string): string;
  clear(): void;
}

export function createFolds(): Folds {
  let texts: { readonly text: string; readonly lines: number }[] = [];
  const of = (letter: string) => (isFold(letter) ? texts[letter.charCodeAt(0) - FIRST] : undefined);
  return {
    keep(text) {
      if (texts.length >= MOST) return undefined;
      texts.push({ text, lines: countLines(text) });
      return String.fromCharCode(FIRST + texts.length - 1);
    },
    textOf: (letter) => of(letter)?.text,
    about(letter) {
      const fold = of(letter);
      return fold ? { number: letter.charCodeAt(0) - FIRST + 1, lines: fold.lines } : undefined;
    },
    whole: (text) => text.replace(LONE, (letter) => of(letter)?.text ?? ''),
    clear() {
      texts = [];
    },
  };
}

/** Lines of a text; a line end at its end begins no further one. */
export function countLines(text: string): number {
  let count = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return Math.max(1, count);
}

/** Well-formed text without control characters but newline and tab: nothing in it is a fold. */
export function typable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}
