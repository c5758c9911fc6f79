/** The work of `@coder multipatch`, loaded by the first call. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../types/json.js';
import { type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import type { FileState } from '../../types/workspace.js';
import { againWhenStale, onlyIfSame } from './again-when-stale.js';
import { countArg, encodingArg, flagArg, invalid, textArg, wantedArg } from './args.js';
import { changeOf, diffDisplay, linesText, statText } from './change-report.js';
import { counted } from './counted.js';
import { createEditPlan } from './edit-plan.js';
import { type Numbered, runEdits } from './edit-sequence.js';

/** `list`: the edits as they were sent. Throws ToolFault; nothing was changed then. */
export async function runMultipatch(list: readonly JsonObject[], context: ToolContext): Promise<ToolResult> {
  const edits = editsOf(list);
  const firstSeen = new Map<string, FileState>();
  return againWhenStale(() => multipatch(edits, firstSeen, context));
}

/** All edits, before any file is looked at. Throws ToolFault that names the edit. */
function editsOf(list: readonly JsonObject[]): Numbered[] {
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
