/** `@coder multipatch`: search-and-replace edits over several files as one transaction: all of them or none. */
import type { Json, JsonObject } from '../../types/json.js';
import type { Tool } from '../../types/tool.js';
import { guarded } from '../shared/args.js';

export const multipatchTool: Tool = {
  name: '@coder multipatch',
  native: 'multipatch',
  aliases: [],
  summary: 'Edits several files as one transaction: all edits or none',
  schema: {
    type: 'object',
    properties: {
      edits: {
        type: 'array',
        minItems: 1,
        description: 'run in order; each needs file, search, replace',
        items: {
          type: 'object',
          properties: {
            file: { type: 'string' },
            search: { type: 'string' },
            replace: { type: 'string', description: 'empty deletes' },
            expect: { type: 'integer', minimum: 1, description: 'demand n matches, replace all' },
            all: { type: 'boolean' },
            encoding: { type: 'string', enum: ['text', 'base64'] },
          },
          additionalProperties: false,
        },
      },
    },
    required: ['edits'],
    additionalProperties: false,
  },
  fieldAliases: { path: 'file', filepath: 'file', replace_all: 'all', expected_replacements: 'expect' },
  positional: ['edits'],
  mainField: 'edits',
  example: {
    edits: [
      { file: 'a.go', search: 'old', replace: 'new' },
      { file: 'b.go', search: 'foo', replace: 'bar' },
    ],
  },
  inFull: true,
  limit: 30_000,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const files = [...new Set(rawEdits(args).flatMap((edit) => textOrNone(edit['file'])))];
    const more = files.length > 1 ? ` +${files.length - 1}` : '';
    return {
      readOnly: false,
      reads: [],
      writes: files,
      order: files.length === 0 ? 'alone' : 'overlap',
      label: { verb: 'patch', object: `${files[0] ?? '?'}${more}` },
      edits: true,
      snapshot: true,
    };
  },
  run: (args, context) =>
    guarded(async () => {
      const { runMultipatch } = await import('../shared/multipatch-run.js');
      return runMultipatch(rawEdits(args), context);
    }),
};

function rawEdits(args: JsonObject): JsonObject[] {
  const list = Array.isArray(args['edits']) ? args['edits'] : [];
  return list.filter((edit): edit is JsonObject => typeof edit === 'object' && edit !== null && !Array.isArray(edit));
}

function textOrNone(value: Json | undefined): string[] {
  return typeof value === 'string' ? [value] : [];
}
