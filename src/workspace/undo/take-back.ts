/** Undo and redo: what a selection of changes becomes on disk, as one transaction that is recorded itself. */
import type { UndoReport } from '../../types/undo.js';
import type { FileTarget } from '../../types/workspace.js';
import { errnoOf } from '../faults.js';
import type { Step, UndoState } from './fold.js';
import type { Before, FileStep, TakenLine } from './lines.js';
import { type Found, lookAtPath, type UndoWorkspace } from './look.js';
import { missingFolders } from './recording.js';
import type { UndoStore } from './store.js';
import { removeBackup, removeEmptyFolders } from './tidy.js';
import { type Present, same, walkBack } from './walk.js';

/** How often files that change while they are looked at are looked at anew. */
const MOST_TRIES = 3;

export interface UndoPlace {
  readonly store: UndoStore;
  readonly workspace: UndoWorkspace;
}

/** `during`: the command that ran while the file was changed, where nothing more is known of who changed it. */
export type Told = UndoReport['files'][number] & { readonly during?: string };

/** `did`: something changed its standing, if only in that the next undo passes over what was kept. */
export interface Part {
  readonly files: readonly Told[];
  readonly kept: UndoReport['kept'];
  readonly fault?: string;
  readonly did: boolean;
}

type Kept = UndoReport['kept'][number];

/** One file of the transaction to be. */
interface Move {
  readonly path: string;
  readonly found: Exclude<Found, { kind: 'odd' }>;
  readonly to: Before | null | 'present';
  readonly mode?: number | undefined;
  /** Steps that change their standing with it. */
  readonly steps: readonly string[];
  /** Folders the steps had made. */
  readonly made: readonly string[];
  /** Its backup was made by these steps as well. */
  readonly ownBackup: boolean;
  readonly during?: string;
}

interface Plan {
  readonly moves: readonly Move[];
  readonly kept: readonly Kept[];
  /** Steps of the kept files. */
  readonly keptSteps: readonly string[];
  /** Steps that change their standing though no file does. */
  readonly rest: readonly string[];
}

/** Takes the wanted steps back as far as that is possible. Never throws. */
export function takeBackSteps(
  place: UndoPlace,
  state: UndoState,
  wanted: readonly Step[],
  options: { readonly force: boolean },
): Promise<Part> {
  const newest = wanted.at(-1)?.turn.id ?? '';
  const plan = () => planBack(place, state, wanted, options.force);
  return carryOut(place, plan, { turn: newest, kind: 'undo' });
}

/** Brings back what an undo took. Files that changed since are kept as they are. Never throws. */
export function bringBack(place: UndoPlace, state: UndoState, undo: TakenLine): Promise<Part> {
  return carryOut(place, () => planForward(place, state, undo), { turn: undo.turn, kind: 'redo', of: undo.id });
}

/** Finds out whether undos that a killed process had under way were made, and notes it. */
export async function settleOpen(place: UndoPlace): Promise<void> {
  const { store, workspace } = place;
  const state = store.state();
  for (const line of state.open) {
    let made = true;
    for (const { path, after } of line.files) {
      const found = await lookAtPath(workspace, path, { largest: store.largest, open: true });
      made &&= found.kind !== 'odd' && same(after, presentOf(found));
    }
    // It died before it had tidied up, or while it did.
    if (made) await tidy(workspace, await tracesOf(place, state, line));
    store.settle(line, made);
  }
}

/** What an undo leaves to be tidied, from the steps it took back: also files that were gone before it came. */
async function tracesOf({ store, workspace }: UndoPlace, state: UndoState, { kind, steps }: TakenLine): Promise<Trace[]> {
  if (kind !== 'undo') return [];
  const ids = new Set(steps);
  const byPath = new Map<string, FileStep[]>();
  for (const { id, file } of state.steps) if (ids.has(id)) byPath.set(file.path, [...(byPath.get(file.path) ?? []), file]);
  const traces: Trace[] = [];
  for (const [path, files] of byPath) {
    if (files[0]?.before !== null) continue;
    const found = await lookAtPath(workspace, path, { largest: store.largest, open: true });
    if (found.kind !== 'absent') continue;
    traces.push({ path, made: files.flatMap((file) => file.made ?? []), ownBackup: files[0].bak !== true });
  }
  return traces;
}

