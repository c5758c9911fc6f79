/** `@coder tree`: what is in a folder, indented, six levels deep. */
import type { Tool } from '../../types/tool.js';
import { guarded, textArg } from '../shared/args.js';
import { TREE_LIMIT } from '../shared/tool-limits.js';
import { TREE_ALIASES, treeSchema } from '../shared/tree-schema.js';

const DEPTH = 6;

export const treeTool: Tool = {
  name: '@coder tree',
  aliases: [],
  summary: 'Lists a folder as a tree, ignore files honoured',
  schema: treeSchema(DEPTH),
  fieldAliases: TREE_ALIASES,
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
  run: (args, context) => guarded(async () => (await import('../shared/tree-tool.js')).runTree(args, DEPTH, context)),
};
