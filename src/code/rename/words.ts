/** Which words are names in a language, and which are taken by the language itself. */

const C =
  'auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while';
const JS =
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static implements interface package private protected public arguments eval undefined';
const JAVA =
  'abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if implements import instanceof int interface long native new package private protected public return short static strictfp super switch synchronized this throw throws transient try void volatile while true false null _';

const LISTS: Readonly<Record<string, string>> = {
  javascript: JS,
  go: 'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var _ nil true false iota',
  python:
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield __debug__',
  java: JAVA,
  ruby: '__ENCODING__ __LINE__ __FILE__ BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield',
  rust: 'as break const continue crate else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while async await dyn abstract become box do final macro override priv try typeof unsized virtual yield _',
  kotlin:
    'as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var when while',
  csharp:
    'abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while',
  php: 'abstract and array as break callable case catch class clone const continue declare default die do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally fn for foreach function global goto if implements include include_once instanceof insteadof interface isset list match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while xor yield self parent true false null this',
  c: C,
  cpp: `${C} alignas alignof and and_eq asm bitand bitor bool catch class compl concept consteval constexpr constinit const_cast co_await co_return co_yield decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid typename using virtual wchar_t xor xor_eq`,
  shell: 'if then else elif fi case esac for select while until do done in function time coproc',
  scala:
    'abstract case catch class def do else enum export extends false final finally for given if implicit import lazy match new null object override package private protected return sealed super then this throw trait try true type val var while with yield _',
  swift:
    'associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default defer do else fallthrough for guard if in repeat return throw switch where while Any as await false is nil self Self super throws true try _',
};

/** Languages that share their words. */
export const FAMILY: Readonly<Record<string, string>> = {
  typescript: 'javascript',
  tsx: 'javascript',
  javascript: 'javascript',
  jsx: 'javascript',
  'c-header': 'cpp',
};

const WORDS = new Map(Object.entries(LISTS).map(([id, list]) => [id, new Set(list.split(' '))] as const));
const DOLLAR: ReadonlySet<string> = new Set(['javascript', 'java', 'kotlin', 'scala', 'c', 'cpp']);

/** The family a language belongs to; its own id when it is alone. */
export function familyOf(language: string): string {
  return FAMILY[language] ?? language;
}

/** Why a word is no name in a language, or undefined when it is one. `isMember`: keywords are allowed there in JavaScript. */
export function whyNoName(word: string, language: string, isMember: boolean): string | undefined {
  const family = familyOf(language);
  const ascii = family === 'shell' || family === 'c' || family === 'ruby';
  const shape = ascii && family !== 'ruby' ? /^[A-Za-z_$][\w$]*$/ : /^[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{N}_$]*$/u;
  if (!shape.test(word) || (word.includes('$') && !DOLLAR.has(family))) return 'is not an identifier';
  const taken = WORDS.get(family)?.has(family === 'php' ? word.toLowerCase() : word) === true;
  if (!taken || (isMember && family === 'javascript')) return undefined;
  return 'is a word of the language itself';
}
