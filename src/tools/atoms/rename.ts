/** `@rename`: renames an identifier in all files at once, by a language server where one can tell scopes, else by the parsers. */
import type { Tool } from '../../types/tool.js';
import { guarded, textArg } from '../shared/args.js';
import { NAME_KINDS } from '../shared/rename-kinds.js';

/** One transaction; the gate hears of every file before one is written. */
export const renameAtom: Tool = {
  name: '@rename',
  aliases: ['rename', 'rename_symbol'],
  summary: 'Renames an identifier in all code',
  schema: {
    type: 'object',
    properties: {
      old: { type: 'string', minLength: 1 },
      new: { type: 'string', minLength: 1 },
      dir: { type: 'string', description: 'default: the workspace' },
      file: { type: 'string', minLength: 1, description: 'declares it; needed when several do' },
      line: { type: 'integer', minimum: 1, description: 'of the declaration in file' },
      kind: { type: 'string', description: NAME_KINDS.join(', ') },
      preview: { type: 'boolean', description: 'show the diff, change nothing' },
    },
    required: ['old', 'new'],
    additionalProperties: false,
  },
  fieldAliases: {
    from: 'old',
    to: 'new',
    old_name: 'old',
    new_name: 'new',
    symbol: 'old',
    name: 'old',
    path: 'dir',
    file_path: 'file',
    dry_run: 'preview',
  },
  positional: ['old', 'new', 'dir'],
  example: { old: 'parseUser', new: 'readUser' },
  inFull: false,
  limit: 30_000,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const file = textArg(args, 'file');
    const isPreview = args['preview'] === true;
    const words = ['@rename', args['old'], args['new'], isPreview ? '(preview)' : undefined];
    const label = { verb: 'call', object: words.filter((word) => typeof word === 'string').join(' ') } as const;
    const reads = [textArg(args, 'dir') ?? '.', ...(file === undefined ? [] : [file])];
    if (isPreview) return { readOnly: true, reads, writes: [], order: 'tree', label };
    return {
      readOnly: false,
      reads,
      writes: file === undefined ? [] : [file],
      order: 'alone',
      label,
      edits: true,
      snapshot: true,
    };
  },
  run: (args, context) =>
    guarded(async () => {
      const { runRename } = await import('../shared/rename-run.js');
      return runRename(args, context);
    }),
};
