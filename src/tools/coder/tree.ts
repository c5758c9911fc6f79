/** `@coder tree`: what is in a folder, indented, six levels deep. */
import type { Tool } from '../../types/tool.js';
import { guarded, textArg } from '../shared/args.js';
import { runTree, TREE_LIMIT } from '../shared/tree-tool.js';

export const treeTool: Tool = {
  name: '@coder tree',
  aliases: [],
  summary: 'Lists a folder as a tree, ignore files honoured',
  schema: {
    type: 'object',
    properties: {
      dir: { type: 'string', default: '.' },
      glob: { type: 'string', description: 'only such files, e.g. *.go' },
      max_entries: { type: 'integer', minimum: 1, default: 2000 },
      depth: { type: 'integer', minimum: 1, maximum: 20, default: 6 },
      include_hidden: { type: 'boolean' },
      exclude: { type: ['string', 'array'], items: { type: 'string' }, description: 'names or globs' },
    },
    additionalProperties: false,
  },
  fieldAliases: {
    path: 'dir',
    directory: 'dir',
    max_depth: 'depth',
    ignore: 'exclude',
    skip: 'exclude',
    hidden: 'include_hidden',
  },
  positional: ['dir'],
  mainField: 'dir',
  example: { dir: '.', glob: '*.go' },
  inFull: false,
  limit: TREE_LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const dir = textArg(args, 'dir') ?? '.';
    return { readOnly: true, reads: [dir], writes: [], order: 'tree', label: { verb: 'list', object: dir } };
  },
  run: (args, context) => guarded(() => runTree(args, 6, context)),
};
