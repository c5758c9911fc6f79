/** What an undo log says, as a pure function over its lines: turns, single steps with their standing, what can be brought back. */
import type { EditLine, FileStep, TakenLine, TurnLine, UndoLine } from './lines.js';

/** One file of one change. */
export interface Step {
  readonly id: string;
  readonly edit: EditLine;
  readonly turn: TurnLine;
  readonly file: FileStep;
  /** False: taken back. */
  readonly applied: boolean;
  /** An undo of its turn left it alone, because the file had changed since; the next undo passes it over. */
  readonly kept: boolean;
  /** The command that ran while it was changed, where that is all that is known of who did it. */
  readonly during?: string;
}

export interface UndoState {
  /** In the order in which they began. */
  readonly turns: readonly TurnLine[];
  /** In the order in which they were made; of turns not dropped. */
  readonly steps: readonly Step[];
  /** Undos that a redo reverses, the last one last. */
  readonly redo: readonly TakenLine[];
  /** Undos and redos of which nobody knows whether they were made: the process was killed meanwhile. */
  readonly open: readonly TakenLine[];
  /** Undos and redos since the last turn began. */
  readonly news: readonly TakenLine[];
  /** Turn id -> commands whose effects are not known. */
  readonly uncovered: ReadonlyMap<string, readonly string[]>;
  /** Hash -> time of the newest line that names it, also of turns dropped and changes refused. */
  readonly named: ReadonlyMap<string, number>;
  /** How many turns were dropped. */
  readonly dropped: number;
  readonly empty: boolean;
}

/** Id of one file's part in a change. */
function stepId(line: { readonly id: string }, index: number): string {
  return `${line.id}.${index}`;
}

/** Never throws; lines that contradict each other count as they stand, the later one last. */
export function foldUndo(lines: readonly UndoLine[]): UndoState {
  const facts = firstPass(lines);
  const turns = new Map<string, TurnLine>();
  const steps = new Map<string, { -readonly [key in keyof Step]: Step[key] }>();
  const uncovered = new Map<string, string[]>();
  let redo: TakenLine[] = [];
  let news: TakenLine[] = [];
  const open: TakenLine[] = [];
  const turnOf = (id: string, time: number): TurnLine => {
    const turn = turns.get(id) ?? { type: 'turn', id, number: 0, time, text: '' };
    turns.set(id, turn);
    return turn;
  };
  for (const line of lines) {
    if (line.type === 'turn' && !facts.dropped.has(line.id)) turns.set(line.id, line);
    if (line.type === 'turn') news = [];
    if (line.type === 'uncovered' && !facts.dropped.has(line.turn) && !facts.voided.has(line.id)) {
      turnOf(line.turn, 0);
      uncovered.set(line.turn, [...(uncovered.get(line.turn) ?? []), line.what]);
    }
    if ((line.type !== 'edit' && line.type !== 'taken') || facts.dropped.has(line.turn) || facts.voided.has(line.id)) continue;
    if (line.type === 'edit') {
      redo = [];
      const turn = turnOf(line.turn, line.time);
      for (const [index, file] of line.files.entries()) {
        const id = stepId(line, index);
        const during = line.during === undefined ? undefined : facts.commands.get(line.during);
        const step = { id, edit: line, turn, file, applied: true, kept: false };
        steps.set(id, during === undefined ? step : { ...step, during });
      }
      continue;
    }
    if (!facts.done.has(line.id)) {
      open.push(line);
      continue;
    }
    const back = line.kind === 'redo';
    for (const id of line.steps) {
      const step = steps.get(id);
      if (step) step.applied = back;
    }
    for (const id of line.kept) {
      const step = steps.get(id);
      if (step) step.kept = !back;
    }
    // It only says which files to pass over.
    if (line.steps.length === 0 && line.files.length === 0) continue;
    redo = back ? redo.filter((taken) => taken.id !== line.of) : [...redo, line];
    news = [...news, line];
  }
  const all = [...steps.values()];
  return {
    turns: [...turns.values()],
    steps: all,
    redo,
    open,
    news,
    uncovered,
    named: facts.named,
    dropped: facts.dropped.size,
    empty: all.length === 0 && uncovered.size === 0,
  };
}

interface Facts {
  readonly voided: ReadonlySet<string>;
  readonly done: ReadonlySet<string>;
  readonly dropped: ReadonlySet<string>;
  readonly commands: ReadonlyMap<string, string>;
  readonly named: ReadonlyMap<string, number>;
}

function firstPass(lines: readonly UndoLine[]): Facts {
  const voided = new Set<string>();
  const done = new Set<string>();
  const dropped = new Set<string>();
  const commands = new Map<string, string>();
  const named = new Map<string, number>();
  for (const line of lines) {
    if (line.type === 'void') voided.add(line.id);
    else if (line.type === 'done') done.add(line.id);
    else if (line.type === 'uncovered') commands.set(line.id, line.what);
    else if (line.type === 'edit' || line.type === 'taken') {
      for (const { before } of line.files)
        if (before?.kept) named.set(before.sha256, Math.max(line.time, named.get(before.sha256) ?? 0));
    } else if (line.type === 'dropped') for (const turn of line.turns) dropped.add(turn);
  }
  return { voided, done, dropped, commands, named };
}
