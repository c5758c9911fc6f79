/** A list of edits over several files, carried out on a plan in memory. */
import { ToolFault } from '../../types/tool.js';
import { applyEdit, type Edit, type EditedLines } from './edit-apply.js';
import type { EditPlan, PlannedFile } from './edit-plan.js';

/** One edit of a list; `number` counts from 1. */
export interface Numbered {
  readonly number: number;
  readonly path: string;
  readonly edit: Edit;
  /** Equal for edits that ask for the same. */
  readonly key: string;
}

/** What edits made of one file. */
export interface Outcome {
  readonly file: PlannedFile;
  edits: number;
  readonly lines: EditedLines[];
  readonly notes: string[];
}

/**
 * Runs the edits in order on the plan; equal edits in a row of one file are one step that takes as many places. Throws ToolFault
 * that names the edit; then the plan is worth nothing.
 */
export async function runEdits(edits: readonly Numbered[], plan: EditPlan): Promise<Outcome[]> {
  const opened: { readonly edit: Numbered; readonly file: PlannedFile }[] = [];
  for (const edit of edits) opened.push({ edit, file: await named(edit, () => plan.open(edit.path)) });
  const outcomes = new Map<PlannedFile, Outcome>();
  const done = new Set<Numbered>();
  for (const { edit, file } of opened) {
    if (done.has(edit)) continue;
    const outcome = outcomes.get(file) ?? { file, edits: 0, lines: [], notes: [] };
    outcomes.set(file, outcome);
    const later = opened.filter((one) => one.file === file && !done.has(one.edit)).map((one) => one.edit);
    const run = equalFirst(later);
    for (const one of run) done.add(one);
    applyRun(run, outcome);
  }
  for (const { file, notes } of outcomes.values()) {
    if (file.changedSince)
      notes.push(`${file.located.shown} had changed on disk since it was read; the exact matches were still unique`);
  }
  return [...outcomes.values()];
}

/** The edits at the front that ask for the same one place after another. */
function equalFirst(edits: readonly Numbered[]): Numbered[] {
  const [first] = edits;
  if (!first) return [];
  const alone = (one: Numbered) => one.edit.all === true || one.edit.expect !== undefined;
  if (alone(first)) return [first];
  const end = edits.findIndex((one) => one.key !== first.key || alone(one));
  return edits.slice(0, end < 0 ? edits.length : end);
}

function applyRun(run: readonly Numbered[], outcome: Outcome): void {
  const [first] = run;
  const { file } = outcome;
  if (!first) return;
  const name = file.located.shown;
  const applied = applyEdit(file.bytes, { ...first.edit, first: run.length }, name);
  const stale = file.changedSince;
  if (!applied.ok) {
    const which = applied.places === undefined ? first : (run[applied.places] ?? first);
    const hint = stale && applied.code !== 'InvalidArgs' ? ` ${name} changed on disk since it was read; read it again.` : '';
    throw faultOf(which, stale && applied.code !== 'InvalidArgs' ? 'Stale' : applied.code, applied.message + hint);
  }
  if (stale && !(applied.exact && (applied.matches === run.length || first.edit.expect !== undefined))) {
    const why = 'and search is not one exact match in it any more; read it again first.';
    throw faultOf(first, 'Stale', `${name} changed on disk since it was read, ${why}`);
  }
  file.bytes = applied.bytes;
  outcome.edits += run.length;
  outcome.lines.push(...applied.lines);
  outcome.notes.push(...applied.notes.map((note) => `edit #${first.number}: ${note}`));
}

/** A fault with the number and the file of its edit, and the promise that nothing happened. */
function faultOf({ number, path }: Numbered, code: ToolFault['code'], message: string): ToolFault {
  const [head = '', ...rest] = message.replace(/ ?Nothing was changed\./g, '').split('\n');
  const ended = /[.!?:]$/.test(head) ? head : `${head}.`;
  return new ToolFault(code, [`edit #${number} (${path.slice(0, 200)}): ${ended} Nothing was changed.`, ...rest].join('\n'));
}

async function named<T>(edit: Numbered, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolFault) throw faultOf(edit, error.code, error.message);
    throw error;
  }
}
