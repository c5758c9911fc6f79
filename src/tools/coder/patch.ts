/** `@coder patch`: replaces one piece of text in a file; only the matched bytes change. */
import type { JsonObject } from '../../types/json.js';
import { type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { sameBytes } from '../../workspace/file-state.js';
import { againWhenStale, onlyIfSame } from '../shared/again-when-stale.js';
import { countArg, encodingArg, failed, flagArg, guarded, invalid, requiredText, textArg, wantedArg } from '../shared/args.js';
import { changeOf, diffDisplay, statText } from '../shared/change-report.js';
import { applyEdit, type Edit, type EditedLines } from '../shared/edit-apply.js';

export const patchTool: Tool = {
  name: '@coder patch',
  native: 'patch',
  aliases: [],
  summary: 'Replaces text in a file: search, exact and best unique, by replace',
  schema: {
    type: 'object',
    properties: {
      file: { type: 'string' },
      search: { type: 'string' },
      replace: { type: 'string', description: 'empty deletes' },
      expect: { type: 'integer', minimum: 1, description: 'demand n matches, replace all' },
      all: { type: 'boolean' },
      encoding: { type: 'string', enum: ['text', 'base64'] },
      diff: { type: 'string', description: 'unified diff: not in this version' },
      diff_encoding: { type: 'string', enum: ['text', 'base64'], description: 'not in this version' },
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
    const writes = file === undefined ? [] : [file];
    return {
      readOnly: false,
      reads: [],
      writes,
      order: file === undefined ? 'alone' : 'overlap',
      label: { verb: 'patch', object: file ?? 'diff' },
      edits: true,
    };
  },
  run: (args, context) => guarded(() => againWhenStale((again) => patch(args, context, again))),
};

/** `again`: another program changed the file between the last try's reading and writing. */
async function patch(args: JsonObject, context: ToolContext, again: boolean): Promise<ToolResult> {
  if (textArg(args, 'diff') !== undefined) {
    if (textArg(args, 'search') !== undefined) throw invalid('diff', 'diff and search cannot be combined; use one of them');
    return failed('Failed', 'unified diffs are not supported in this version; use search and replace');
  }
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

/** `line 3`, `lines 5-7 -> 5-9`, for the first few places. */
function linesText(lines: readonly EditedLines[]): string {
  const shown = lines.slice(0, 5).map(({ old, now }) => {
    const from = range(old);
    const to = now[1] < now[0] ? 'removed' : range(now);
    return from === to ? from : `${from} -> ${to}`;
  });
  return `line${lines.length === 1 && lines[0]?.old[0] === lines[0]?.old[1] ? '' : 's'} ${shown.join(', ')}${lines.length > 5 ? ', ...' : ''}`;
}

function range([from, to]: readonly [number, number]): string {
  return from === to ? String(from) : `${from}-${to}`;
}
