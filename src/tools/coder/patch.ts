/** `@coder patch`: replaces one piece of text in a file, or applies a diff to its files; only the matched bytes change. */
import type { JsonObject } from '../../types/json.js';
import { type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { sameBytes } from '../../workspace/file-state.js';
import { againWhenStale, onlyIfSame } from '../shared/again-when-stale.js';
import { countArg, encodingArg, flagArg, guarded, invalid, requiredText, textArg, wantedArg } from '../shared/args.js';
import { changeOf, diffDisplay, linesText, statText } from '../shared/change-report.js';
import { diffPaths, runDiff } from '../shared/diff/run-diff.js';
import { applyEdit, type Edit } from '../shared/edit-apply.js';

export const patchTool: Tool = {
  name: '@coder patch',
  native: 'patch',
  aliases: [],
  summary: 'Replaces search (exact, best unique) by replace in a file; or applies a diff',
  schema: {
    type: 'object',
    properties: {
      file: { type: 'string' },
      search: { type: 'string' },
      replace: { type: 'string', description: 'empty deletes' },
      expect: { type: 'integer', minimum: 1, description: 'demand n matches, replace all' },
      all: { type: 'boolean' },
      encoding: { type: 'string', enum: ['text', 'base64'] },
      diff: {
        type: 'string',
        description: 'instead of search: unified diff of any files, *** Begin Patch, or SEARCH/REPLACE blocks',
      },
      diff_encoding: { type: 'string', enum: ['text', 'base64'] },
    },
    additionalProperties: false,
  },
  fieldAliases: { path: 'file', filepath: 'file' },
  positional: ['file'],
  mainField: 'file',
  example: { file: 'main.go', search: 'return nil', replace: 'return err' },
  inFull: true,
  limit: 30_000,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const file = textArg(args, 'file');
    const named = file === undefined ? [] : [file];
    const diff = typeof args['diff'] === 'string' ? diffPaths(args) : { reads: [], writes: named };
    const writes = diff?.writes ?? named;
    return {
      readOnly: false,
      reads: diff?.reads ?? [],
      writes,
      order: diff === undefined || writes.length === 0 ? 'alone' : 'overlap',
      label: { verb: 'patch', object: objectOf(writes) },
      edits: true,
      snapshot: true,
    };
  },
  run: (args, context) => guarded(() => againWhenStale((again) => patch(args, context, again))),
};

function objectOf(writes: readonly string[]): string {
  if (writes.length === 0) return 'diff';
  return writes.length <= 3 ? writes.join(', ') : `${writes.slice(0, 2).join(', ')} +${writes.length - 2}`;
}

/** Fields that belong to a search alone. */
const SEARCHING = ['search', 'replace', 'expect', 'all'];

/** `again`: another program changed the file between the last try's reading and writing. */
async function patch(args: JsonObject, context: ToolContext, again: boolean): Promise<ToolResult> {
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
