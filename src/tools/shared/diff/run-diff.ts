/** `patch` with `diff`: reads the change list, works it out, and changes all its files in one transaction. */
import type { JsonObject } from '../../../types/json.js';
import type { ToolContext, ToolResult } from '../../../types/tool.js';
import { onlyIfSame } from '../again-when-stale.js';
import { textArg } from '../args.js';
import { diffDisplay } from '../change-report.js';
import { reportDiff } from './diff-result.js';
import { planDiff } from './plan-diff.js';
import { readDiff } from './read-diff.js';
import { selectFiles } from './select-files.js';

/** Throws ToolFault; nothing was changed then. `again`: the last try's write came too late. */
export async function runDiff(args: JsonObject, { workspace }: ToolContext, again: boolean): Promise<ToolResult> {
  const parsed = readDiff(args);
  const selected = selectFiles(parsed, textArg(args, 'file'));
  const plan = await planDiff(selected.patches, { workspace, parsed, again });
  const outcomes = await onlyIfSame(workspace.changeFiles(plan.targets));
  const notes = [...selected.notes, ...plan.notes, ...outcomes.flatMap((outcome) => outcome.notes)];
  const { text, changes } = reportDiff(plan.steps, notes);
  return { output: text, isError: false, display: diffDisplay(changes), changed: outcomes.map(({ located }) => located.real) };
}
