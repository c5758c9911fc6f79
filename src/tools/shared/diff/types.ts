/** The one change list that every dialect of `diff` is read into. */

export interface DiffLine {
  readonly kind: ' ' | '-' | '+';
  /** Without its line break. */
  readonly text: string;
  /** A carriage return stood before the line break. */
  readonly cr: boolean;
  /** `\ No newline at end of file` follows. */
  readonly noEol: boolean;
}

export interface Hunk {
  /** 1-based line of the diff it begins at, for messages. */
  readonly at: number;
  readonly lines: readonly DiffLine[];
  /** First line in the old file as the header states it. */
  readonly oldStart?: number;
  /** The header says that it has no old lines. */
  readonly noOldLines?: boolean;
  /** The header's counts are those of the lines. */
  readonly counted?: boolean;
  /** Lines that stand somewhere before the hunk, outermost first. */
  readonly anchors: readonly string[];
  /** The old lines are the last of the file. */
  readonly atEnd?: boolean;
}

/** Where a path in a diff may lie: spellings of one file, the likeliest first. */
export interface Names {
  readonly list: readonly string[];
  /** The two sides name different files and nothing says that one was renamed. */
  readonly differ?: boolean;
}

export interface FilePatch {
  /** 1-based line of the diff. */
  readonly at: number;
  readonly kind: 'change' | 'create' | 'delete' | 'rename' | 'copy';
  /** The file as it was; undefined for a creation, and for hunks without any file header. */
  readonly from?: Names;
  /** The file as it will be, for a creation, a rename and a copy. */
  readonly to?: Names;
  readonly hunks: readonly Hunk[];
  /** The executable bit afterwards. */
  readonly executable?: boolean;
  /** Hash of the old content in git's `index` line, perhaps shortened: for the file it fits, line numbers are exact. */
  readonly blob?: string;
  /** Hash of the new content there, perhaps shortened. */
  readonly becomes?: string;
  /** A SEARCH/REPLACE block: of several exact places the first is taken. */
  readonly block?: boolean;
  /** A deletion that names the file and shows no content. */
  readonly unseen?: boolean;
}

export interface ParsedDiff {
  readonly patches: readonly FilePatch[];
  /** False: carriage returns came with the transport and say nothing about the files. */
  readonly endingsKnown: boolean;
  /** The diff is not UTF-8: its text stands byte for byte (Latin-1). */
  readonly raw: boolean;
}
