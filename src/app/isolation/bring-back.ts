/** The change of an isolated worker as one transaction on the workspace: what is to be written where, checked before anything is. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeLines } from '../../base/merge-lines.js';
import { because, type Reason } from '../../types/reason.js';
import type { Tool, ToolResult } from '../../types/tool.js';
import type { FileTarget, Workspace } from '../../types/workspace.js';
import type { TreeChange, Worktree } from './worktree.js';

export interface BringPlan {
  readonly targets: readonly FileTarget[];
  /** Files that were changed on both sides and could be joined. */
  readonly merged: readonly string[];
}

/** Works the targets out. A reason says why the change cannot come back as it is. */
export async function planBringing(
  tree: Worktree,
  changes: readonly TreeChange[],
  workspace: Workspace,
): Promise<BringPlan | Reason> {
  const targets: FileTarget[] = [];
  const merged: string[] = [];
  for (const change of changes) {
    const { path } = change;
    if (path === undefined) return because`it touches files outside of the workspace folder`;
    if (change.odd) return because`${path} is a link or a submodule`;
    const target = await targetOf(tree, { ...change, path }, workspace, merged);
    if (target && 'text' in target) return target;
    if (target) targets.push(target);
  }
  return { targets, merged };
}

async function targetOf(
  tree: Worktree,
  change: TreeChange & { readonly path: string },
  workspace: Workspace,
  merged: string[],
): Promise<FileTarget | Reason | undefined> {
  const { path, status, oldId } = change;
  const mine = status === 'removed' ? null : readFileSync(join(tree.root, path));
  const now = await present(workspace, path);
  const mode = change.mode === undefined ? {} : { mode: change.mode };
  if (!now) {
    if (status === 'added') return { path, bytes: mine, expect: 'absent', ...mode };
    return status === 'removed' ? undefined : because`${path} was removed in the workspace meanwhile`;
  }
  if (mine && now.bytes.equals(mine)) return undefined;
  if (status !== 'added' && blobId(now.bytes, oldId.length) === oldId) return { path, bytes: mine, expect: now.state, ...mode };
  const both = because`${path} was changed in the workspace meanwhile`;
  if (mine === null || status === 'added' || [mine, now.bytes].some((bytes) => !isPlain(bytes))) return both;
  const base = await tree.before(path);
  if (base === undefined) return both;
  const joined = await mergeLines(base, mine.toString('utf8'), now.bytes.toString('utf8'));
  if (!joined.ok) return because`${path} was changed in the workspace meanwhile, at the same place (line ${joined.from})`;
  merged.push(path);
  return { path, bytes: Buffer.from(joined.text, 'utf8'), expect: now.state, ...mode };
}

async function present(workspace: Workspace, path: string) {
  try {
    return await workspace.readFile(path);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'NotFound') return undefined;
    throw error;
  }
}

/** Text that survives being read as UTF-8. */
function isPlain(bytes: Buffer): boolean {
  return !bytes.includes(0) && Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);
}

/** Git's name of these bytes; long names are of repositories with SHA-256. */
function blobId(bytes: Buffer, length: number): string {
  return createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

/** The change as one call: judged, asked about, recorded and undone like any multipatch. */
export function bringTool(worker: string, targets: readonly FileTarget[]): Tool {
  const files = targets.map(({ path }) => path);
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
    async run(_args, { workspace }): Promise<ToolResult> {
      const outcomes = await workspace.changeFiles(targets);
      const changed = outcomes.map(({ located }) => located.real);
      return { output: `brought back: ${files.join(', ')}\n`, isError: false, changed };
    },
  };
}