async function planBack(place: UndoPlace, state: UndoState, wanted: readonly Step[], force: boolean): Promise<Plan> {
  const ids = new Set(wanted.map((step) => step.id));
  const moves: Move[] = [];
  const kept: Kept[] = [];
  const keptSteps: string[] = [];
  for (const [path, { found, applied }] of await byFile(place, state, wanted)) {
    if (found.kind === 'odd') {
      kept.push({ path, why: found.why, detail: found.detail });
      keptSteps.push(...applied.filter((step) => ids.has(step.id)).map((step) => step.id));
      continue;
    }
    const { taken, left, why, target: to, mode } = walkBack(applied, ids, presentOf(found), force);
    if (why) kept.push({ path, why });
    keptSteps.push(...left.map((step) => step.id));
    if (taken.length === 0) continue;
    // Also where it is gone already: by an undo that died before it had tidied up.
    const gone = to === null || (to === 'present' && found.kind === 'absent');
    const made = gone ? taken.flatMap((step) => step.file.made ?? []) : [];
    const ownBackup = gone && taken.at(-1)?.file.bak !== true;
    const during = taken.find((step) => step.during !== undefined)?.during;
    const steps = taken.map((step) => step.id);
    moves.push({ path, found, to, mode, steps, made, ownBackup, ...(during === undefined ? {} : { during }) });
  }
  return { moves, kept, keptSteps, rest: [] };
}

/** The wanted steps' files with all their applied steps; names of one file (hard links) count as one. */
async function byFile({ store, workspace }: UndoPlace, state: UndoState, wanted: readonly Step[]) {
  const files = new Map<string, { found: Found; applied: Step[] }>();
  const names = new Map<string, string>();
  const pathOf = new Map<string, string>();
  for (const { file } of wanted) {
    if (pathOf.has(file.path)) continue;
    const found = await lookAtPath(workspace, file.path, { largest: store.largest, open: true });
    const identity = found.kind === 'file' ? found.identity : file.path;
    const path = names.get(identity) ?? file.path;
    names.set(identity, path);
    pathOf.set(file.path, path);
    if (path === file.path) files.set(path, { found, applied: [] });
  }
  for (const step of state.steps) {
    const path = pathOf.get(step.file.path);
    if (step.applied && path !== undefined) files.get(path)?.applied.push(step);
  }
  return files;
}

async function planForward({ store, workspace }: UndoPlace, state: UndoState, undo: TakenLine): Promise<Plan> {
  const moves: Move[] = [];
  const kept: Kept[] = [];
  const undone = state.steps.filter((step) => undo.steps.includes(step.id));
  for (const { path, before, after, made = [] } of undo.files) {
    const found = await lookAtPath(workspace, path, { largest: store.largest, open: true });
    const steps = undone.filter((step) => step.file.path === path).map((step) => step.id);
    const move = { path, steps, made: before === null ? made : [], ownBackup: false };
    if (found.kind === 'odd') {
      kept.push({ path, why: found.why, detail: found.detail });
      continue;
    }
    const mode = modeForward({ before, after }, found);
    if (same(before, presentOf(found)) && mode === undefined) moves.push({ ...move, found, to: 'present' });
    else if (!same(after, presentOf(found))) kept.push({ path, why: 'changed' });
    else moves.push({ ...move, found, to: before, mode });
  }
  const paths = new Set(undo.files.map((file) => file.path));
  const rest = undone.filter((step) => !paths.has(step.file.path)).map((step) => step.id);
  return { moves, kept, keptSteps: [], rest: moves.length > 0 || kept.length === 0 ? rest : [] };
}

/** Permission bits go forward where the undo set them, or took the file away. */
function modeForward({ before, after }: Pick<FileStep, 'before' | 'after'>, found: Move['found']): number | undefined {
  if (before === null) return undefined;
  if (found.kind === 'absent') return before.mode;
  const set = after?.mode;
  return set === found.mode && set !== before.mode ? before.mode : undefined;
}

