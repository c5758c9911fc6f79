/** The work of `@coder patch`, loaded by the first call. */
import type { JsonObject } from '../../types/json.js';
import { type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { sameBytes } from '../../workspace/file-state.js';
import { onlyIfSame } from './again-when-stale.js';
import { countArg, encodingArg, flagArg, invalid, requiredText, textArg, wantedArg } from './args.js';
import { changeOf, diffDisplay, linesText, statText } from './change-report.js';
import { runDiff } from './diff/run-diff.js';
import { applyEdit, type Edit } from './edit-apply.js';

/** Fields that belong to a search alone. */
const SEARCHING = ['search', 'replace', 'expect', 'all'];

/** `again`: another program changed the file between the last try's reading and writing. */
export async function runPatch(args: JsonObject, context: ToolContext, again: boolean): Promise<ToolResult> {
  if (textArg(args, 'diff') !== undefined) {
    const other = SEARCHING.find((field) => args[field] !== undefined && args[field] !== null);
    if (other !== undefined) throw invalid('diff', `diff and ${other} cannot be combined; use one of them`);
    return runDiff(args, context, again);
  }
  if (textArg(args, 'search') === undefined && textArg(args, 'replace') === undefined)
    throw invalid('search', 'is missing; send search and replace, or diff');
  const { workspace } = context;
  const path = requiredText(args, 'file');
  const edit = editOf(args);
  const before = await workspace.readFile(path);
  const name = before.located.shown;
  const seen = workspace.lastSeen(before.located.real);
  const changed = again || (seen !== undefined && !sameBytes(seen, before.state));
  const applied = applyEdit(before.bytes, edit, name);
  if (!applied.ok) {
    const hint = changed && applied.code !== 'InvalidArgs' ? `\n${name} changed on disk since it was read; read it again.` : '';
    throw new ToolFault(changed && applied.code !== 'InvalidArgs' ? 'Stale' : applied.code, applied.message + hint);
  }
  if (changed && !(applied.exact && (applied.matches === 1 || edit.expect !== undefined))) {
    throw new ToolFault(
      'Stale',
      `${name} changed on disk since it was read, and search is not one exact match in it any more. Nothing was changed; read it again first.`,
    );
  }
  const outcome = await onlyIfSame(workspace.writeFile(path, applied.bytes, { expect: before.state }));
  const change = changeOf(name, before.bytes, applied.bytes);
  const notes = [
    ...applied.notes,
    ...(changed ? [`${name} had changed on disk since it was read; the exact match was still unique`] : []),
    ...outcome.notes,
  ];
  return {
    output: `${[`Patched ${name}: ${linesText(applied.lines)} (${statText(change)}).`, ...notes.map((note) => `Note: ${note}.`)].join('\n')}\n`,
    isError: false,
    display: diffDisplay([change]),
    changed: [outcome.located.real],
  };
}

function editOf(args: JsonObject): Edit {
  const encoding = encodingArg(args);
  for (const field of ['search', 'replace']) {
    if (textArg(args, field) === undefined)
      throw invalid(field, field === 'replace' ? 'is missing; send an empty string to delete the match' : 'is missing');
  }
  return {
    search: wantedArg(args, 'search', encoding),
    replace: wantedArg(args, 'replace', encoding),
    expect: countArg(args, 'expect', 1),
    all: flagArg(args, 'all'),
  };
}
