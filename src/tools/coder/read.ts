/** `@coder read`: file contents by line range, head or tail, or as base64. */
import type { Tool } from '../../types/tool.js';
import { countArg, encodingArg, guarded, listArg } from '../shared/args.js';

import { windowOf } from '../shared/read-window.js';
import { DEFAULT_MAX_BYTES, READ_LIMIT } from '../shared/tool-limits.js';

export const readTool: Tool = {
  name: '@coder read',
  aliases: [],
  summary: 'Reads files: numbered lines, by range, head or tail, or base64',
  schema: {
    type: 'object',
    properties: {
      file: { type: ['string', 'array'], items: { type: 'string' }, description: 'one path or several' },
      start: { type: 'integer', minimum: 1, description: 'first line' },
      end: { type: 'integer', minimum: 1, description: 'last line' },
      head: { type: 'integer', minimum: 0 },
      tail: { type: 'integer', minimum: 0 },
      max_bytes: { type: 'integer', minimum: 1, default: DEFAULT_MAX_BYTES },
      encoding: { type: 'string', enum: ['text', 'base64'] },
    },
    required: ['file'],
    additionalProperties: false,
  },
  fieldAliases: { path: 'file', filepath: 'file', from_line: 'start', to_line: 'end' },
  positional: ['file'],
  mainField: 'file',
  example: { file: 'main.go', start: 10, end: 50 },
  inFull: false,
  limit: READ_LIMIT,
  cut: 'head',
  origin: 'builtin',
  facts(args) {
    const files = listArg(args, 'file') ?? [];
    return { readOnly: true, reads: files, writes: [], order: 'overlap', label: { verb: 'read', object: files.join(', ') } };
  },
  run: (args, context) =>
    guarded(async () => {
      const flags = {
        start: countArg(args, 'start', 1),
        end: countArg(args, 'end', 1),
        head: countArg(args, 'head', 0),
        tail: countArg(args, 'tail', 0),
      };
      const call = {
        files: listArg(args, 'file') ?? [],
        window: windowOf(flags, { start: 'start', end: 'end' }),
        maxBytes: countArg(args, 'max_bytes', 1) ?? DEFAULT_MAX_BYTES,
        encoding: encodingArg(args),
      };
      return (await import('../shared/read-tool.js')).runRead(call, context);
    }),
};
