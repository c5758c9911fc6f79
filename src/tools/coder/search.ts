/** `@coder search`: text in files, taken literally and without regard to case. */
import type { Tool } from '../../types/tool.js';
import { guarded, textArg } from '../shared/args.js';
import { SEARCH_LIMIT } from '../shared/tool-limits.js';

export const searchTool: Tool = {
  name: '@coder search',
  aliases: [],
  summary: 'Searches files for text, any case; regex: true for a pattern',
  schema: {
    type: 'object',
    properties: {
      term: { type: 'string', minLength: 1 },
      dir: { type: 'string', default: '.' },
      include: { type: ['string', 'array'], items: { type: 'string' }, description: 'globs, e.g. *.{ts,tsx}' },
      max_results: { type: 'integer', minimum: 1, default: 100 },
      context: { type: 'integer', minimum: 0, default: 2, description: 'lines around' },
      regex: { type: 'boolean' },
      case_sensitive: { type: 'boolean' },
    },
    required: ['term'],
    additionalProperties: false,
  },
  fieldAliases: { pattern: 'term', query: 'term', path: 'dir', directory: 'dir', glob: 'include', limit: 'max_results' },
  positional: ['term', 'dir'],
  mainField: 'term',
  example: { term: 'TODO', dir: '.', include: '*.go' },
  inFull: false,
  limit: SEARCH_LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const dir = textArg(args, 'dir') ?? '.';
    return {
      readOnly: true,
      reads: [dir],
      writes: [],
      order: 'tree',
      label: { verb: 'search', object: (textArg(args, 'term') ?? '').slice(0, 60) },
    };
  },
  run: (args, context) =>
    guarded(async () =>
      (await import('../shared/search-tool.js')).runSearch(args, { regex: false, caseSensitive: false }, context),
    ),
};
