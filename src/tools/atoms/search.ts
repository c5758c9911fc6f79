/** `@search`: the flat twin of `@coder search`: a regular expression, case counts. */
import type { Tool } from '../../types/tool.js';
import { searchTool } from '../coder/search.js';
import { guarded } from '../shared/args.js';

export const searchAtom: Tool = {
  ...searchTool,
  name: '@search',
  native: 'search',
  summary: 'Searches files by regex (regex: false for plain text)',
  schema: {
    type: 'object',
    properties: {
      term: { type: 'string', minLength: 1 },
      dir: { type: 'string' },
      include: { type: ['string', 'array'], items: { type: 'string' }, description: 'globs' },
      max_results: { type: 'integer', minimum: 1 },
      context: { type: 'integer', minimum: 0 },
      regex: { type: 'boolean' },
      case_sensitive: { type: 'boolean' },
    },
    required: ['term'],
    additionalProperties: false,
  },
  fieldAliases: {
    pattern: 'term',
    query: 'term',
    regex: 'term',
    path: 'dir',
    directory: 'dir',
    glob: 'include',
    limit: 'max_results',
  },
  example: { term: 'func\\s+Login', dir: './src', include: '*.go' },
  inFull: true,
  run: (args, context) =>
    guarded(async () =>
      (await import('../shared/search-tool.js')).runSearch(args, { regex: true, caseSensitive: true }, context),
    ),
};
