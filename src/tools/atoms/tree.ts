/** `@tree`: the flat twin of `@coder tree`, three levels deep, with the flags of both. */
import type { Tool } from '../../types/tool.js';
import { treeTool } from '../coder/tree.js';
import { guarded } from '../shared/args.js';
import { treeSchema } from '../shared/tree-schema.js';

const DEPTH = 3;

export const treeAtom: Tool = {
  ...treeTool,
  name: '@tree',
  native: 'tree',
  summary: 'Lists a folder as a tree, ignore files honoured',
  schema: treeSchema(DEPTH, true),
  example: { dir: './src', depth: 3 },
  inFull: true,
  run: (args, context) => guarded(async () => (await import('../shared/tree-tool.js')).runTree(args, DEPTH, context)),
};
