/** `@coder multipatch`: search-and-replace edits over several files as one transaction: all of them or none. */
import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../types/json.js';
import { type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import type { FileState } from '../../types/workspace.js';
import { againWhenStale, onlyIfSame } from '../shared/again-when-stale.js';
import { countArg, encodingArg, flagArg, guarded, invalid, textArg, wantedArg } from '../shared/args.js';
import { changeOf, diffDisplay, linesText, statText } from '../shared/change-report.js';
import { counted } from '../shared/counted.js';
import { applyEdit, type Edit, type EditedLines } from '../shared/edit-apply.js';
import { createEditPlan, type EditPlan, type PlannedFile } from '../shared/edit-plan.js';

export const multipatchTool: Tool = {
  name: '@coder multipatch',
  native: 'multipatch',
  aliases: [],
  summary: 'Edits several files as one transaction: all edits or none',
  schema: {
    type: 'object',
    properties: {
      edits: {
        type: 'array',
        minItems: 1,
        description: 'run in order; each needs file, search, replace',
        items: {
          type: 'object',
          properties: {
            file: { type: 'string' },
            search: { type: 'string' },
            replace: { type: 'string', description: 'empty deletes' },
            expect: { type: 'integer', minimum: 1, description: 'demand n matches, replace all' },
            all: { type: 'boolean' },
            encoding: { type: 'string', enum: ['text', 'base64'] },
          },
          additionalProperties: false,
        },
      },
    },
    required: ['edits'],
    additionalProperties: false,
  },
  fieldAliases: { path: 'file', filepath: 'file', replace_all: 'all', expected_replacements: 'expect' },
  positional: ['edits'],
  mainField: 'edits',
  example: {
    edits: [
      { file: 'a.go', search: 'old', replace: 'new' },
      { file: 'b.go', search: 'foo', replace: 'bar' },
    ],
  },
  inFull: true,
  limit: 30_000,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const files = [...new Set(rawEdits(args).flatMap((edit) => textOrNone(edit['file'])))];
    const more = files.length > 1 ? ` +${files.length - 1}` : '';
    return {
      readOnly: false,
      reads: [],
      writes: files,
      order: files.length === 0 ? 'alone' : 'overlap',
      label: { verb: 'patch', object: `${files[0] ?? '?'}${more}` },
      edits: true,
    };
  },
  run: (args, context) =>
    guarded(() => {
      const edits = editsOf(args);
      const firstSeen = new Map<string, FileState>();
      return againWhenStale(() => multipatch(edits, firstSeen, context));
    }),
};

function rawEdits(args: JsonObject): JsonObject[] {
  const list = Array.isArray(args['edits']) ? args['edits'] : [];
  return list.filter((edit): edit is JsonObject => typeof edit === 'object' && edit !== null && !Array.isArray(edit));
}

function textOrNone(value: Json | undefined): string[] {
  return typeof value === 'string' ? [value] : [];
}

/** One edit of the list; `number` counts from 1. */
interface Numbered {
  readonly number: number;
  readonly path: string;
  readonly edit: Edit;
  /** Equal for edits that ask for the same. */
  readonly key: string;
}

/** All edits, before any file is looked at. Throws ToolFault that names the edit. */
function editsOf(args: JsonObject): Numbered[] {
  const list = rawEdits(args);
  if (list.length === 0) throw invalid('edits', 'is empty; give at least one edit with file, search and replace');
  return list.map((fields, index) => {
    const number = index + 1;
    try {
      for (const field of ['file', 'search', 'replace']) if (textArg(fields, field) === undefined) throw missing(field);
      const encoding = encodingArg(fields);
      const edit = {
        search: wantedArg(fields, 'search', encoding),
        replace: wantedArg(fields, 'replace', encoding),
        expect: countArg(fields, 'expect', 1),
        all: flagArg(fields, 'all'),
      };
      const path = textArg(fields, 'file') ?? '';
      return { number, path, edit, key: JSON.stringify([fields['search'], fields['replace'], encoding]) };
    } catch (error) {
      if (!(error instanceof ToolFault)) throw error;
      throw invalid(`edits/${index}`, `edit #${number}${nameOf(fields)}: ${bare(error)}. Nothing was changed`);
    }
  });
}

function missing(field: string): ToolFault {
  return new ToolFault(
    'InvalidArgs',
    `${field} is missing${field === 'replace' ? '; send an empty string to delete the match' : ''}`,
  );
}

function nameOf(fields: JsonObject): string {
  return typeof fields['file'] === 'string' ? ` (${fields['file'].slice(0, 200)})` : '';
}

/** The words of a fault of an argument without what stands in front of them. */
function bare({ message }: ToolFault): string {
  return message.replace(/^invalid arguments: at \/(\w+): /, '$1 ').replace(/\. Nothing was written$/, '');
}

/** What became of one file. */
interface Outcome {
  readonly file: PlannedFile;
  edits: number;
  readonly lines: EditedLines[];
  readonly notes: string[];
}

async function multipatch(
  edits: readonly Numbered[],
  firstSeen: Map<string, FileState>,
  { workspace }: ToolContext,
): Promise<ToolResult> {
  const plan = createEditPlan(workspace, firstSeen);
  const outcomes = await applyAll(edits, plan);
  const targets = plan.targets();
  if (targets.length === 0)
    throw new ToolFault('InvalidArgs', 'these edits undo each other: no file would change. Nothing was changed');
  const written = await onlyIfSame(workspace.changeFiles(targets));
  for (const { located, notes } of written) {
    const outcome = outcomes.find(({ file }) => file.located.real === located.real);
    outcome?.notes.push(...notes.map((note) => `${located.shown}: ${note}`));
  }
  const changes = outcomes.map(({ file }) => changeOf(file.located.shown, file.before, file.bytes ?? Buffer.alloc(0)));
  const bullets = outcomes.map(({ file, edits: count, lines }, i) => {
    const change = changes[i];
    return `- ${file.located.shown}: ${counted(count, 'edit')}, ${linesText(lines)}${change ? ` (${statText(change)})` : ''}`;
  });
  const hash = createHash('sha256');
  for (const { path, bytes } of targets) hash.update(`${path}\0`).update(bytes ?? '');
  const id = hash.digest('hex').slice(0, 8);
  const head = `Transaction ${id}: ${counted(edits.length, 'edit')} in ${counted(outcomes.length, 'file')}.`;
  const notes = outcomes.flatMap((outcome) => outcome.notes).map((note) => `Note: ${note}.`);
  return {
    output: `${[head, ...bullets, ...notes].join('\n')}\n`,
    isError: false,
    display: diffDisplay(changes),
    changed: written.map(({ located }) => located.real),
  };
}

/** Runs the edits in order on the plan. Equal edits in a row of one file are one step that takes as many places. */
async function applyAll(edits: readonly Numbered[], plan: EditPlan): Promise<Outcome[]> {
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
  const applied = applyEdit(file.bytes ?? Buffer.alloc(0), { ...first.edit, first: run.length }, name);
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
