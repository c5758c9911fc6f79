/** What a rename by parser knows of a file: the places of the old and the new name, and what each is. Plain data. */

/** `type`, `function`, `variable` and `member` (field, property, method), as a call names them. */
export type NameKind = 'type' | 'function' | 'variable' | 'member';

/**
 * How a name stands at a place. `plain`: by itself; `member`: behind a dot, or as a key; `argument`: before the value of an argument;
 * `symbol`: a Ruby symbol that names a method; `field`: `@name` of Ruby; `module`: a part of a path of modules; `label`: of a loop.
 */
export type NameRole = 'plain' | 'member' | 'argument' | 'symbol' | 'field' | 'module' | 'label';

export interface NamePlace {
  /** Offsets in the text without its byte order mark. */
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly isNew: boolean;
  readonly role: NameRole;
  /** With a sign before it: a variable of PHP or of a shell, apart from functions of the same name. */
  readonly signed: boolean;
  /** A name in a short form that is two names: `{ name }`. */
  readonly short: boolean;
  /** `call`: something is called by it. */
  readonly called: boolean;
  /** What is declared here: something of its own, or what an import brings. */
  readonly declares?: 'own' | 'import' | 'key';
  readonly kind?: NameKind;
  /** A declaration with its body, where there are others without. */
  readonly body: boolean;
  readonly parameter: boolean;
  /** Offsets of the functions and blocks around it that have names of their own, outermost first; of a declaration: where it holds. */
  readonly scopes: readonly number[];
  /** The type whose member is declared, or the function whose parameter. */
  readonly container: string;
  /** What stands before the dot: `a.b` of `a.b.name`; or the function called, of an argument. */
  readonly before: string;
  /** It stands behind `::`. */
  readonly path: boolean;
  /** Of an import or a passing on: from where. */
  readonly source?: string;
}

export interface NamesRead {
  readonly places: readonly NamePlace[];
  /** Line of the first fault of the syntax. */
  readonly faultLine?: number;
  readonly form?: 'generated' | 'minified';
  /** Lines where the old name stands in a string, a comment or another text that is no code. */
  readonly mentions: readonly number[];
  readonly imports: readonly { readonly source: string; readonly names: readonly (readonly [string, string])[] }[];
}

/** A file that was read for a rename. `path` with `/`, relative to the workspace. */
export interface NamedFile {
  readonly path: string;
  readonly language: string;
  readonly read: NamesRead;
}
