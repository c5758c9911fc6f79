/** `@coder patch`: replaces one piece of text in a file, or applies a diff to its files; only the matched bytes change. */
import type { Tool } from '../../types/tool.js';
import { againWhenStale } from '../shared/again-when-stale.js';
import { guarded, textArg } from '../shared/args.js';
import { diffPaths } from '../shared/diff/diff-paths.js';

export const patchTool: Tool = {
  name: '@coder patch',
  native: 'patch',
  aliases: [],
  summary: 'Replaces search (exact, best unique) by replace in a file; or applies a diff',
  schema: {
    type: 'object',
    properties: {
      file: { type: 'string' },
      search: { type: 'string' },
      replace: { type: 'string', description: 'empty deletes' },
      expect: { type: 'integer', minimum: 1, description: 'demand n matches, replace all' },
      all: { type: 'boolean' },
      encoding: { type: 'string', enum: ['text', 'base64'] },
      diff: {
        type: 'string',
        description: 'instead of search: unified diff of any files, *** Begin Patch, or SEARCH/REPLACE blocks',
      },
      diff_encoding: { type: 'string', enum: ['text', 'base64'] },
    },
    additionalProperties: false,
  },
  fieldAliases: { path: 'file', filepath: 'file' },
  positional: ['file'],
  mainField: 'file',
  example: { file: 'main.go', search: 'return nil', replace: 'return err' },
  inFull: true,
  limit: 30_000,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const file = textArg(args, 'file');
    const named = file === undefined ? [] : [file];
    const diff = typeof args['diff'] === 'string' ? diffPaths(args) : { reads: [], writes: named };
    const writes = diff?.writes ?? named;
    return {
      readOnly: false,
      reads: diff?.reads ?? [],
      writes,
      order: diff === undefined || writes.length === 0 ? 'alone' : 'overlap',
      label: { verb: 'patch', object: objectOf(writes) },
      edits: true,
      snapshot: true,
    };
  },
  run: (args, context) =>
    guarded(async () => {
      const { runPatch } = await import('../shared/patch-run.js');
      return againWhenStale((again) => runPatch(args, context, again));
    }),
};

function objectOf(writes: readonly string[]): string {
  if (writes.length === 0) return 'diff';
  return writes.length <= 3 ? writes.join(', ') : `${writes.slice(0, 2).join(', ')} +${writes.length - 2}`;
}
