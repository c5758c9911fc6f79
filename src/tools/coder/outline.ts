/** `@coder outline`: the declarations of a file with their lines, from a real parser. */
import type { Tool } from '../../types/tool.js';
import { guarded, requiredText, textArg } from '../shared/args.js';

export const outlineTool: Tool = {
  name: '@coder outline',
  aliases: [],
  summary: 'Lists the declarations of a file with their lines, from a real parser',
  schema: {
    type: 'object',
    properties: { file: { type: 'string', minLength: 1, description: 'Path of the file' } },
    required: ['file'],
    additionalProperties: false,
  },
  fieldAliases: { path: 'file', filepath: 'file' },
  positional: ['file'],
  mainField: 'file',
  example: { file: 'main.go' },
  inFull: false,
  limit: 30_000,
  cut: 'head',
  origin: 'builtin',
  facts(args) {
    const file = textArg(args, 'file') ?? '';
    return { readOnly: true, reads: [file], writes: [], order: 'tree', label: { verb: 'read', object: file } };
  },
  run: (args, context) =>
    guarded(async () => {
      // The parsers are loaded by the first call that needs them.
      const { runOutline } = await import('../shared/outline-file.js');
      return runOutline(requiredText(args, 'file'), context);
    }),
};
