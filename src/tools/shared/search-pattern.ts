/** A search term as the JavaScript pattern that our own search uses. */
import { invalid } from './args.js';
import { codeUnit } from './search-classes.js';
import { namesBreak, translateRegex } from './search-regex.js';
import type { SearchQuery } from './search-types.js';

export interface JsPattern {
  readonly source: string;
  readonly flags: string;
  /** It is tried on whole texts with their line endings, since its matches may go over lines. */
  readonly across: boolean;
  /** It is a plain text, so a match in a whole text is a match in a line. */
  readonly plain: boolean;
}

type Term = Pick<SearchQuery, 'term' | 'regex' | 'caseSensitive'>;

/** May a match of this term hold a line break? Then our own search answers, ripgrep there or not. */
export function goesAcross({ term, regex }: Term): boolean {
  return regex ? namesBreak(term) : /[\r\n]/.test(term);
}

/** Does it match an empty text? ripgrep then misses the end of a file without a line break, so our own search answers. */
export function matchesNothing(term: Term): boolean {
  if (!term.regex) return false;
  try {
    const { source, flags } = jsPattern(term);
    return new RegExp(source, flags).test('');
  } catch {
    return false;
  }
}

/** Throws ToolFault `InvalidArgs` for what is no pattern, or none that can be said in JavaScript. */
export function jsPattern(query: Term): JsPattern {
  const across = goesAcross(query);
  if (!query.regex) {
    const chars = [...query.term.replaceAll('\r\n', '\n')];
    const source = chars.map((char) => (char === '\n' ? '(?:\\r?\\n)' : codeUnit(char))).join('');
    return { source, flags: query.caseSensitive ? 'v' : 'iv', across, plain: true };
  }
  const { source, ignoreCase } = translateRegex(query.term, !query.caseSensitive, across);
  const flags = ignoreCase ? 'iv' : 'v';
  checked(source, flags);
  return { source, flags, across, plain: false };
}

function checked(source: string, flags: string): void {
  try {
    new RegExp(source, flags);
  } catch {
    throw invalid('term', 'not a valid regular expression: it refers to a group that is not there, or names one twice');
  }
}

/**
 * `\A`, `\z` and `\Z` as the anchors of a line: what is searched is line by line. A dash after a set (`[\w-.]`) is a dash,
 * as it is in most languages.
 */
export function forRipgrep(term: string): string {
  return term.replace(/\\Q.*?(?:\\E|$)|\\.|\[(?:\\.|[^\]\\])*\]?/gs, (found) => {
    if (found === '\\A') return '^';
    if (found.startsWith('['))
      return found.replace(/\\.(-(?![\]&-]))?/gs, (set, dash?: string) =>
        dash && /^\\[dswDSW]/.test(set) ? `${set.slice(0, 2)}\\-` : set,
      );
    return found === '\\z' || found === '\\Z' ? '$' : found;
  });
}
