/** `@lsp`: asks language servers about code, and renames a symbol in all files at once. */
import type { Tool } from '../../types/tool.js';
import { guarded, invalid, textArg } from '../shared/args.js';
import type { LspCommand } from '../shared/lsp-answer.js';

const LIMIT = 30_000;
const COMMANDS = [
  'definition',
  'references',
  'hover',
  'symbols',
  'diagnostics',
  'rename',
] as const satisfies readonly LspCommand[];

/** All but `rename` only read. A rename is one transaction; every file of it must be inside the workspace. */
export const lspAtom: Tool = {
  name: '@lsp',
  aliases: ['lsp', 'language_server'],
  summary: 'Finds definitions, references, symbols, diagnostics; renames everywhere',
  schema: {
    type: 'object',
    properties: {
      cmd: { type: 'string', enum: COMMANDS },
      file: { type: 'string', minLength: 1 },
      line: { type: 'integer', minimum: 1, description: 'from 1' },
      column: { type: 'integer', minimum: 1, description: 'from 1; or give symbol' },
      symbol: { type: 'string', minLength: 1, description: 'the name in that line, instead of column' },
      query: { type: 'string', description: 'symbols of the whole workspace by name' },
      new_name: { type: 'string', minLength: 1, description: 'rename: the new name' },
      preview: { type: 'boolean', description: 'rename: show the diff, change nothing' },
    },
    required: ['cmd'],
    additionalProperties: false,
  },
  fieldAliases: {
    action: 'cmd',
    operation: 'cmd',
    path: 'file',
    file_path: 'file',
    filepath: 'file',
    character: 'column',
    col: 'column',
    name: 'symbol',
    to: 'new_name',
    dry_run: 'preview',
  },
  positional: ['cmd', 'file', 'line', 'column'],
  example: { cmd: 'references', file: 'main.go', line: 12, symbol: 'Handle' },
  inFull: false,
  limit: LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const file = textArg(args, 'file');
    const isRename = args['cmd'] === 'rename' && args['preview'] !== true;
    const paths = file === undefined ? [] : [file];
    const words = ['@lsp', args['cmd'], file, args['symbol'], args['new_name']];
    const label = { verb: 'call', object: words.filter((word) => typeof word === 'string').join(' ') } as const;
    if (!isRename) return { readOnly: true, reads: paths, writes: [], order: 'tree', label };
    return { readOnly: false, reads: paths, writes: paths, order: 'alone', label, edits: true, snapshot: true };
  },
  run: (args, context) =>
    guarded(async () => {
      const cmd = COMMANDS.find((name) => name === args['cmd']);
      if (cmd === undefined) throw invalid('cmd', `must be one of ${COMMANDS.join(', ')}`);
      const { lspAnswer } = await import('../shared/lsp-answer.js');
      return lspAnswer(cmd, args, context);
    }),
};
