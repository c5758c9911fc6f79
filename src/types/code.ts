/** The words about source code: what a file declares, refers to and imports. Plain data, safe to store as JSON. */

/** What a declaration is. A language uses the words that fit it. */
export type SymbolKind =
  | 'function'
  | 'method'
  | 'constructor'
  | 'property'
  | 'field'
  | 'class'
  | 'interface'
  | 'struct'
  | 'enum'
  | 'enum-member'
  | 'type'
  | 'const'
  | 'var'
  | 'namespace'
  | 'module'
  | 'package'
  | 'trait'
  | 'impl'
  | 'macro'
  | 'object'
  | 'record'
  | 'union'
  | 'extension'
  | 'protocol'
  | 'annotation'
  | 'event'
  | 'delegate'
  | 'export';

/** One declaration. Lines are 1-based and count as `read` counts them. */
export interface CodeSymbol {
  /** The bare name: `Run`, not `Server.Run`. */
  readonly name: string;
  readonly kind: SymbolKind;
  /** One line as the language writes it, types and receiver included, without body: `func (s *Server) Run(ctx context.Context) error`. */
  readonly signature: string;
  /** Whether other files can use it. */
  readonly exported: boolean;
  /** Line of the declaration itself, after its decorators and comments. */
  readonly startLine: number;
  readonly endLine: number;
  /** The type it belongs to when it does not stand inside it (Go methods, Kotlin and C# extensions, C++ `A::b`). */
  readonly container?: string;
  /** What is declared inside it, in the order of the text. */
  readonly children: readonly CodeSymbol[];
}

/** What a file takes from elsewhere. */
export interface CodeImport {
  /** As written: `./a.js`, `fmt`, `..pkg.mod`, `std::io`. */
  readonly source: string;
  readonly line: number;
  /** What is taken; `name` is the name over there, `*` for all of it, `default` for a default export; `alias` the name here. Empty: only loaded. */
  readonly names: readonly { readonly name: string; readonly alias?: string }[];
  /** Passed on under these names (`export … from`). */
  readonly reexport?: boolean;
}

/** What one file declares. */
export interface Outline {
  /** Id of the language, as in the list of languages. */
  readonly language: string;
  /** Name for people: `TypeScript`. */
  readonly languageName: string;
  readonly symbols: readonly CodeSymbol[];
  /** 1-based line of the first syntax error; the outline holds what could still be read. */
  readonly errorLine?: number;
  /** The text was longer than the cap, or took too long: only its beginning was read, up to this line. */
  readonly cutAtLine?: number;
  /** What kind of file it is when no person wrote it. */
  readonly form?: 'generated' | 'minified';
}

/** What one file has to do with others, for ranking. */
export interface FileLinks {
  /** Identifier -> how often it stands in the file, its own declarations included. */
  readonly references: ReadonlyMap<string, number>;
  readonly imports: readonly CodeImport[];
}
