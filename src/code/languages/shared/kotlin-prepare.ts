/** Kotlin that the grammar takes for an error, and two faults it does not recover from: same length, same lines. Only the parser sees it. */

import { inShortLines } from './short-lines.js';

type Change = readonly [RegExp, string | ((found: string) => string)];

const blank = (found: string): string => ' '.repeat(found.length);

/** A declaration that begins on the line on which the one before it ends; not an accessor. */
const MEMBER = String.raw`(?:(?:public|private|internal|protected|abstract|final|sealed|open|data|enum|annotation|value|inline|inner|suspend|const|lateinit|override|companion|tailrec|operator|infix|external)[ \t]+)*(?:(?:class|interface|object|fun|val|var|typealias)[ \t]|companion[ \t]+object\b|constructor[ \t]*\(|init[ \t]*\{)`;

const CHANGES: readonly Change[] = [
  // Members of one line with nothing between them: `companion object { } init { }`.
  [new RegExp(`(?<=\\})[ \\t](?=${MEMBER})`, 'g'), ';'],
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
