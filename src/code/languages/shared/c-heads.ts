/** Finds the macros in the head of a C or C++ declaration that a grammar takes for types or names. */
import type { Range, Token } from './c-tokens.js';

/** Words that say nothing about the type. */
const STORAGE = new Set([
  'static',
  'extern',
  'inline',
  'const',
  'volatile',
  'register',
  'virtual',
  'explicit',
  'constexpr',
  'friend',
  'typedef',
  'mutable',
  'consteval',
  'constinit',
  '__inline',
  '__inline__',
  '__extension__',
]);
/** Words the grammars know although they look like macros. */
const KNOWN = new Set([
  '__attribute__',
  '__attribute',
  '__declspec',
  '__asm__',
  '__asm',
  '__restrict',
  '__restrict__',
  '__extension__',
  '__inline',
  '__inline__',
  '__volatile__',
  '__const',
  '__based',
  '__cdecl',
  '__stdcall',
  '__fastcall',
  '__thiscall',
  '__vectorcall',
  '__int128',
  '__unaligned',
  '__alignof__',
  '__typeof__',
  '__thread',
  '__signed__',
  '__builtin_va_list',
  'NULL',
  'FILE',
  'DIR',
  '__int64',
  '__int8',
  '__int16',
  '__int32',
]);
/** Macros that stand for words like `constexpr` and never for a type. */
const NEVER_TYPE = /CONSTEXPR|INLINE|EXPORT|NODISCARD|DEPRECATED|ATTRIBUTE|VISIBILITY|_API$|^API_/;
const TYPE_WORDS = new Set(['class', 'struct', 'union', 'enum']);

/** `Q_DECL_EXPORT`, `_GLIBCXX_NOEXCEPT`, `__THROW`, `__init`. */
const looksLikeMacro = (token: Token | undefined): boolean =>
  token?.kind === 'word' && !KNOWN.has(token.text) && (/^_*[A-Z][A-Z0-9_]{2,}$/.test(token.text) || /^__\w+$/.test(token.text));

/** Ranges to make blank in a declaration that ends with `{` (`opens`) or `;`. */
export function blanksInHead(whole: readonly Token[], opens: boolean): Range[] {
  const blanks: Range[] = [];
  const head = withoutCallsBefore(whole, blanks);
  const typeAt = head.findIndex((token) => TYPE_WORDS.has(token.text));
  const round = parametersAt(head);
  const callable = round > 0 && head[round - 1]?.kind === 'word' && !(typeAt >= 0 && round === typeAt + 2 && opens);
  blanks.push(...conventions(head));
  if (head[0]?.text === 'typedef' && !opens) return blanks;
  if (opens && head.some((token) => token.text === 'namespace')) blanks.push(...withArguments(head, looksLikeMacro));
  else if (typeAt >= 0 && opens && !callable) blanks.push(...beforeTypeName(head, typeAt));
  else if (callable) {
    blanks.push(...beforeName(head, round - 1), ...afterParameters(head, round));
  } else {
    const assigned = head.findIndex((token) => token.text === '=');
    const said = head
      .slice(0, assigned < 0 ? undefined : assigned)
      .filter((token) => token.kind === 'word' && !STORAGE.has(token.text));
    if (said.length > 2 && head[0] === said[0] && looksLikeMacro(head[0])) blanks.push(...said.slice(0, 1).map(rangeOf));
  }
  return blanks;
}

/** Index of the first bracket that is not what an attribute is given, or -1. */
function parametersAt(head: readonly Token[]): number {
  for (let index = 0; index < head.length; index++) {
    if (head[index]?.text !== '(') continue;
    if (!KNOWN.has(head[index - 1]?.text ?? '')) return index;
    const close = closing(head, index);
    if (close < 0) return -1;
    index = close;
  }
  return -1;
}

/** `DEFINE_STACK_OF(X509)`, one or several, and nothing else: statements of their own without a semicolon. */
export function isMacroCall(head: readonly Token[]): boolean {
  let at = 0;
  while (head[at]?.first === true && (looksLikeMacro(head[at]) || /^[A-Z]{2,}\w*_\w*$/.test(head[at]?.text ?? ''))) {
    const close = head[at + 1]?.text === '(' ? closing(head, at + 1) : at;
    if (close < 0) return false;
    at = close + 1;
  }
  return at > 0 && at === head.length;
}

const rangeOf = (token: Token): Range => [token.start, token.end];

