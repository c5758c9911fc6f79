/** What snapshots of a workspace folder offer to the rest of the program. */

/** One path that differs between two trees. */
export interface TreeChange {
  /** Relative to the folder, with `/`; bytes that are not UTF-8 are shown as U+FFFD. */
  readonly path: string;
  /** The same path as the system names it. */
  readonly raw: Buffer;
  /** Id of the bytes before and after; a symbolic link's bytes are its target. */
  readonly before: 'absent' | string;
  readonly after: 'absent' | string;
  /** `0o100644`, `0o100755` (executable) or `0o120000` (symbolic link); 0 when absent. */
  readonly beforeMode: number;
  readonly afterMode: number;
}

/** What a state does not hold although it was there. */
export interface Unrecorded {
  /** Was this path, or a folder above it, left out: by ignore rules, for its size, unreadable, in a repository of its own? */
  has(path: Buffer): boolean;
  /** What was left out for another reason than the rules; relative paths as latin-1 texts. */
  readonly left: ReadonlySet<string>;
}

/** States of one folder, recorded without a snapshot of their own. Kept for the session and some days more. */
export interface TreeStore {
  /** Real path of the folder. */
  readonly root: string;
  /**
   * Records the folder as it is now and gives the id of that state; equal states have equal ids. Undefined when the folder is not
   * covered (home, no git, switched off), was not recorded in time, or the recording failed; after a failure it is not tried again
   * for as long as an automatic snapshot would not be. Never throws.
   */
  tree(signal?: AbortSignal): Promise<string | undefined>;
  /** For an id that `tree` has just given: what was there without being recorded. Undefined when that is no longer known. */
  unrecorded(id: string): Unrecorded | undefined;
  /** What differs between two ids `tree` gave. Throws ToolFault when one is no longer known. */
  changesBetween(before: string, after: string, signal?: AbortSignal): Promise<readonly TreeChange[]>;
  /**
   * Hands over the bytes of ids that `changesBetween` gave, one after the other in their order, all from one process. Throws
   * ToolFault when one is no longer known; those before it were handed over.
   */
  contents(
    ids: readonly string[],
    work: (bytes: Buffer, index: number) => Promise<void> | void,
    signal?: AbortSignal,
  ): Promise<void>;
}
