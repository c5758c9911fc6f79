/** A search term as a JavaScript pattern that means the same as for ripgrep, as far as the two languages agree. */
import { invalid } from './args.js';
import type { SearchQuery } from './search-types.js';

export interface JsPattern {
  readonly source: string;
  readonly flags: string;
  /** Matches may go over line breaks. */
  readonly multiline: boolean;
}

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9a-fA-F',
  word: '\\w',
};

/** Throws ToolFault `InvalidArgs` for what is no pattern. */
export function jsPattern({ term, regex, caseSensitive }: Pick<SearchQuery, 'term' | 'regex' | 'caseSensitive'>): JsPattern {
  const multiline = term.includes('\n') || (regex && term.includes('\\n'));
  let flags = `${caseSensitive ? '' : 'i'}${multiline ? 'm' : ''}`;
  if (!regex) {
    const source = term
      .split(/\r?\n/)
      .map((line) => line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('\\r?\\n');
    return { source, flags: `${flags}u`, multiline };
  }
  const inline = /^\(\?([imsU]+)\)/.exec(term);
  if (inline) flags += [...(inline[1] ?? '')].filter((flag) => 'ims'.includes(flag) && !flags.includes(flag)).join('');
  const source = translate(inline ? term.slice(inline[0].length) : term);
  for (const candidate of [`${flags}u`, flags]) {
    try {
      new RegExp(source, candidate);
      return { source, flags: candidate, multiline };
    } catch (error) {
      if (candidate === flags)
        throw invalid(
          'term',
          `not a valid regular expression (regex: false searches for the plain text): ${(error as Error).message}`,
        );
    }
  }
  throw invalid('term', 'not a valid regular expression');
}

function translate(term: string): string {
  return term
    .replace(/\\[<>]/g, '\\b')
    .replace(/\\A/g, '^')
    .replace(/\\z/g, '$')
    .replace(/\(\?P</g, '(?<')
    .replace(/\[\[:(\^?)([a-z]+):\]\]/g, (whole, negated: string, name: string) =>
      CLASSES[name] ? `[${negated}${CLASSES[name]}]` : whole,
    )
    .replace(/\[:([a-z]+):\]/g, (whole, name: string) => CLASSES[name] ?? whole);
}
