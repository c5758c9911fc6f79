/** Names a language does not take: its reserved words, and what is no identifier in it. */

const JAVASCRIPT =
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if import ' +
  'in instanceof new null return super switch this throw true try typeof var void while with implements interface let package ' +
  'private protected public static yield await';
const C =
  'auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return ' +
  'short signed sizeof static struct switch typedef union unsigned void volatile while _Bool';
const CPP =
  `${C.replace(' restrict', '')} alignas alignof asm bool catch char16_t char32_t class concept const_cast consteval constexpr constinit co_await ` +
  'co_return co_yield decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept nullptr operator ' +
  'private protected public reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid ' +
  'typename using virtual wchar_t and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq';

/** Words that are never a name, by the id of the language. */
const RESERVED: Readonly<Record<string, string>> = {
  javascript: JAVASCRIPT,
  c: C,
  cpp: CPP,
  go: 'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var',
  python:
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield',
  java: 'abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for goto if implements import instanceof int interface long native new null package private protected public return short static strictfp super switch synchronized this throw throws transient true try void volatile while _',
  ruby: 'BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield __FILE__ __LINE__ __ENCODING__',
  rust: 'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while abstract become box do final macro override priv try typeof unsized virtual yield _',
  kotlin:
    'as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var when while',
  csharp:
    'abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while',
  php: '__halt_compiler abstract and array as break callable case catch class clone const continue declare default die do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally fn for foreach function global goto if implements include include_once instanceof insteadof interface isset list match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while xor yield true false null self parent',
  scala:
    'abstract case catch class def do else enum export extends false final finally for given if implicit import lazy match new null object override package private protected return sealed super then throw trait true try type val var while with yield _',
  swift:
    'associatedtype class deinit enum extension fileprivate func import init inout internal let operator private precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default defer do else fallthrough for guard if in repeat return throw switch where while Any as await false is nil self Self super throws true try _',
  shell: 'if then else elif fi do done case esac while until for in function select time coproc',
};

/** What a name looks like; `NAMES[id]` where it is not `PLAIN`. */
const PLAIN = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{N}\p{Pc}]*$/u;
const NAMES: Readonly<Record<string, RegExp>> = {
  javascript: /^#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u,
  java: /^[\p{L}\p{Nl}_$\p{Sc}][\p{L}\p{Nl}\p{Mn}\p{N}_$\p{Sc}]*$/u,
  c: /^[\p{L}_$][\p{L}\p{Mn}\p{N}_$]*$/u,
  cpp: /^~?[\p{L}_$][\p{L}\p{Mn}\p{N}_$]*$/u,
  ruby: /^(?:@@?|\$)?[\p{L}_][\p{L}\p{N}_]*[?!=]?$/u,
  rust: /^(?:'|r#)?[\p{L}_][\p{L}\p{Mn}\p{N}_]*$/u,
  csharp: /^@?[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{N}_]*$/u,
  php: /^\$?[\p{L}_][\p{L}\p{N}_]*$/u,
  kotlin: /^(?:[\p{L}_][\p{L}\p{N}_]*|`[^`\r\n]+`)$/u,
  swift: /^(?:[\p{L}_][\p{L}\p{M}\p{N}_]*|`[^`\r\n]+`|[-+*/%=<>!&|^~?]+)$/u,
  scala: /^(?:[\p{L}_$][\p{L}\p{N}_$]*(?:_[-+*/%=<>!&|^~?:]+)?|`[^`\r\n]+`|[-+*/%=<>!&|^~?:#@\\]+)$/u,
  shell: /^[\p{L}_][\p{L}\p{N}_-]*$/u,
};

/** Languages that share their names. */
const SAME: Readonly<Record<string, string>> = {
  typescript: 'javascript',
  tsx: 'javascript',
  jsx: 'javascript',
  'c-header': 'c',
};
const SHOWN: Readonly<Record<string, string>> = {
  javascript: 'JavaScript',
  typescript: 'TypeScript',
  tsx: 'TypeScript',
  jsx: 'JavaScript',
  'c-header': 'C',
  cpp: 'C++',
  csharp: 'C#',
  php: 'PHP',
};

const words = new Map(Object.entries(RESERVED).map(([id, list]) => [id, new Set(list.split(' '))] as const));
/** Its reserved words are the same in any case. */
const ANY_CASE: ReadonlySet<string> = new Set(['php']);

/**
 * Why a name cannot stand for something declared in a language (by its id): an English sentence part without its full stop.
 * Undefined: nothing speaks against it, or the language is not known here.
 */
export function identifierFault(language: string, name: string): string | undefined {
  const id = SAME[language] ?? language;
  const reserved = words.get(id);
  if (reserved === undefined) return undefined;
  const shown = SHOWN[language] ?? language.charAt(0).toUpperCase() + language.slice(1);
  if (reserved.has(ANY_CASE.has(id) ? name.toLowerCase() : name)) return `${name} is a reserved word of ${shown}`;
  return (NAMES[id] ?? PLAIN).test(name) ? undefined : `${name} is no identifier of ${shown}`;
}
