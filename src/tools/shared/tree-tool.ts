/** What `@coder tree` and `@tree` share. */
import type { JsonObject } from '../../types/json.js';
import type { ToolContext, ToolResult } from '../../types/tool.js';
import { createRecordStore } from '../../workspace/backup-record.js';
import { isOwnBackup } from '../../workspace/backups.js';
import { diskFault } from '../../workspace/faults.js';
import { countArg, flagArg, listArg, textArg } from './args.js';
import { globList } from './glob-list.js';
import { pathFilter } from './path-filter.js';
import { printable } from './printable.js';
import { TREE_ENTRIES } from './tool-limits.js';
import { listTree } from './tree-list.js';

/** Both names take the same fields; only the default depth differs. Throws ToolFault. */
export async function runTree(args: JsonObject, defaultDepth: number, context: ToolContext): Promise<ToolResult> {
  const { workspace, host } = context;
  const maxDepth = countArg(args, 'depth', 1, 20) ?? defaultDepth;
  const located = await workspace.directory(textArg(args, 'dir') ?? '.');
  const glob = listArg(args, 'glob');
  const exclude = globList(listArg(args, 'exclude') ?? [], workspace.root).include;
  const records = createRecordStore(host.state);
  const isExcluded = exclude.length === 0 ? () => false : pathFilter({ include: exclude, exclude: [] });
  try {
    const { lines, entries, notices } = await listTree(
      {
        dir: located.real,
        maxDepth,
        maxEntries: countArg(args, 'max_entries', 1) ?? TREE_ENTRIES,
        hidden: flagArg(args, 'include_hidden') ?? false,
        excluded: isExcluded,
        ...(glob === undefined ? {} : { matches: pathFilter(globList(glob, workspace.root)) }),
        isBackup: (path) => isOwnBackup(records, path),
        signal: context.signal,
      },
      workspace,
    );
    const nothing = glob === undefined ? '  (empty)' : `  (no file matches ${printable(glob.join(', '))})`;
    const output = [`${printable(located.shown)}/`, ...(lines.length > 0 ? lines : [nothing]), ...notices].join('\n');
    return { output: `${output}\n`, isError: false, display: { kind: 'tree', root: located.shown, entries } };
  } catch (error) {
    throw diskFault(error, 'list', located.shown);
  }
}
