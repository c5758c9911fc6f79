/** The change of an isolated worker as one transaction on the workspace: what is to be written where, checked before anything is. */
import { join } from 'node:path';
import { mergeLines } from '../../base/merge-lines.js';
import { readRegular } from '../../base/read-regular.js';
import { because, english, type Reason } from '../../types/reason.js';
import { type Tool, ToolFault, type ToolResult } from '../../types/tool.js';
import type { FileTarget, Workspace } from '../../types/workspace.js';
import type { TreeChange } from './compare.js';
import { blobId } from './snapshot.js';
import type { Worktree } from './worktree.js';

export interface BringPlan {
  readonly targets: readonly FileTarget[];
  /** Files that were changed on both sides and could be joined. */
  readonly merged: readonly string[];
}

/** One change that may come back. */
export interface Bringable extends TreeChange {
  /** Relative to the workspace. */
  readonly shown: string;
  /** The bytes as the worker left them; null: removed. */
  readonly mine: Buffer | null;
}

const LARGEST_FILE = 64 * 1024 * 1024;
const LARGEST_CHANGE = 128 * 1024 * 1024;
const MOST_FILES = 2000;
/** Someone may write between the plan and the writing; the plan is made again. */
const ATTEMPTS = 5;

/** The bytes of all changes, read once. A reason says that it is too much. Throws errors of the disk. */
export function bytesOf(tree: Worktree, changes: readonly { change: TreeChange; shown: string }[]): Bringable[] | Reason {
  if (changes.length > MOST_FILES) return because`the change touches too many files`;
  let size = 0;
  const read: Bringable[] = [];
  for (const { change, shown } of changes) {
    const mine = change.status === 'removed' ? null : readRegular(join(tree.top, change.path), LARGEST_FILE);
    size += mine?.length ?? 0;
    if (size > LARGEST_CHANGE) return because`the change is too large`;
    read.push({ ...change, shown, mine });
  }
  return read;
}

/** Works the targets out on the bytes as they are now. A reason says why the change cannot come back as it is. */
export async function planBringing(
  tree: Worktree,
  changes: readonly Bringable[],
  workspace: Workspace,
): Promise<BringPlan | Reason> {
  const targets: FileTarget[] = [];
  const merged: string[] = [];
  for (const change of changes) {
    const target = await targetOf(tree, change, workspace, merged);
    if (target && 'text' in target) return target;
    if (target) targets.push(target);
  }
  return { targets, merged };
}

async function targetOf(
  tree: Worktree,
  change: Bringable,
  workspace: Workspace,
  merged: string[],
): Promise<FileTarget | Reason | undefined> {
  const { path, shown, status, mine, executable } = change;
  const now = await present(workspace, shown);
  if (!now) {
    if (status === 'added') return { path: shown, bytes: mine, expect: 'absent', ...(executable ? { mode: 0o755 } : {}) };
    return status === 'removed' ? undefined : because`${shown} was removed in the workspace meanwhile`;
  }
  const mode = change.modeChanged ? withBit(now.mode, executable) : now.mode;
  const target = { path: shown, expect: now.state, ...(mode === now.mode ? {} : { mode }) };
  // Only what the worker changed counts: bytes, mode, or both.
  if (mine && (change.sameBytes || now.bytes.equals(mine)))
    return mode === now.mode ? undefined : { ...target, bytes: now.bytes };
  const laid = tree.snapshot.files.get(path);
  if (status !== 'added' && blobId(now.bytes, tree.facts.head.length) === laid?.id) return { ...target, bytes: mine };
  const both = because`${shown} was changed in the workspace meanwhile`;
  if (mine === null || status === 'added' || [mine, now.bytes].some((bytes) => !isPlain(bytes))) return both;
  const base = await tree.before(path);
  if (base === undefined) return both;
  const joined = await mergeLines(base, mine.toString('utf8'), now.bytes.toString('utf8'));
  if (!joined.ok) return because`${shown} was changed in the workspace meanwhile, at the same place (line ${joined.from})`;
  if (!merged.includes(shown)) merged.push(shown);
  return { ...target, bytes: Buffer.from(joined.text, 'utf8') };
}

async function present(workspace: Workspace, path: string) {
  try {
    return await workspace.readFile(path);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'NotFound') return undefined;
    throw error;
  }
}

/** Who may read may execute. */
function withBit(mode: number, executable: boolean): number {
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** Text that survives being read as UTF-8. */
export function isPlain(bytes: Buffer): boolean {
  return !bytes.includes(0) && Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);
}

/** Plans on the present bytes and writes, again when someone wrote in between. Throws ToolFault `Conflict`, or that of the writing. */
export async function bringNow(plan: () => Promise<BringPlan | Reason>, workspace: Workspace): Promise<ToolResult> {
  for (let attempt = 1; ; attempt++) {
    const made = await plan();
    if ('text' in made) throw new ToolFault('Conflict', english(made));
    if (made.targets.length === 0) return { output: 'all of it is in the workspace already\n', isError: false, changed: [] };
    try {
      const outcomes = await workspace.changeFiles(made.targets);
      const joined = made.merged.length > 0 ? `joined with other changes: ${made.merged.join(', ')}\n` : '';
      const changed = outcomes.map(({ located }) => located.real);
      return { output: `brought back: ${made.targets.map(({ path }) => path).join(', ')}\n${joined}`, isError: false, changed };
    } catch (error) {
      if (!(error instanceof ToolFault) || error.code !== 'Stale' || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The change as one call: judged, asked about, recorded and undone like any multipatch. */
export function bringTool(worker: string, files: readonly string[], run: Tool['run']): Tool {
  return {
    name: '@coder multipatch',
    aliases: [],
    summary: 'Brings the change of an isolated agent into the workspace',
    schema: { type: 'object', properties: { diff: { type: 'string' } }, required: ['diff'], additionalProperties: false },
    fieldAliases: {},
    positional: [],
    example: {},
    inFull: false,
    limit: 30_000,
    cut: 'ends',
    origin: 'builtin',
    facts: () => ({
      readOnly: false,
      reads: [],
      writes: files,
      order: 'overlap',
      label: {
        verb: 'patch',
        object: `${files.length} ${files.length === 1 ? 'file' : 'files'} of ${worker}: ${files.join(', ')}`,
      },
      edits: true,
      snapshot: true,
    }),
    run,
  };
}
