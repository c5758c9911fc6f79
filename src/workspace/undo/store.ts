/** The undo store of one session: old bytes by content, a log of what changed them, a quota that forgets the oldest turns first. */
import { join } from 'node:path';
import { randomHex } from '../../base/clock.js';
import { createKeyedLocks } from '../../base/keyed-locks.js';
import { errnoOf } from '../faults.js';
import { foldUndo, type UndoState } from './fold.js';
import { createKeeper } from './keeper.js';
import type { Before, EditLine, FileStep, TakenLine, TurnLine, UndoLine } from './lines.js';
import { createUndoLog } from './log.js';
import { createObjects } from './objects.js';

export interface UndoStoreOptions {
  /** Folder of this session's store; made with the first change. */
  readonly folder: string;
  /** Bytes of old contents kept in all (default 256 MiB). */
  readonly quota?: number;
  /** Bytes of one file beyond which its old content is not kept (default 64 MiB). */
  readonly largest?: number;
  /** Bytes the log may have (default 256 MiB); what comes after is not recorded. */
  readonly longestLog?: number;
  readonly now?: () => number;
  /** Hears once when something cannot be recorded: an errno name, `quota`, or a short sentence. */
  onFault?(reason: string): void;
  /** Hears when old turns were forgotten. */
  onDropped?(turns: number): void;
}

/** Who changes files: every change carries it. */
export interface Author {
  readonly agent: string;
  readonly tool: string;
  readonly call: string;
}

/** A change that is about to be made. */
export interface OpenChange {
  /** It was refused: no trace is left. */
  void(): void;
}

/** Paths changed through the store while it is open: what a scan finds besides them was changed by the command scanned. */
export interface Watch {
  readonly paths: ReadonlySet<string>;
  end(): void;
}

export interface UndoStore {
  /** The next changes belong to this message of the user. Gives the undos and redos since the last one. */
  beginTurn(turn: { readonly number: number; readonly text: string }): readonly TakenLine[];
  /** Largest file whose bytes are kept. */
  readonly largest: number;
  /** Keeps old bytes. What cannot be kept is `kept: false`; never throws. */
  keep(bytes: Uint8Array, facts: { readonly mode: number; readonly sha256?: string }): Promise<Before>;
  /**
   * Records a change; call it just before the change is made. `during`: it was found after a command ran, by the id `uncovered`
   * gave; whether the command made it is not certain. Never throws.
   */
  begin(author: Author, files: readonly FileStep[], during?: string): OpenChange;
  /** A command begins whose effects are not known, until `covered` is called. */
  uncovered(what: string): { readonly id: string; covered(): void };
  watch(): Watch;
  /** Runs `work` while no other recorded change of this process touches these real paths. */
  alone<T>(paths: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Records an undo or redo that is about to be made. Throws errno errors: what is not recorded must not be made. */
  take(line: Omit<TakenLine, 'type' | 'id' | 'time'>): { done(): void; void(): void };
  settle(line: TakenLine, made: boolean): void;
  state(): UndoState;
  bytes(version: Before): Buffer | undefined;
  /** Why recording does not work; undefined while it does. */
  fault(): string | undefined;
  close(): void;
}

const QUOTA = 256 * 1024 * 1024;
const LARGEST = 64 * 1024 * 1024;
/** Characters of the user's words kept with a turn. */
const LONGEST_TEXT = 80;

/** Opens a store without touching the disk: nothing is read or made before it is needed. */
export function openUndoStore(options: UndoStoreOptions): UndoStore {
  const { quota = QUOTA, largest = LARGEST, now = Date.now } = options;
  const log = createUndoLog(join(options.folder, 'log.jsonl'), options.longestLog);
  const objects = createObjects(join(options.folder, 'objects'));
  const watches = new Set<Set<string>>();
  const locks = createKeyedLocks();
  /** Until a turn begins, changes belong to one of no number that needs no line. */
  let turn: TurnLine = { type: 'turn', id: randomHex(12), number: 0, time: now(), text: '' };
  let turnWritten = true;
  let mayHaveNews = true;
  let fault: string | undefined;
  let told = false;

  const failed = (error: unknown): void => {
    fault = errnoOf(error) ?? (error instanceof Error ? error.message : String(error));
    if (told) return;
    told = true;
    options.onFault?.(fault);
  };
  const append = (...lines: readonly UndoLine[]): void => {
    if (!turnWritten) log.append(turn);
    turnWritten = true;
    for (const line of lines) log.append(line);
  };
  const tryAppend = (...lines: readonly UndoLine[]): void => {
    try {
      append(...lines);
      fault = undefined;
    } catch (error) {
      failed(error);
    }
  };
  const state = () => stateOf(log, failed);
  const keeper = createKeeper({
    objects,
    quota,
    largest,
    now,
    state: () => foldUndo(log.read()),
    present: () => turn.id,
    drop(turns) {
      append({ type: 'dropped', turns });
      options.onDropped?.(turns.length);
    },
    failed,
  });

  return {
    largest,
    beginTurn({ number, text }) {
      const news = mayHaveNews ? state().news : [];
      turn = { type: 'turn', id: randomHex(12), number, time: now(), text: firstWords(text) };
      turnWritten = false;
      mayHaveNews = false;
      // Written at once, so that the same news is not told again by another process.
      if (news.length > 0) tryAppend();
      return news;
    },
    keep: keeper.keep,
    begin({ agent, tool, call }, files, during) {
      const id = randomHex(12);
      for (const paths of watches) for (const file of files) paths.add(file.path);
      const line: EditLine = { type: 'edit', id, time: now(), turn: turn.id, agent, call, tool, files };
      tryAppend(during === undefined ? line : { ...line, during });
      keeper.release(files);
      return { void: () => tryAppend({ type: 'void', id }) };
    },
    uncovered(what) {
      const id = randomHex(12);
      tryAppend({ type: 'uncovered', id, turn: turn.id, what: firstWords(what) });
      return { id, covered: () => tryAppend({ type: 'void', id }) };
    },
    watch() {
      const paths = new Set<string>();
      watches.add(paths);
      return { paths, end: () => void watches.delete(paths) };
    },
    alone: (paths, work) => locks.run(paths, work),
    take(line) {
      const id = randomHex(12);
      try {
        append({ type: 'taken', id, time: now(), ...line });
      } finally {
        keeper.release(line.files);
      }
      mayHaveNews = true;
      return { done: () => tryAppend({ type: 'done', id }), void: () => tryAppend({ type: 'void', id }) };
    },
    settle: (line, made) => tryAppend({ type: made ? 'done' : 'void', id: line.id }),
    state,
    bytes: (version) => (version.kept ? objects.read(version.sha256, version.size) : undefined),
    fault: () => fault,
    close: () => log.close(),
  };
}

/** A log that cannot be read is no empty one: nothing can be taken back, and it is said why. */
function stateOf(log: ReturnType<typeof createUndoLog>, failed: (error: unknown) => void): UndoState {
  try {
    return foldUndo(log.read());
  } catch (error) {
    failed(error);
    return foldUndo([]);
  }
}

/** The first line, cut at a whole character. */
function firstWords(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return [...line.slice(0, 2 * LONGEST_TEXT)].slice(0, LONGEST_TEXT).join('');
}
