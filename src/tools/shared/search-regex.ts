/** A regular expression in ripgrep's language as a JavaScript one that matches the same, or a fault that says what stands in the way. */
import { invalid } from './args.js';
import { classAt, classText, codeUnit, escapeAt, type Piece, WORD } from './search-classes.js';

export interface Translated {
  /** For the flag `v`. */
  readonly source: string;
  readonly ignoreCase: boolean;
  /** It names a line break, so matches may go over lines. */
  readonly across: boolean;
}

interface State {
  readonly text: string;
  at: number;
  readonly across: boolean;
  named: boolean;
  ignoreCase: boolean;
  /** Case rules under which letters stood so far. */
  readonly cases: Set<boolean>;
  dotAll: boolean;
  verbose: boolean;
}

interface Item {
  readonly source: string;
  readonly repeated: boolean;
}

/** Throws ToolFault `InvalidArgs`. `across`: what is matched are whole texts with their line endings, not single lines. */
export function translateRegex(term: string, ignoreCase: boolean, across: boolean): Translated {
  const state: State = {
    text: term,
    at: 0,
    across,
    named: false,
    ignoreCase,
    cases: new Set(),
    dotAll: false,
    verbose: false,
  };
  const source = alternatives(state, 0);
  if (state.at < term.length) throw refused('a ) closes no group', state.at);
  if (state.cases.size > 1) throw refused('upper and lower case count only in a part of it', 0);
  const [only] = state.cases;
  return { source, ignoreCase: only ?? state.ignoreCase, across: state.named };
}

/** Does it name a line break or a carriage return? False for what cannot be translated. */
export function namesBreak(term: string): boolean {
  try {
    return translateRegex(term, false, true).across;
  } catch {
    return false;
  }
}

function refused(what: string, at: number): Error {
  return invalid(
    'term',
    `not a regular expression that can be searched for here: ${what} (character ${at + 1}). Write it more simply; regex: false searches for the plain text`,
  );
}

/** Everything up to the end or to the ) of the group it stands in. */
function alternatives(state: State, depth: number): string {
  if (depth > 100) throw refused('groups nest too deep', state.at);
  const { ignoreCase, dotAll, verbose } = state;
  const done: string[] = [];
  let items: Item[] = [];
  while (state.at < state.text.length && state.text[state.at] !== ')') {
    if (state.text[state.at] === '|') {
      state.at++;
      done.push(items.map((item) => item.source).join(''));
      items = [];
    } else if (!skipped(state)) step(state, items, depth);
  }
  Object.assign(state, depth > 0 ? { ignoreCase, dotAll, verbose } : {});
  return [...done, items.map((item) => item.source).join('')].join('|');
}

