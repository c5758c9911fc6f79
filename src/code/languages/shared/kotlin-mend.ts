/** Kotlin that the grammar takes for an error, and the two faults it does not recover from: same length, same lines. Only the parser sees it. */

type Mend = readonly [RegExp, string];

const MENDS: readonly Mend[] = [
  // Parameters that are not closed before the body.
  [/^([ \t]*(?:[\w@]+[ \t]+)*fun\b[^\n(){}]*\([^(){}\n]*)[ \t](?=\{)/gm, '$1)'],
  // A value that is missing, `val y = }`, becomes a fault that stays where it is.
  [/=[ \t](?=\})/g, ' )'],
  // The last member or statement before a brace on the same line.
  [/(?<=[^\s{;([,])[ \t](?=\})/g, ';'],
];

/** The same text in a form that the grammar reads to its end. */
export function mendKotlin(text: string): string {
  return MENDS.reduce((mended, [pattern, instead]) => mended.replace(pattern, instead), text);
}
