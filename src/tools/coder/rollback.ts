/** `@coder rollback`: the content of a file from before its last change. */
import type { Tool } from '../../types/tool.js';
import { SAME_AS_BACKUP } from '../../workspace/rollback-file.js';
import { guarded, requiredText, textArg } from '../shared/args.js';

export const rollbackTool: Tool = {
  name: '@coder rollback',
  aliases: [],
  summary: 'Restores a file from the backup of its last change',
  schema: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'], additionalProperties: false },
  fieldAliases: { path: 'file', filepath: 'file' },
  positional: ['file'],
  mainField: 'file',
  example: { file: 'main.go' },
  inFull: false,
  limit: 30_000,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const file = textArg(args, 'file') ?? '';
    return {
      readOnly: false,
      reads: [],
      writes: [file],
      order: 'overlap',
      label: { verb: 'restore', object: file },
      edits: true,
    };
  },
  run: (args, context) =>
    guarded(async () => {
      const { located, notes } = await context.workspace.rollback(requiredText(args, 'file'));
      const same = notes.includes(SAME_AS_BACKUP);
      const did = same ? `${located.shown} was not changed.` : `Rolled back ${located.shown} to its backup.`;
      const lines = [did, ...notes.map((note) => `Note: ${note}.`)];
      return { output: `${lines.join('\n')}\n`, isError: false, changed: [located.real] };
    }),
};
