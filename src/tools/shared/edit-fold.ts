/** Forms of a line in which differences of form disappear, with the way back to the line itself. */

/** A folded line. `at[i]` is the offset in the line of folded character i; the last entry is the end. Absent: the same offsets. */
export interface Folded {
  readonly text: string;
  readonly at?: readonly number[];
}

export type Fold = (line: string) => Folded;

const SINGLE = '\u2018\u2019\u201a\u201b\u2032\u02bc\uff07';
const DOUBLE = '\u201c\u201d\u201e\u201f\u2033\uff02';
const DASH = '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d';
const SPACE = '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000';
const NOTHING = '\u00ad\u200b\u200c\u200d\u2060\ufeff';

const LOOK_ALIKES = new Map<string, string>([
  ...[...SINGLE].map((char) => [char, "'"] as const),
  ...[...DOUBLE].map((char) => [char, '"'] as const),
  ...[...DASH].map((char) => [char, '-'] as const),
  ...[...SPACE].map((char) => [char, ' '] as const),
  ...[...NOTHING].map((char) => [char, ''] as const),
  ['\u2026', '...'],
]);

/** The line as it is. */
export const asIs: Fold = (line) => ({ text: line });

/** Without white space at its end. */
export const withoutTrailing: Fold = (line) => ({ text: line.trimEnd() });

/** Without white space at its end; typographic characters, full-width forms and accents in one spelling. */
export const lookAlikes: Fold = (line) => {
  if (/^[\t\x20-\x7e]*$/.test(line)) return withoutTrailing(line);
  let text = '';
  const at: number[] = [];
  let offset = 0;
  for (const char of line) {
    const folded = foldCharacter(char);
    for (let i = 0; i < folded.length; i++) at.push(offset);
    text += folded;
    offset += char.length;
  }
  const kept = text.trimEnd();
  at.length = kept.length;
  at.push(kept.length === text.length ? offset : endOf(line, at));
  return { text: kept, at };
};

function endOf(line: string, at: readonly number[]): number {
  const last = at.at(-1);
  if (last === undefined) return 0;
  return last + String.fromCodePoint(line.codePointAt(last) ?? 0).length;
}

function foldCharacter(char: string): string {
  const plain = LOOK_ALIKES.get(char);
  if (plain !== undefined) return plain;
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCodePoint(code - 0xfee0);
  return char.normalize('NFD');
}

/** Offset in the line of folded offset `index`; undefined when that is inside one character of the line. */
export function unfold(folded: Folded, index: number): number | undefined {
  if (!folded.at) return index;
  const offset = folded.at[index];
  return index > 0 && offset !== undefined && folded.at[index - 1] === offset ? undefined : offset;
}
