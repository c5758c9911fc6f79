/** `@coder map`: the structure of a whole tree within a budget, what the rest refers to first. */
import type { Tool } from '../../types/tool.js';
import { countArg, guarded, listArg, textArg } from '../shared/args.js';

/** As `MAP_LIMIT` and `USUAL_BUDGET`, which are loaded with the parsers. */
const LIMIT = 60_000;
const BUDGET = 8_000;

export const mapTool: Tool = {
  name: '@coder map',
  aliases: [],
  summary: 'Outlines a tree within a budget, the most used files first',
  schema: {
    type: 'object',
    properties: {
      dir: { type: 'string', default: '.', description: 'Folder to start in' },
      budget: { type: 'integer', default: BUDGET, description: 'Most characters' },
      focus: {
        type: ['string', 'array'],
        items: { type: 'string' },
        description: 'Files, folders or words that matter now; a list, or separated by commas',
      },
    },
    additionalProperties: false,
  },
  fieldAliases: { path: 'dir', directory: 'dir' },
  positional: ['dir'],
  mainField: 'dir',
  example: { dir: '.', budget: BUDGET },
  inFull: false,
  limit: LIMIT,
  cut: 'head',
  origin: 'builtin',
  facts(args) {
    const dir = textArg(args, 'dir') ?? '.';
    return { readOnly: true, reads: [dir], writes: [], order: 'tree', label: { verb: 'list', object: dir } };
  },
  run: (args, context) =>
    guarded(async () => {
      const dir = textArg(args, 'dir') ?? '.';
      const budget = countArg(args, 'budget', Number.MIN_SAFE_INTEGER) ?? BUDGET;
      const focus = (listArg(args, 'focus') ?? []).flatMap((text) => text.split(',')).map((text) => text.trim());
      // The parsers are loaded by the first call that needs them.
      const { runMap } = await import('../shared/map-tool.js');
      const { counts: _counts, ...result } = await runMap({ dir, budget, focus: focus.filter((text) => text !== '') }, context);
      return result;
    }),
};
