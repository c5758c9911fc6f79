/** What `/undo`, `/redo` and rewind ask of a session's store, over the workspace of that session. */
import type { TurnName, UndoableTurn, Undoing, UndoReport, UndoSelection } from '../../types/undo.js';
import { diffChanges } from './diff.js';
import type { Step, UndoState } from './fold.js';
import type { TurnLine } from './lines.js';
import { bringBack, type Part, settleOpen, type Told, takeBackSteps, type UndoPlace } from './take-back.js';

/** Nothing is read from disk before something is asked. */
export function createUndoing(place: UndoPlace): Undoing {
  return {
    undo: (options = {}) => undoTurns(place, options),
    redo: ({ times = 1 } = {}) => redo(place, times),
    takeBack: (selection, { force = false } = {}) => takeBack(place, selection, force),
    undoable: (selection = {}) => undoable(place, selection),
    diff: (options = {}) => diff(place, options),
    fault: () => place.store.fault(),
  };
}

async function undoTurns(
  place: UndoPlace,
  { turns = 1, path, force = false }: NonNullable<Parameters<Undoing['undo']>[0]>,
): Promise<UndoReport> {
  await settleOpen(place);
  const report = collect(place);
  for (let count = 0; count < turns; count++) {
    const state = place.store.state();
    const open = chosen(place, state, path === undefined ? {} : { path }).filter(
      (step) => step.applied && (force || path !== undefined || !step.kept),
    );
    const last = open.at(-1)?.turn;
    report.see(state, last);
    if (!last) break;
    const wanted = open.filter((step) => step.turn.id === last.id);
    const part = await takeBackSteps(place, state, wanted, { force });
    report.add(part, [last]);
    // What is asked for by name or by force is not passed over.
    if (!part.did || (part.files.length === 0 && (force || path !== undefined))) break;
  }
  return report.done();
}

async function redo(place: UndoPlace, times: number): Promise<UndoReport> {
  await settleOpen(place);
  const report = collect(place);
  for (let count = 0; count < times; count++) {
    const state = place.store.state();
    const undo = state.redo.at(-1);
    if (!undo) break;
    const turns = turnsOf(state, undo.steps);
    for (const turn of turns) report.see(state, turn);
    const part = await bringBack(place, state, undo);
    report.add(part, turns);
    if (!part.did) break;
  }
  return report.done();
}

async function takeBack(place: UndoPlace, selection: UndoSelection, force: boolean): Promise<UndoReport> {
  await settleOpen(place);
  const report = collect(place);
  const state = place.store.state();
  const wanted = chosen(place, state, selection).filter((step) => step.applied);
  const turns = turnsOf(
    state,
    wanted.map((step) => step.id),
  );
  for (const turn of turns) report.see(state, turn);
  if (wanted.length > 0) report.add(await takeBackSteps(place, state, wanted, { force }), turns);
  return report.done();
}

function undoable(place: UndoPlace, selection: UndoSelection): UndoableTurn[] {
  const state = place.store.state();
  const steps = chosen(place, state, selection);
  return state.turns.flatMap((turn) => {
    const mine = steps.filter((step) => step.turn.id === turn.id);
    const uncovered = state.uncovered.get(turn.id) ?? [];
    if (mine.length === 0 && uncovered.length === 0) return [];
    const files = mine.map(({ file, edit, applied }) => {
      return { path: shown(place, file.path), agent: edit.agent, tool: edit.tool, applied };
    });
    return [{ ...nameOf(turn), time: turn.time, files, uncovered }];
  });
}

async function diff(place: UndoPlace, { turn, path }: NonNullable<Parameters<Undoing['diff']>[0]>) {
  const state = place.store.state();
  const number = turn === 'last' ? state.steps.findLast((step) => step.applied)?.turn.number : turn;
  const line = number === undefined ? undefined : state.turns.findLast((one) => one.number === number);
  const selection = { ...(number === undefined ? {} : { turn: number }), ...(path === undefined ? {} : { path }) };
  const steps = turn !== undefined && !line ? [] : chosen(place, state, selection);
  const uncovered = line ? (state.uncovered.get(line.id) ?? []) : turn === undefined ? [...state.uncovered.values()].flat() : [];
  return {
    ...(line ? { turn: nameOf(line) } : {}),
    files: await diffChanges(place, state, steps, (real) => shown(place, real)),
    dropped: state.dropped,
    uncovered,
  };
}

function chosen({ workspace }: UndoPlace, state: UndoState, { turn, from, agent, path }: UndoSelection): Step[] {
  let real = path;
  try {
    if (path !== undefined) real = workspace.locate(path).real;
  } catch {
    // A path that cannot be one matches nothing.
  }
  return state.steps.filter(
    (step) =>
      (turn === undefined || step.turn.number === turn) &&
      (from === undefined || step.turn.number >= from) &&
      (agent === undefined || step.edit.agent === agent) &&
      (real === undefined || step.file.path === real),
  );
}

function shown({ workspace }: UndoPlace, path: string): string {
  try {
    return workspace.locate(path).shown;
  } catch {
    return path;
  }
}

const nameOf = ({ number, text }: TurnLine): TurnName => ({ number, text });

/** The turns of some steps, the newest first. */
function turnsOf(state: UndoState, ids: readonly string[]): TurnLine[] {
  return [...new Set(state.steps.filter((step) => ids.includes(step.id)).map((step) => step.turn))].reverse();
}

/** Puts the parts of a report together. */
function collect(place: UndoPlace) {
  const turns: TurnName[] = [];
  const files: Told[] = [];
  const kept: UndoReport['kept'][number][] = [];
  const uncovered = new Set<string>();
  let dropped = place.store.state().dropped;
  let fault: string | undefined;
  return {
    /** Notes the commands of a turn, and of later turns that only ran such commands. */
    see(state: UndoState, turn: TurnLine | undefined) {
      dropped = state.dropped;
      const from = turn ? state.turns.indexOf(turn) : 0;
      for (const one of state.turns.slice(Math.max(from, 0))) {
        if (one !== turn && state.steps.some((step) => step.turn === one)) continue;
        for (const what of state.uncovered.get(one.id) ?? []) uncovered.add(what);
      }
    },
    add(part: Part, of: readonly TurnLine[]) {
      turns.push(...of.map(nameOf));
      for (const file of part.files) {
        const path = shown(place, file.path);
        // A file of several turns is one file, as the last step left it.
        const at = files.findIndex((one) => one.path === path);
        files.splice(at < 0 ? files.length : at, at < 0 ? 0 : 1, { ...file, path });
      }
      for (const file of part.kept) {
        const path = shown(place, file.path);
        if (!kept.some((one) => one.path === path)) kept.push({ ...file, path });
      }
      fault ??= part.fault;
    },
    done: (): UndoReport => ({
      turns,
      files,
      kept,
      uncovered: [...uncovered],
      dropped,
      ...(fault === undefined ? {} : { fault }),
    }),
  };
}
