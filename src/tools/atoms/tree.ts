/** `@tree`: the flat twin of `@coder tree`, three levels deep, with the flags of both. */
import type { Tool } from '../../types/tool.js';
import { guarded, textArg } from '../shared/args.js';
import { runTree, TREE_LIMIT } from '../shared/tree-tool.js';

export const treeAtom: Tool = {
  name: '@tree',
  native: 'tree',
  aliases: [],
  summary: 'Lists a folder as a tree, ignore files honoured',
  schema: {
    type: 'object',
    properties: {
      dir: { type: 'string' },
      depth: { type: 'integer', minimum: 1, maximum: 20, default: 3 },
      exclude: { type: ['string', 'array'], items: { type: 'string' } },
      glob: { type: 'string' },
      max_entries: { type: 'integer', minimum: 1 },
      include_hidden: { type: 'boolean' },
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
  example: { dir: './src', depth: 3 },
  inFull: true,
  limit: TREE_LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const dir = textArg(args, 'dir') ?? '.';
    return { readOnly: true, reads: [dir], writes: [], order: 'tree', label: { verb: 'list', object: dir } };
  },
  run: (args, context) => guarded(() => runTree(args, 3, context)),
};