async function carryOut(
  place: UndoPlace,
  plan: () => Promise<Plan>,
  head: Pick<TakenLine, 'turn' | 'kind' | 'of'>,
): Promise<Part> {
  for (let tries = 1; ; tries++) {
    const ready = await keepPresent(place, await plan());
    const { kept, moves, rest } = ready;
    if (moves.length === 0 && rest.length === 0) return { files: [], kept, did: noteKept(place, ready, head) };
    const result = await commit(place, ready, head);
    if (result === 'done') return { files: moves.map(told), kept, did: true };
    if (result.again && tries < MOST_TRIES) continue;
    return { files: [], kept, did: false, fault: result.fault };
  }
}

/** Nothing could be taken back: the next undo goes on with what lies before. */
function noteKept({ store }: UndoPlace, { keptSteps }: Plan, head: Pick<TakenLine, 'turn' | 'kind' | 'of'>): boolean {
  if (head.kind !== 'undo' || keptSteps.length === 0) return false;
  try {
    store.take({ ...head, steps: [], kept: keptSteps, files: [] }).done();
    return true;
  } catch {
    return false;
  }
}

interface Ready extends Plan {
  readonly files: readonly FileStep[];
  readonly targets: readonly FileTarget[];
}

/** The bytes that are about to go are kept first; what cannot be kept is left alone. */
async function keepPresent({ store }: UndoPlace, plan: Plan): Promise<Ready> {
  const files: FileStep[] = [];
  const targets: FileTarget[] = [];
  const moves: Move[] = [];
  const kept: Kept[] = [...plan.kept];
  const keptSteps: string[] = [...plan.keptSteps];
  for (const move of plan.moves) {
    const { path, found, to, mode } = move;
    if (to === 'present') {
      moves.push(move);
      continue;
    }
    const bytes = to === null ? null : store.bytes(to);
    const before =
      found.kind === 'absent' ? null : await store.keep(found.bytes, { mode: found.mode, sha256: found.state.sha256 });
    if (bytes === undefined || before?.kept === false) {
      kept.push({ path, why: 'missing' });
      keptSteps.push(...move.steps);
      continue;
    }
    const after = to === null ? null : { sha256: to.sha256, size: to.size, ...(mode === undefined ? {} : { mode }) };
    const made = before === null ? missingFolders(path) : [];
    files.push({ path, before, after, ...(made.length > 0 ? { made } : {}) });
    const expect = found.kind === 'absent' ? 'absent' : found.state;
    targets.push({ path, bytes, expect, ...(mode === undefined ? {} : { mode }) });
    moves.push(move);
  }
  return { moves, kept, keptSteps, rest: plan.rest, files, targets };
}

async function commit(
  { store, workspace }: UndoPlace,
  { files, targets, moves, keptSteps, rest }: Ready,
  head: Pick<TakenLine, 'turn' | 'kind' | 'of'>,
): Promise<'done' | { readonly fault: string; readonly again: boolean }> {
  let taken: ReturnType<UndoStore['take']>;
  try {
    const steps = [...moves.flatMap((move) => move.steps), ...rest];
    taken = store.take({ ...head, steps, kept: keptSteps, files });
  } catch (error) {
    return { fault: textOf(error), again: false };
  }
  try {
    if (targets.length > 0) await workspace.changeFiles(targets);
  } catch (error) {
    taken.void();
    const code = errnoOf(error) ?? (error as { code?: unknown }).code;
    return { fault: textOf(error), again: code === 'Stale' || code === 'EEXIST' };
  }
  // Only then is it done: a process that dies here is followed by one that tidies.
  await tidy(workspace, moves);
  taken.done();
  return 'done';
}

type Trace = Pick<Move, 'path' | 'made' | 'ownBackup'>;

async function tidy(workspace: UndoPlace['workspace'], moves: readonly Trace[]): Promise<void> {
  for (const move of moves) if (move.ownBackup) await removeBackup(workspace, move.path);
  removeEmptyFolders(
    workspace,
    moves.flatMap((move) => move.made),
  );
}

function told({ path, found, to, during }: Move): Told {
  const of = during === undefined ? {} : { during };
  if (to === 'present') return { path, how: 'same', ...of };
  return { path, how: to === null ? 'removed' : found.kind === 'absent' ? 'created' : 'restored', ...of };
}

function presentOf(found: Exclude<Found, { kind: 'odd' }>): Present {
  return found.kind === 'absent' ? null : { sha256: found.state.sha256, size: found.bytes.length, mode: found.mode };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
