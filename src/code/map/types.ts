/** What a map is made of: files as they stand on disk, and what their text says. Plain data. */

/** Identity of a file on disk as one look saw it; times in milliseconds. */
export interface DiskState {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** When the look was taken, by the clock of this machine. */
  readonly seenAt: number;
}

/** A file that may be source code. */
export interface FoundFile {
  /** Relative to the workspace, with `/`; absolute outside of it. Names it everywhere. */
  readonly path: string;
  readonly disk: DiskState;
}

/** What became of a file. Only `ok` is shown. */
export type FileStatus = 'ok' | 'generated' | 'minified' | 'binary' | 'slow' | 'other';
export const STATUSES: readonly FileStatus[] = ['ok', 'generated', 'minified', 'binary', 'slow', 'other'];

/** What one text gives to a map. Plain data: it goes between threads. */
export interface Extracted {
  readonly status: FileStatus;
  /** Id of the language; empty when there is none. */
  readonly language: string;
  /** All declarations, those that are not among the lines too. */
  readonly declarations: number;
  /** Lines of the outline, fields left out, at most `MOST_LINES`. */
  readonly lines: readonly string[];
  /** Names other files can mean. */
  readonly defines: readonly string[];
  readonly imports: readonly { readonly source: string; readonly names: readonly (readonly [name: string, alias: string])[] }[];
  /** Identifiers and how often each stands in the text. */
  readonly references: readonly string[];
  readonly counts: readonly number[];
}

/** A text to be read. */
export interface TextJob {
  readonly path: string;
  readonly text: string;
}

/** Files passed over, by reason. */
export interface Skipped {
  large: number;
  generated: number;
  minified: number;
  binary: number;
  slow: number;
  unreadable: number;
}

/** What a map cost: for tests and benchmarks. */
export interface MapCounts {
  /** Files looked at. */
  readonly files: number;
  /** Texts parsed anew. */
  readonly parsed: number;
  /** Files whose bytes were read. */
  readonly read: number;
  /** Threads that took part. */
  readonly workers: number;
}
