/** Code in colours: highlight.js, loaded when first asked for, one chunk a language; line by line, with what a line leaves open carried on. */
import type { Emitter, HLJSApi, LanguageFn, Mode } from 'highlight.js';
import type { Role } from '../theme/theme.js';
import type { Span } from './spans.js';

/** What the lines so far left open. Never changed, so it may be kept and used again. */
export interface CodeState {
  /** Lines that opened what is open. */
  readonly opening: string;
  readonly modes: readonly object[];
  readonly letters: number;
}

export interface Grammar {
  /** One line of code without its line end. Costs about as much as the line is long. */
  line(state: CodeState | undefined, text: string): { readonly spans: readonly Span[]; readonly state: CodeState };
}

export interface Highlighter {
  /** The grammar of a language as a code fence names it; undefined: there is none. The first question starts its loading. */
  grammar(language: string): Grammar | 'loading' | undefined;
  /** Resolves when nothing is loading. Never rejects. */
  settled(): Promise<void>;
}

type Load = () => Promise<{ readonly default: LanguageFn }>;

const LANGUAGES: Readonly<Record<string, Load>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

const ALIASES: Readonly<Record<string, string>> = {
  ...{ sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', 'shell-session': 'bash', docker: 'dockerfile' },
  ...{ 'c++': 'cpp', cc: 'cpp', hpp: 'cpp', cxx: 'cpp', h: 'c', 'c#': 'csharp', cs: 'csharp', golang: 'go', kt: 'kotlin' },
  ...{
    ts: 'typescript',
    tsx: 'typescript',
    mts: 'typescript',
    js: 'javascript',
    jsx: 'javascript',
    mjs: 'javascript',
    cjs: 'javascript',
  },
  ...{ json5: 'json', jsonc: 'json', jsonl: 'json', yml: 'yaml', toml: 'ini', html: 'xml', svg: 'xml', vue: 'xml', xhtml: 'xml' },
  ...{ py: 'python', python3: 'python', rb: 'ruby', rs: 'rust', md: 'markdown', mk: 'makefile', make: 'makefile', patch: 'diff' },
  ...{ ps1: 'powershell', pwsh: 'powershell', scss: 'css', postgresql: 'sql', mysql: 'sql', properties: 'ini', php3: 'php' },
};

/** Longer lines and longer blocks are shown without colours. */
const LONGEST_LINE = 1000;
const LONGEST_BLOCK = 200_000;
/** What is open may have been opened by this many characters; more is forgotten. */
const LONGEST_OPENING = 2000;

/** The name under which a language is known here. */
function nameOf(language: string): string | undefined {
  const name = language.toLowerCase();
  const known = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return known !== undefined && Object.hasOwn(LANGUAGES, known) ? known : undefined;
}

/** Loads nothing by itself. A language that cannot be loaded is plain. */
export function createHighlighter(): Highlighter {
  const grammars = new Map<string, Grammar | 'loading' | undefined>();
  const loading = new Set<Promise<void>>();
  let core: Promise<HLJSApi> | undefined;
  const load = async (name: string): Promise<void> => {
    try {
      core ??= loadCore();
      const [library, language] = await Promise.all([core, (LANGUAGES[name] as Load)()]);
      library.registerLanguage(name, language.default);
      grammars.set(name, grammarOf(library, name));
    } catch {
      grammars.set(name, undefined);
    }
  };
  return {
    grammar(language) {
      const name = nameOf(language);
      if (name === undefined) return undefined;
      if (grammars.has(name)) return grammars.get(name);
      grammars.set(name, 'loading');
      const task: Promise<void> = load(name).finally(() => loading.delete(task));
      loading.add(task);
      return 'loading';
    },
    async settled() {
      while (loading.size > 0) await Promise.all(loading);
    },
  };
}

async function loadCore(): Promise<HLJSApi> {
  const { default: shared } = await import('highlight.js/lib/core');
  const library = shared.newInstance();
  library.configure({ __emitter: Tokens });
  return library;
}

/** Gathers the pieces highlight.js finds, each with the role of its innermost scope that has one. */
class Tokens implements Emitter {
  readonly spans: Span[] = [];
  private readonly roles: (Role | undefined)[] = [];
  addText(text: string): void {
    if (text !== '') this.spans.push(spanOf(text, this.roles.at(-1)));
  }
  startScope(scope: string): void {
    this.roles.push(roleOf(scope, this.roles.at(-1)));
  }
  endScope(): void {
    this.roles.pop();
  }
  /** The library calls these two beside the documented ones. */
  openNode(scope: string): void {
    this.startScope(scope);
  }
  closeNode(): void {
    this.endScope();
  }
  __addSublanguage(emitter: Emitter): void {
    if (!(emitter instanceof Tokens)) return;
    for (const { text, role } of emitter.spans) this.spans.push(spanOf(text, role ?? this.roles.at(-1)));
  }
  finalize(): void {
    this.roles.length = 0;
  }
  toHTML(): string {
    return '';
  }
}

const spanOf = (text: string, role: Role | undefined): Span => (role === undefined ? { text } : { text, role });

const SCOPES: Readonly<Record<string, Role | 'plain'>> = {
  ...{ keyword: 'keyword', literal: 'number', built_in: 'type', type: 'type', class: 'type', 'title.class': 'type' },
  ...{ string: 'string', regexp: 'string', 'char.escape': 'meta', subst: 'plain', comment: 'comment', doctag: 'comment' },
  ...{ number: 'number', symbol: 'number', title: 'function', 'title.function': 'function', function: 'plain', params: 'plain' },
  ...{
    meta: 'meta',
    attr: 'function',
    attribute: 'function',
    tag: 'plain',
    name: 'keyword',
    section: 'heading',
    quote: 'comment',
  },
  ...{
    'selector-tag': 'keyword',
    'selector-class': 'type',
    'selector-id': 'type',
    'selector-attr': 'meta',
    'selector-pseudo': 'meta',
  },
  ...{ addition: 'added', deletion: 'removed', bullet: 'accent', link: 'link', code: 'inlineCode', 'template-variable': 'meta' },
};

function roleOf(scope: string, outer: Role | undefined): Role | undefined {
  for (let name = scope; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const role = Object.hasOwn(SCOPES, name) ? SCOPES[name] : undefined;
    if (role !== undefined) return role === 'plain' ? undefined : role;
  }
  return outer;
}

/** Only what a line leaves open is highlighted again with the next: the lines that opened it. */
function grammarOf(library: HLJSApi, language: string): Grammar {
  return {
    line(state, text) {
      const { opening, modes, letters } = state ?? { opening: '', modes: [], letters: 0 };
      const after = letters + text.length;
      if (text.length > LONGEST_LINE || after > LONGEST_BLOCK)
        return { spans: [{ text }], state: { opening, modes, letters: after } };
      const code = `${opening}${text}\n`;
      const result = library.highlight(code, { language, ignoreIllegals: true });
      const open = modesOf(result._top as Nested | undefined);
      const kept = open.length === 0 ? '' : sameModes(open, modes) ? opening : code.length > LONGEST_OPENING ? '' : code;
      const spans = result._emitter instanceof Tokens ? behind(result._emitter.spans, opening.length, text) : [{ text }];
      return { spans, state: { opening: kept, modes: kept === '' ? [] : open, letters: after } };
    },
  };
}

type Nested = Mode & { readonly parent?: Nested };

/** The modes open at the end, innermost first; none when only the language itself is. */
function modesOf(top: Nested | undefined): object[] {
  const modes: object[] = [];
  for (let mode = top; mode?.parent; mode = mode.parent) modes.push(Object.getPrototypeOf(mode) as object);
  return modes;
}

const sameModes = (a: readonly object[], b: readonly object[]): boolean =>
  a.length === b.length && a.every((mode, index) => mode === b[index]);

/** The part of the pieces that a line is; a line that did not come back whole is plain. */
function behind(spans: readonly Span[], from: number, wanted: string): Span[] {
  const line: Span[] = [];
  let at = 0;
  for (const span of spans) {
    const start = Math.max(0, from - at);
    const text = span.text.slice(start, Math.max(start, from + wanted.length - at));
    if (text !== '') line.push({ ...span, text });
    at += span.text.length;
  }
  return line.map(({ text }) => text).join('') === wanted ? line : [{ text: wanted }];
}
