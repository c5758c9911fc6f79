/** PHP that the grammar takes for an error: same length, same lines. Only the parser sees it. */
import { inShortLines } from './short-lines.js';

/** `readonly` before a visibility in a parameter list. */
const BEFORE_VISIBILITY = /(?<=[(,\]]\s*)readonly(?=\s+(?:public|protected|private)\b)/gi;
/** A promoted parameter that is `readonly` and says nothing else: it is public. */
const ALONE =
  /(?<=[(,\]]\s*)readonly(?=\s+(?!(?:class|final|abstract|static|function|public|protected|private|var)\b)[\w?\\(][^;{}=$]{0,200}\$)/gi;

/** The same text in a form that the grammar reads to its end. */
export function preparePhp(text: string): string {
  if (!/readonly/i.test(text)) return text;
  return inShortLines(text, (short) => short.replace(BEFORE_VISIBILITY, '        ').replace(ALONE, 'public  '));
}
