/** `@coder map`: its name and flags only. The parsers come in a later version, and nothing here guesses in their place. */
import { NOT_HERE } from '../../base/not-here.js';
import type { Tool } from '../../types/tool.js';
import { failed, textArg } from '../shared/args.js';

export const mapTool: Tool = {
  name: '@coder map',
  aliases: [],
  summary: `${NOT_HERE}: the structure of a whole tree`,
  schema: {
    type: 'object',
    properties: {
      dir: { type: 'string', default: '.', description: 'Folder to start in' },
      budget: { type: 'integer', minimum: 1, default: 8000, description: 'Most characters' },
    },
    additionalProperties: false,
  },
  fieldAliases: { path: 'dir', directory: 'dir' },
  positional: ['dir'],
  mainField: 'dir',
  example: { dir: '.', budget: 8000 },
  inFull: false,
  limit: 30_000,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const dir = textArg(args, 'dir') ?? '.';
    return { readOnly: true, reads: [dir], writes: [], order: 'tree', label: { verb: 'list', object: dir } };
  },
  run: async (args) => {
    const dir = textArg(args, 'dir') ?? '.';
    return failed(
      'Failed',
      `map is not in this version, so ${JSON.stringify(dir)} was not looked at. Use tree for the files and search for declarations, then read the files that matter.`,
    );
  },
};
