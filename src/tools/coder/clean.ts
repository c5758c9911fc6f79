/** `@coder clean`: removes the backups that the file tools made; nobody else's. */
import type { JsonObject } from '../../types/json.js';
import type { Tool, ToolContext, ToolResult } from '../../types/tool.js';
import type { CleanedBackups } from '../../types/workspace.js';
import { flagArg, guarded, listArg, textArg } from '../shared/args.js';
import { counted } from '../shared/counted.js';
import { globList } from '../shared/glob-list.js';
import { pathFilter } from '../shared/path-filter.js';

/** How many files of one kind are named. */
const MOST_NAMED = 100;

export const cleanTool: Tool = {
  name: '@coder clean',
  aliases: [],
  summary: 'Removes the .bak files that file tools made here; no others',
  schema: {
    type: 'object',
    properties: {
      dir: { type: 'string', description: 'default: the workspace' },
      pattern: { type: 'string', description: 'globs for the backups, default *.bak' },
      dry_run: { type: 'boolean', description: 'only say what would be removed' },
      force: { type: 'boolean', description: 'the default; false is a dry run' },
    },
    additionalProperties: false,
  },
  fieldAliases: { path: 'dir', glob: 'pattern', dry: 'dry_run' },
  positional: ['dir'],
  mainField: 'dir',
  example: {},
  inFull: false,
  limit: 30_000,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const dir = textArg(args, 'dir') ?? '.';
    const dry = isDry(args);
    return {
      readOnly: dry,
      reads: [dir],
      writes: dry ? [] : [dir],
      order: 'alone',
      label: { verb: 'call', object: `clean ${dir}` },
      edits: true,
    };
  },
  run: (args, context) => guarded(() => clean(args, context)),
};

function isDry(args: JsonObject): boolean {
  return args['dry_run'] === true || args['force'] === false;
}

async function clean(args: JsonObject, { workspace }: ToolContext): Promise<ToolResult> {
  flagArg(args, 'dry_run');
  flagArg(args, 'force');
  const dryRun = isDry(args);
  const fits = pathFilter(globList(listArg(args, 'pattern') ?? [], workspace.root));
  const report = await workspace.cleanBackups(textArg(args, 'dir') ?? '.', { dryRun, accepts: fits });
  return { output: `${linesOf(report, dryRun).join('\n')}\n`, isError: false };
}

function linesOf({ removed, stored, left }: CleanedBackups, dryRun: boolean): string[] {
  const verb = dryRun ? 'Would remove' : 'Removed';
  const lines: string[] = [];
  if (removed.length === 0 && stored.length === 0) lines.push('No files to clean: there is no backup of ours here.');
  if (removed.length > 0) lines.push(`${verb} ${counted(removed.length, 'backup')}:`, ...bullets(removed));
  if (stored.length > 0)
    lines.push(`${verb} ${counted(stored.length, 'backup')} kept outside the workspace, of:`, ...bullets(stored));
  if (dryRun && lines.length > 1) lines.push('This was a dry run; nothing was removed.');
  if (left.length > 0) {
    lines.push(`Left alone (${counted(left.length, 'file')}):`, ...bullets(left.map(({ path, why }) => `${path}: ${why}`)));
  }
  return lines;
}

function bullets(texts: readonly string[]): string[] {
  const shown = texts.slice(0, MOST_NAMED).map((text) => `- ${text}`);
  return texts.length > MOST_NAMED ? [...shown, `- ... and ${texts.length - MOST_NAMED} more`] : shown;
}
