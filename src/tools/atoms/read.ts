/** `@read`: the flat twin of `@coder read`, with the flags of both. */
import type { Tool } from '../../types/tool.js';
import { readTool } from '../coder/read.js';
import { countArg, encodingArg, guarded, listArg } from '../shared/args.js';

import { windowOf } from '../shared/read-window.js';
import { DEFAULT_MAX_BYTES } from '../shared/tool-limits.js';

export const readAtom: Tool = {
  ...readTool,
  name: '@read',
  native: 'read',
  summary: 'Reads files as numbered lines (first 2000 unless a range is given)',
  schema: {
    type: 'object',
    properties: {
      file: { type: ['string', 'array'], items: { type: 'string' } },
      from_line: { type: 'integer', minimum: 1 },
      to_line: { type: 'integer', minimum: 1 },
      head: { type: 'integer', minimum: 0 },
      tail: { type: 'integer', minimum: 0 },
      max_bytes: { type: 'integer', minimum: 1 },
      encoding: { type: 'string', enum: ['text', 'base64'] },
    },
    required: ['file'],
    additionalProperties: false,
  },
  fieldAliases: { path: 'file', filepath: 'file', start: 'from_line', end: 'to_line' },
  example: { file: 'main.go', from_line: 10, to_line: 50 },
  inFull: true,
  run: (args, context) =>
    guarded(async () => {
      const flags = {
        start: countArg(args, 'from_line', 1),
        end: countArg(args, 'to_line', 1),
        head: countArg(args, 'head', 0),
        tail: countArg(args, 'tail', 0),
      };
      const call = {
        files: listArg(args, 'file') ?? [],
        window: windowOf(flags, { start: 'from_line', end: 'to_line' }),
        maxBytes: countArg(args, 'max_bytes', 1) ?? DEFAULT_MAX_BYTES,
        encoding: encodingArg(args),
      };
      return (await import('../shared/read-tool.js')).runRead(call, context);
    }),
};
