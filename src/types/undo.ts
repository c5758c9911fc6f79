/** What a session changed and can take back: the port between the undo store and the commands. */

/** One of the user's messages. `number` counts them from 1; 0: calls made outside a conversation. */
export interface TurnName {
  readonly number: number;
  /** The beginning of what the user said. */
  readonly text: string;
}

/** Which changes are meant; a field that is missing matches all. */
export interface UndoSelection {
  readonly turn?: number;
  /** This turn and all later ones. */
  readonly from?: number;
  readonly agent?: string;
  /** As the user wrote it. */
  readonly path?: string;
}

/**
 * Why a file was left alone. `changed`: not as the recorded changes left it; `later`: other changes lie on top; `missing`: the
 * bytes from before were not kept or are gone; `refused`: file tools may not write there (`detail` says why).
 */
export type KeptReason = 'changed' | 'later' | 'missing' | 'refused';

export interface UndoReport {
  /** The turns that were taken back or brought back, in that order; empty when there was nothing to do. */
  readonly turns: readonly TurnName[];
  /** Files as they are now, paths as messages show them. `same`: they had that content already. */
  readonly files: readonly {
    readonly path: string;
    readonly how: 'restored' | 'removed' | 'created' | 'same';
    /** The command while which it was changed: by it, or by someone else at that time. */
    readonly during?: string;
  }[];
  readonly kept: readonly { readonly path: string; readonly why: KeptReason; readonly detail?: string }[];
  /** Commands of these turns whose effects on files are not known, so not taken back. */
  readonly uncovered: readonly string[];
  /** How many old turns were forgotten because the store was full. */
  readonly dropped: number;
  /** Why the transaction failed as a whole; nothing was changed by it. */
  readonly fault?: string;
}

/** One turn of the session and what it changed. */
export interface UndoableTurn extends TurnName {
  readonly time: number;
  readonly files: readonly { readonly path: string; readonly agent: string; readonly tool: string; readonly applied: boolean }[];
  readonly uncovered: readonly string[];
}

/** One file of a comparison; `diff` is a unified diff, empty for a summary. */
export interface FileDiff {
  readonly path: string;
  readonly kind: 'text' | 'binary' | 'large' | 'missing' | 'mode';
  readonly diff: string;
  readonly sizes: readonly [before: number | null, now: number | null];
  readonly modes?: readonly [before: number, now: number];
  /** The file is not as the recorded changes left it: someone else's changes are in the comparison. */
  readonly alsoOthers: boolean;
}

export interface DiffReport {
  /** The turn compared; undefined: the whole session. */
  readonly turn?: TurnName;
  readonly files: readonly FileDiff[];
  /** Turns whose old bytes were dropped because the store was full: the comparison begins after them. */
  readonly dropped: number;
  readonly uncovered: readonly string[];
}

/** Takes back and compares. Never throws for the state of files or of the store. */
export interface Undoing {
  /** The last turns that changed something, newest first; with `path` only that file, of the last turn that changed it. */
  undo(options?: { readonly turns?: number; readonly path?: string; readonly force?: boolean }): Promise<UndoReport>;
  /** Brings back what was taken back last. */
  redo(options?: { readonly times?: number }): Promise<UndoReport>;
  /** One transaction over everything selected, such as one worker's share of a turn, or all since a turn. */
  takeBack(selection: UndoSelection, options?: { readonly force?: boolean }): Promise<UndoReport>;
  /** What the selection holds, oldest turn first. */
  undoable(selection?: UndoSelection): readonly UndoableTurn[];
  diff(options?: { readonly turn?: number | 'last'; readonly path?: string }): Promise<DiffReport>;
  /** Why nothing can be recorded in this session; undefined while it can. */
  fault(): string | undefined;
}
