/** Rewrites TypeScript that its grammar does not know into something of the same length and the same shape that it does. */

/** A function without a name and without a body. */
const NAMELESS = /\bdefault(\s+)function\s?(?=[<(])/g;
/** `using x = …` and `await using x = …`, which become `const x`: as long, and declared. */
const USING = /(^[ \t]*|[;{}][ \t]*)((?:await[ \t]+)?using)(?=[ \t]+[A-Za-z_$][\w$]*\s*(?:=(?![=>])|:))/gm;
/** `in`, `out` before a type parameter. */
const VARIANCE = /(^[ \t]*|[<,]\s*)(in\s+out|in|out)(?=\s+[A-Z_$][\w$]*\s*(?:[,>=]|extends\b))/gm;
/** Members called like a modifier. */
const MEMBER =
  /([{;,\n][ \t]*(?:(?:public|private|protected|static|readonly|override)[ \t]+)*)(abstract|accessor)(?=\s*[?!]?\s*[:=(]|\s*;)/g;
/** `global { … }` in a module needs no `declare`. */
const GLOBAL = /^([ \t]+)global([ \t]*)\{/gm;
/** `]? :` of a mapped type. */
const MAPPED = /\]([+-]?\?)([ \t]+):/g;

/** The same text, offset for offset, for the parser only. */
export function mendTypes(text: string): string {
  return mendScript(text)
    .replace(USING, (_, before: string, word: string) => before + 'const'.padEnd(word.length))
    .replace(NAMELESS, (all: string, gap: string) => (gap === ' ' ? named(all) : all))
    .replace(VARIANCE, (_, before: string, words: string) => before + words.replace(/\S/g, ' '))
    .replace(MEMBER, (_, before: string, word: string) => before + 'a'.repeat(word.length))
    .replace(GLOBAL, (all: string) => (all.length < GLOBAL_AS.length ? all : GLOBAL_AS.padStart(all.length)))
    .replace(WORDS, (all: string, first?: string, second?: string) => (first ?? second ?? '').padEnd(all.length))
    .replace(IMPORTED, (all: string, before: string) => before.padEnd(all.length, '_'))
    .replace(MAPPED, (_, mark: string, space: string) => `]${space}${mark}:`);
}

/** `export type * from`, `keyof readonly T[]`. */
const WORDS = /\b(export\s+)type(?=\s+\*)|\b(keyof\s+)readonly\b/g;
/** The type `import('x').Y`. */
const IMPORTED = /([:|&=<,(]\s*|\b(?:extends|typeof|is)\s+)import\(\s*(["'])[^"'\n]*\2\s*\)(?=\s*\.)/g;
const GLOBAL_AS = 'module g {';

/** `export { x as null }`: names that are words of the language; `default` alone the grammar knows. */
const WORD_AS_NAME =
  /(\bas\s+)(break|case|catch|class|const|continue|debugger|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|new|null|of|return|super|switch|this|throw|true|try|typeof|var|void|while|with)(?=\s*[,}])/g;

/** As `mendTypes`, for scripts without types. */
export function mendScript(text: string): string {
  return text.replace(WORD_AS_NAME, (_, before: string, word: string) => before + 'a'.repeat(word.length));
}

/** Also puts a semicolon before lines that begin with `<`; not for texts with markup. */
export function mendTypesAndCalls(text: string): string {
  return mendTypes(text).replace(/^([ \t]*)[ \t](?=<(?:\s|[A-Za-z_$]))/gm, '$1;');
}

/** `default function (` -> `function ddddddddd(`: as long, and with a name. */
const named = (all: string): string => `function ${'d'.repeat(all.length - 'function '.length)}`;

/** Whether a name is one that mending made: in the real text it begins within a word. */
export function isMade(text: string, at: number): boolean {
  return /[\w$]/.test(text.charAt(at - 1)) && /[\w$ ]/.test(text.charAt(at));
}
