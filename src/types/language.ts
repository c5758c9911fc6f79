/** What language servers know about code, and the one port through which tools ask them. */

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** Lines and columns count from 1; columns in UTF-16 units, as editors do. */
export interface CodePosition {
  readonly line: number;
  readonly column: number;
}

/** A stretch of text. `path` is a real path, or what the server gave when it is no file. `end` is the first place behind it. */
export interface CodePlace {
  readonly path: string;
  readonly isFile: boolean;
  readonly start: CodePosition;
  readonly end: CodePosition;
}

/** One thing a server finds wrong. Text from outside: already one line, without control characters, and short. */
export interface Finding {
  /** Real path. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  readonly message: string;
  readonly source: string;
}

/** `depth` counts from 0 in a document and is 0 in a list over the workspace. */
export interface CodeSymbol {
  readonly name: string;
  readonly kind: string;
  readonly container: string;
  readonly depth: number;
  readonly place: CodePlace;
}

/** A file as a change found it and left it; undefined: it is not there, or is no text. Real path. */
export interface TouchedFile {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What an edit brought to one file: its new findings, and how many it had before. */
export interface FileFindings {
  readonly path: string;
  readonly fresh: readonly Finding[];
  readonly older: number;
  /** True: the file was not edited itself. */
  readonly other: boolean;
}

export interface CheckReport {
  readonly files: readonly FileFindings[];
  /** Files that were not looked at: too many. */
  readonly unchecked: readonly string[];
  /** English sentences for the model, each said once in a session. */
  readonly notes: readonly string[];
}

/** The text of one file after a server's edit. Real path. */
export interface EditedText {
  readonly path: string;
  readonly edits: readonly { readonly start: CodePosition; readonly end: CodePosition; readonly text: string }[];
}

/** A file a server has open. All questions throw ToolFault: `Timeout`, `Aborted`, `Failed`. */
export interface LanguageFile {
  /** Name of the server, for messages. */
  readonly server: string;
  definition(at: CodePosition): Promise<readonly CodePlace[]>;
  references(at: CodePosition): Promise<readonly CodePlace[]>;
  /** Undefined: the server has nothing to say there. */
  hover(at: CodePosition): Promise<string | undefined>;
  symbols(): Promise<readonly CodeSymbol[]>;
  workspaceSymbols(query: string): Promise<readonly CodeSymbol[]>;
  findings(): Promise<readonly Finding[]>;
  /** What a new name changes, without changing it. Throws ToolFault for edits that create, move or remove files. */
  rename(at: CodePosition, name: string): Promise<readonly EditedText[]>;
}

export interface CheckOptions {
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

/** All language servers of one run, shared by its agents. */
export interface LanguageServers {
  /** Starts the servers of files that are about to change. Returns at once and never throws. */
  warm(paths: readonly string[]): void;
  /** What a change brought. Never throws, never takes longer than its budget; what comes later is given by `late`. */
  check(files: readonly TouchedFile[], options: CheckOptions): Promise<CheckReport>;
  /** What has come since a check ended without it, each once. `except`: files a check will speak of at once. */
  late(except?: readonly string[]): CheckReport;
  /** Something else changed files, nobody knows which. */
  unsettled(): void;
  /** Opens a file. Throws ToolFault `NotFound` that says how to get a server when there is none. */
  open(path: string, text: string, options: { readonly signal: AbortSignal }): Promise<LanguageFile>;
  /** Real path of some file of a language that has a server here, for questions about the whole workspace. */
  anyFile(): Promise<string | undefined>;
  /** Ends all servers. Never throws. */
  close(): Promise<void>;
}
