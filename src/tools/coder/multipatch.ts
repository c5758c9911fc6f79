/** `@coder multipatch`: search-and-replace edits over several files as one transaction: all of them or none. */
import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../types/json.js';
import { type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import type { FileState } from '../../types/workspace.js';
import { againWhenStale, onlyIfSame } from '../shared/again-when-stale.js';
import { countArg, encodingArg, flagArg, guarded, invalid, textArg, wantedArg } from '../shared/args.js';
import { changeOf, diffDisplay, linesText, statText } from '../shared/change-report.js';
import { counted } from '../shared/counted.js';
import { createEditPlan } from '../shared/edit-plan.js';
import { type Numbered, runEdits } from '../shared/edit-sequence.js';

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
      snapshot: true,
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

async function multipatch(
  edits: readonly Numbered[],
  firstSeen: Map<string, FileState>,
  { workspace }: ToolContext,
): Promise<ToolResult> {
  const plan = createEditPlan(workspace, firstSeen);
  const outcomes = await runEdits(edits, plan);
  const targets = plan.targets();
  if (targets.length === 0)
    throw new ToolFault('InvalidArgs', 'these edits undo each other: no file would change. Nothing was changed');
  const written = await onlyIfSame(workspace.changeFiles(targets));
  for (const { located, notes } of written) {
    const outcome = outcomes.find(({ file }) => file.located.real === located.real);
    outcome?.notes.push(...notes.map((note) => `${located.shown}: ${note}`));
  }
  const changes = outcomes.map(({ file }) => changeOf(file.located.shown, file.before, file.bytes));
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
