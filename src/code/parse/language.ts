/** What a language is to the parsers: how its files are told, which grammar reads them, and how its tree becomes symbols. */
import type { Node } from 'web-tree-sitter';
import type { CodeImport, CodeSymbol } from '../../types/code.js';

export type { Node };

/** A parsed text, alive only while the function it was given to runs. */
export interface Source {
  readonly root: Node;
  /** The text as it was given; `startIndex` and `endIndex` of nodes are offsets in it. */
  readonly text: string;
  /** Of a text with faults: roots of its parts, each parsed for itself, in which more can be read than in the whole. */
  readonly parts?: readonly SourcePart[];
}

/** A part of a text that was parsed for itself. */
export interface SourcePart {
  readonly root: Node;
  /** Of a part whose first line alone can be read: that line with an empty body. */
  readonly head?: Node;
}

/** One language: plain data and pure functions. Its functions never throw for a broken tree and never recurse into expressions. */
export interface Language {
  /** Stable and unique: `go`, `typescript`. */
  readonly id: string;
  /** For people and models: `TypeScript`. */
  readonly name: string;
  /** Key in grammars.json; several languages may share one grammar. */
  readonly grammar: string;
  /** Lower case, with the dot: `.go`, `.d.ts`. The longest that fits wins over all languages. */
  readonly extensions: readonly string[];
  /** Whole file names, compared exactly: `Rakefile`. */
  readonly filenames?: readonly string[];
  /** Interpreters of a first line `#!…`, without a version: `python`, `bash`. */
  readonly shebangs?: readonly string[];
  /**
   * The same text, offset for offset, with what the grammar is known not to read rewritten or made blank. Only the parser sees it;
   * `Source.text` stays the text that was given.
   */
  prepare?(text: string): string;
  /** Like `prepare`, for a text in which the parser found a fault. */
  mend?(text: string): string;
  /** The beginning of a line with which a declaration of the file begins, whatever stands before it; for texts with faults. */
  readonly restart?: RegExp;
  /** What ends the body of a declaration: `}`. */
  readonly closing?: string;
  /** Declarations in the order of the text. */
  symbols(source: Source): CodeSymbol[];
  /** A tree-sitter query whose captures are the identifiers that may name something of another file. */
  readonly references: string;
  imports(source: Source): CodeImport[];
}