/** Words that are macros, with what they are given. */
function withArguments(head: readonly Token[], isMacro: (token: Token) => boolean): Range[] {
  return head.flatMap((token, index) => {
    if (!isMacro(token)) return [];
    const close = head[index + 1]?.text === '(' ? closing(head, index + 1) : index;
    return [[token.start, head[Math.max(close, index)]?.end ?? token.end] as const];
  });
}

/** `WINAPI` of `(WINAPI *name)(…)`. */
function conventions(head: readonly Token[]): Range[] {
  return head.flatMap((token, index) => {
    const word = head[index + 1];
    const next = head[index + 2];
    if (token.text !== '(' || !word || !looksLikeMacro(word) || (next?.text !== '*' && next?.kind !== 'word')) return [];
    return head[closing(head, index) + 1]?.text === '(' ? [rangeOf(word)] : [];
  });
}

/** Drops `Q_DECLARE_METATYPE(Foo)` and `QT_BEGIN_NAMESPACE` on lines of their own before the declaration. */
function withoutCallsBefore(whole: readonly Token[], blanks: Range[]): readonly Token[] {
  let head = whole;
  for (;;) {
    const first = head[0];
    if (!first?.first || !looksLikeMacro(first) || head[1]?.text !== '(') return head;
    const close = closing(head, 1);
    const next = head[close + 1];
    if (close < 0 || next?.kind !== 'word' || !next.first) return head;
    blanks.push([first.start, head[close]?.end ?? first.end]);
    head = head.slice(close + 1);
  }
}

/** Index of the bracket that closes the one at `open`, or -1. */
function closing(head: readonly Token[], open: number): number {
  let depth = 0;
  for (let index = open; index < head.length; index++) {
    if (head[index]?.text === '(') depth++;
    else if (head[index]?.text === ')' && --depth === 0) return index;
  }
  return -1;
}

/** `EXPORT` of `EXPORT class A`, `class EXPORT A : B`, `struct ALIGNED(8) A`. */
function beforeTypeName(head: readonly Token[], typeAt: number): Range[] {
  const blanks = head.slice(0, typeAt).filter(looksLikeMacro).map(rangeOf);
  let index = typeAt + 1;
  while (TYPE_WORDS.has(head[index]?.text ?? '')) index++;
  for (;;) {
    const word = head[index];
    if (word?.kind !== 'word' || KNOWN.has(word.text) || word.text === 'alignas') return blanks;
    const close = head[index + 1]?.text === '(' ? closing(head, index + 1) : index;
    const next = head[close + 1];
    if (close < 0 || next?.kind !== 'word' || next.text === 'final' || next.text === 'sealed') return blanks;
    blanks.push([word.start, head[close]?.end ?? word.end]);
    index = close + 1;
  }
}

/** Macros among the words before the name of a function, as long as a type remains. */
function beforeName(head: readonly Token[], name: number): Range[] {
  const words: Token[] = [];
  let angle = 0;
  for (let index = 0; index < name; index++) {
    const token = head[index];
    if (token?.text === '<') angle++;
    else if (token?.text === '>') angle = Math.max(0, angle - 1);
    else if (token?.kind === 'word' && angle === 0 && head[index + 1]?.text !== '::' && head[index - 1]?.text !== '::')
      words.push(token);
  }
  const macros = words.filter(looksLikeMacro);
  const typed = words.length > macros.length && words.some((word) => !looksLikeMacro(word) && !STORAGE.has(word.text));
  const hidden = head.slice(0, name).some((token) => token.text === '::' || token.text === 'template');
  if (typed || hidden) return macros.map(rangeOf);
  const [kept] = macros.filter((word) => !NEVER_TYPE.test(word.text));
  return macros.filter((word) => word !== kept).map(rangeOf);
}

/** Macros between the parameters and the body, with what they are given. */
function afterParameters(head: readonly Token[], round: number): Range[] {
  const blanks: Range[] = [];
  for (let index = closing(head, round) + 1; index > 0 && index < head.length; index++) {
    const token = head[index];
    if (token?.kind !== 'word') return blanks;
    if (!looksLikeMacro(token)) continue;
    const close = head[index + 1]?.text === '(' ? closing(head, index + 1) : index;
    if (close < 0) return blanks;
    blanks.push([token.start, head[close]?.end ?? token.end]);
    index = close;
  }
  return blanks;
}
