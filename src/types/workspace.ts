/** The port to files: every path a tool touches passes here, and is checked where it is opened. */

/**
 * Where a real path lies. `git`: inside a `.git`; `own`: our own policy, configuration or keys;
 * `scratch`: spill files of this session (readable, never writable).
 */
export type Zone = 'inside' | 'scratch' | 'git' | 'outside' | 'system' | 'personal' | 'own';

export interface Located {
  /** As the caller wrote it. */
  readonly given: string;
  /** Absolute, expanded (`~`, `$VAR`), symlinks resolved; for what does not exist, through its deepest existing ancestor. */
  readonly real: string;
  /** For messages: relative to the workspace when inside it, otherwise absolute. */
  readonly shown: string;
  readonly zone: Zone;
}

/** Identity of bytes at one moment. `sha256` is hex. */
export interface FileState {
  readonly mtimeMs: number;
  readonly size: number;
  readonly sha256: string;
}

/**
 * One quick pass over many files that only reads: what is the same for all of them (which folders are repositories, what dead
 * processes left) is looked at once for all reads that are given the same object. Make a new one for each call of a tool.
 */
export interface ReadPass {
  readonly kind: 'pass';
}

export interface Workspace {
  /** Real path of the folder calls start in. */
  readonly root: string;
  /** All folders file tools may work in, root first. */
  readonly roots: readonly string[];
  /** Expands and resolves a path and says where it lies. Never throws for a strange path: ToolFault `InvalidArgs` (NUL, empty) only. */
  locate(path: string): Located;
  /** Bytes of a regular file (at most `maxBytes`, default 256 MiB). Opens without following a last-moment link and checks again. Throws ToolFault. */
  readFile(
    path: string,
    options?: { readonly maxBytes?: number; readonly pass?: ReadPass },
  ): Promise<{
    readonly located: Located;
    readonly bytes: Buffer;
    readonly state: FileState;
    /** Permission bits. */
    readonly mode: number;
    /** The same for two paths that are names of one file (hard links), and only then. */
    readonly identity: string;
  }>;
  /** Opens a regular file for reading in pieces. The caller closes the handle. Throws ToolFault. */
  openFile(
    path: string,
  ): Promise<{ readonly located: Located; readonly handle: import('node:fs/promises').FileHandle; readonly size: number }>;
  /** A directory that may be listed or worked in. Throws ToolFault. */
  directory(path: string): Promise<Located>;
  /**
   * Writes a whole file: backup (`.bak`) of what was there, temporary file in the same folder, fsync, rename.
   * Keeps mode, symlink and hard links; makes parent folders. Nothing half-done stays behind. Throws ToolFault.
   * `expect` refuses with `Stale` when the bytes on disk are no longer those.
   */
  writeFile(
    path: string,
    bytes: Uint8Array,
    options?: { readonly backup?: boolean; readonly expect?: FileState | 'absent' },
  ): Promise<WriteOutcome>;
  /**
   * Changes several files as one transaction: all as asked, or all as they were, also after a kill at any instant.
   * Backups, modes, links and folders as with `writeFile`. Two targets must not be the same file. Throws ToolFault; then nothing
   * was changed.
   */
  changeFiles(targets: readonly FileTarget[]): Promise<readonly WriteOutcome[]>;
  /** Puts the backup of a file back. Throws ToolFault `NotFound` when there is none. */
  rollback(
    path: string,
    /** `about` hears what the file will hold, just before it is written. */
    options?: { about?(after: Pick<FileState, 'sha256' | 'size'>): void },
  ): Promise<WriteOutcome>;
  /**
   * Removes the backups below a folder that were made here and are still as they were made, `accepts` willing (it gets the path
   * of the `.bak` as messages show it). What is not ours stays. `dryRun` only tells. Throws ToolFault for the folder.
   */
  cleanBackups(
    dir: string,
    options: { readonly dryRun: boolean; readonly accepts: (shown: string) => boolean },
  ): Promise<CleanedBackups>;
  /** Remembers that this session saw these bytes. */
  noteRead(real: string, state: FileState, shown?: { readonly from: number; readonly to: number; readonly total: number }): void;
  /** What this session last saw or wrote, or undefined. */
  lastSeen(real: string): FileState | undefined;
  /**
   * The state whose content this session knows: older than `lastSeen` where someone else's change was patched over or read in part.
   * A whole file must be written on top of this one only.
   */
  lastKnown(real: string): FileState | undefined;
}

/** One file as a transaction leaves it. */
export interface FileTarget {
  readonly path: string;
  /** The bytes afterwards; null removes the file (its backup stays). */
  readonly bytes: Uint8Array | null;
  /** What must be on disk before: the state that was read, or `absent`. Otherwise the transaction is refused with `Stale`. */
  readonly expect: FileState | 'absent';
  /** Permission bits afterwards; without it an existing file keeps its own, and a new one follows the umask. */
  readonly mode?: number;
}

/** What `cleanBackups` did; all paths as messages show them. */
export interface CleanedBackups {
  /** Backups beside their files. */
  readonly removed: readonly string[];
  /** Files whose backup lay in our own store. */
  readonly stored: readonly string[];
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

export interface WriteOutcome {
  readonly located: Located;
  readonly created: boolean;
  /** Sentences for the model: where a backup went when not beside the file, and the like. */
  readonly notes: readonly string[];
}
