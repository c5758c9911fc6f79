/** `@coder outline`: its name and flags only. The parsers come in a later version, and nothing here guesses in their place. */
import { NOT_HERE } from '../../base/not-here.js';
import type { Tool } from '../../types/tool.js';
import { failed, textArg } from '../shared/args.js';

export const outlineTool: Tool = {
  name: '@coder outline',
  aliases: [],
  summary: `${NOT_HERE}: the declarations of a file`,
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
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const file = textArg(args, 'file') ?? '';
    return { readOnly: true, reads: [file], writes: [], order: 'tree', label: { verb: 'read', object: file } };
  },
  run: async (args) => {
    const file = textArg(args, 'file') ?? '';
    return failed(
      'Failed',
      `outline is not in this version, so ${JSON.stringify(file)} was not looked at. Use search with dir set to the file and regex: true (for instance "^(func|class|def|export) "), or read with a range.`,
    );
  },
};
