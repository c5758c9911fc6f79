/** `@tree`: the flat twin of `@coder tree`, three levels deep, with the flags of both. */
import type { Tool } from '../../types/tool.js';
import { treeTool } from '../coder/tree.js';
import { guarded } from '../shared/args.js';
import { runTree } from '../shared/tree-tool.js';

export const treeAtom: Tool = {
  ...treeTool,
  name: '@tree',
  native: 'tree',
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
  example: { dir: './src', depth: 3 },
  inFull: true,
  run: (args, context) => guarded(() => runTree(args, 3, context)),
};
