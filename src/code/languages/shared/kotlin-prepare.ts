/** Kotlin that the grammar takes for an error, and two faults it does not recover from: same length, same lines. Only the parser sees it. */

import { inShortLines } from './short-lines.js';

type Change = readonly [RegExp, string | ((found: string) => string)];

const blank = (found: string): string => ' '.repeat(found.length);

const CHANGES: readonly Change[] = [
  // Context parameters and receivers before a declaration on the same line.
  [/(?<=^[ \t]*)context\([^()\n]*\)(?=[ \t]+(?:\w+[ \t]+)*(?:fun|val|var|class|interface)\b)/gm, blank],
  // Parameters that are not closed before the body.
  [/^([ \t]*(?:[\w@]+[ \t]+)*fun\b[^\n(){}]*\([^(){}=\n]*)[ \t](?=\{)/gm, '$1)'],
  // A value that is missing, `val y = }`, becomes a fault that stays where it is.
  [/=[ \t](?=\})/g, ' )'],
  // The last member or statement before a brace on the same line; not in `"${value }"`.
  [/(?=[ \t]\})(?<=[^\s{;([,])(?<!->|\*\/|=)(?<!\$\{[^{}\n]*)[ \t]/g, ';'],
];

/** The same text in a form that the grammar reads to its end. */
export function prepareKotlin(text: string): string {
  return inShortLines(text, (short) =>
    CHANGES.reduce(
      (changed, [pattern, instead]) =>
        typeof instead === 'string' ? changed.replace(pattern, instead) : changed.replace(pattern, instead),
      short,
    ),
  );
}