/** In verbose mode blanks and comments say nothing. */
function skipped(state: State): boolean {
  if (!state.verbose) return false;
  const found = /^(?:\s+|#[^\n]*)/.exec(state.text.slice(state.at));
  if (found) state.at += found[0].length;
  return found !== null;
}

function step(state: State, items: Item[], depth: number): void {
  const rest = state.text.slice(state.at, state.at + 24);
  const counted = /^\{(\d*)(,?)(\d*)\}/.exec(rest);
  const isCount = counted !== null && counted[0] !== '{}' && counted[0] !== '{,}';
  if (/^[*+?]/.test(rest) || (isCount && items.length > 0)) repeat(state, items, isCount ? counted : undefined);
  else items.push({ source: atom(state, depth), repeated: false });
}

function repeat(state: State, items: Item[], counted: RegExpExecArray | undefined): void {
  const last = items.pop();
  if (!last) throw refused('there is nothing to repeat', state.at);
  let sign = state.text[state.at] ?? '';
  if (counted) {
    const [whole, least = '', comma = '', most = ''] = counted;
    if (most !== '' && Number(most) < Number(least)) throw refused(`${whole} is no possible count`, state.at);
    sign = `{${least || '0'}${comma}${most}}`;
  }
  state.at += counted ? counted[0].length : 1;
  // Which line matches, and where, does not depend on greed.
  const lazy = state.text[state.at] === '?';
  if (lazy) state.at++;
  items.push({ source: `${last.repeated ? `(?:${last.source})` : last.source}${sign}${lazy ? '?' : ''}`, repeated: true });
}

function atom(state: State, depth: number): string {
  const { text, at } = state;
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (char === '(') return group(state, depth);
  if (char === '[') return classIn(state);
  if (char === '\\') return escapeIn(state);
  state.at += char.length;
  if (char === '.') return state.dotAll && state.across ? '[^\\u{D800}-\\u{DFFF}]' : '[^\\r\\n\\u{D800}-\\u{DFFF}]';
  if (char === '^') return lineStart(state);
  if (char === '$') return lineEnd(state);
  return literal(state, char);
}

/** For ripgrep a lone carriage return ends a line too, as far as anchors go. */
function lineStart({ across }: State): string {
  return across ? '(?:^|(?<=\\n))' : '(?:^|(?<=\\r))';
}

function lineEnd({ across }: State): string {
  return across ? '(?:$|(?=\\r?\\n))' : '(?:$|(?=\\r))';
}

function literal(state: State, char: string): string {
  if (char === '\n' || char === '\r') state.named = true;
  else if (char.toLowerCase() !== char.toUpperCase()) state.cases.add(state.ignoreCase);
  return char === '\n' && state.across ? '(?:\\r?\\n)' : codeUnit(char);
}

function classIn(state: State): string {
  const { piece, end } = classAt(state.text, state.at, state.verbose, refused);
  state.at = end;
  return pieceText(state, piece);
}

function pieceText(state: State, piece: Piece): string {
  if (piece.names && !piece.negated) state.named = true;
  if (piece.cased) state.cases.add(state.ignoreCase);
  return classText(piece, state.across);
}

function escapeIn(state: State): string {
  const { text, at } = state;
  const rest = text.slice(at);
  const boundary = /^\\(?:b\{(start|end)(-half)?\}|[bB<>])/.exec(rest);
  if (boundary) {
    state.at += boundary[0].length;
    return boundaryText(boundary);
  }
  const anchor = /^\\[AzZ]/.exec(rest)?.[0];
  if (anchor) {
    state.at += 2;
    if (!state.across) return anchor === '\\A' ? lineStart(state) : lineEnd(state);
    return anchor === '\\A' ? '(?:^)' : '(?:$)';
  }
  const quoted = /^\\Q(.*?)(?:\\E|$)/s.exec(rest);
  if (quoted) {
    state.at += quoted[0].length;
    return `(?:${[...(quoted[1] ?? '')].map((char) => literal(state, char)).join('')})`;
  }
  const back = /^\\(?:([1-9]\d?)|k<(\w+)>|k\{(\w+)\}|g\{?(\d{1,2})\}?)/.exec(rest);
  if (back) {
    state.at += back[0].length;
    const [, number, name, braced, relative] = back;
    return name || braced ? `\\k<${name || braced}>` : `(?:\\${number ?? relative})`;
  }
  const found = escapeAt(text, at, refused);
  state.at = found.end;
  return typeof found.value === 'string' ? literal(state, found.value) : pieceText(state, found.value);
}

function boundaryText([whole, side, half]: RegExpExecArray): string {
  const [before, after, notBefore, notAfter] = [`(?<=${WORD})`, `(?=${WORD})`, `(?<!${WORD})`, `(?!${WORD})`];
  if (whole === '\\<' || side === 'start') return half ? `(?:${notBefore})` : `(?:${notBefore}${after})`;
  if (whole === '\\>' || side === 'end') return half ? `(?:${notAfter})` : `(?:${before}${notAfter})`;
  if (whole === '\\B') return `(?:${before}${after}|${notBefore}${notAfter})`;
  return `(?:${before}${notAfter}|${notBefore}${after})`;
}

function group(state: State, depth: number): string {
  const rest = state.text.slice(state.at, state.at + 200);
  const comment = /^\(\?#[^)]*\)/.exec(rest);
  const same = /^\(\?P=(\w+)\)/.exec(rest);
  const flags = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])/.exec(rest);
  const open = /^\((?:\?(?:P?<([A-Za-z_]\w*)>|<?[=!]))?(?![?*])/.exec(rest);
  if (comment || same) {
    state.at += (comment ?? same)?.[0].length ?? 0;
    return same ? `\\k<${same[1]}>` : '(?:)';
  }
  if (flags && flags[0] !== '(?)') {
    const before = { ignoreCase: state.ignoreCase, dotAll: state.dotAll, verbose: state.verbose };
    setFlags(state, flags[1] ?? '', flags[2] ?? '');
    state.at += flags[0].length;
    if (flags[3] === ')') return '(?:)';
    const inner = closed(state, depth);
    Object.assign(state, before);
    return `(?:${inner})`;
  }
  if (!open) throw refused(`${rest.slice(0, 4)} opens no known group`, state.at);
  state.at += open[0].length;
  const head = open[1] ? `(?<${open[1]}>` : open[0];
  const inner = closed(state, depth);
  // Wrapped: a look-around cannot be repeated.
  return /^\(\?<?[=!]/.test(head) ? `(?:${head}${inner}))` : `${head}${inner})`;
}

function closed(state: State, depth: number): string {
  const start = state.at;
  const inner = alternatives(state, depth + 1);
  if (state.text[state.at] !== ')') throw refused('a group is not closed', start - 1);
  state.at++;
  return inner;
}

/** Flags of what follows. Greed, anchors at lines and Unicode are as they are. */
function setFlags(state: State, on: string, off: string): void {
  const unknown = /[^imsxuUR]/.exec(on + off)?.[0] ?? (off.includes('u') ? '-u' : undefined);
  if (unknown) throw refused(`the flag ${unknown} is not known here`, state.at);
  const changed = (flag: string, now: boolean) => (on.includes(flag) ? true : off.includes(flag) ? false : now);
  state.ignoreCase = changed('i', state.ignoreCase);
  state.dotAll = changed('s', state.dotAll);
  state.verbose = changed('x', state.verbose);
}
