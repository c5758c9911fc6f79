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
  /** How many turns were dropped. */
  readonly dropped: number;
  readonly empty: boolean;
}

/** Id of one file's part in a change. */
export function stepId(line: { readonly id: string }, index: number): string {
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
        steps.set(id, { id, edit: line, turn, file: withLeft(file, line.id, facts.left), applied: true, kept: false });
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
    dropped: facts.dropped.size,
    empty: all.length === 0 && uncovered.size === 0,
  };
}

interface Facts {
  readonly voided: ReadonlySet<string>;
  readonly done: ReadonlySet<string>;
  readonly dropped: ReadonlySet<string>;
  readonly left: ReadonlyMap<string, FileStep['after']>;
}

function firstPass(lines: readonly UndoLine[]): Facts {
  const voided = new Set<string>();
  const done = new Set<string>();
  const dropped = new Set<string>();
  const left = new Map<string, FileStep['after']>();
  for (const line of lines) {
    if (line.type === 'void') voided.add(line.id);
    else if (line.type === 'done') done.add(line.id);
    else if (line.type === 'left') left.set(`${line.id}\0${line.path}`, line.after);
    else if (line.type === 'dropped') for (const turn of line.turns) dropped.add(turn);
  }
  return { voided, done, dropped, left };
}

function withLeft(file: FileStep, id: string, left: Facts['left']): FileStep {
  if (file.after !== 'unknown') return file;
  const after = left.get(`${id}\0${file.path}`);
  return after === undefined ? file : { ...file, after };
}
