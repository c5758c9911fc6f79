/** Lists a folder as an indented tree, breadth first within its limits, ignore files honoured. */

import { type Dirent, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Workspace } from '../../types/workspace.js';
import { type FolderRules, rulesFor } from '../../workspace/ignore-rules.js';
import { stopIfAborted } from './args.js';
import { counted } from './counted.js';
import { printable } from './printable.js';

export interface TreeRequest {
  /** Real path. */
  readonly dir: string;
  readonly maxDepth: number;
  readonly maxEntries: number;
  readonly hidden: boolean;
  /** Paths relative to the workspace; false leaves an entry out, a folder with all below. */
  excluded(path: string): boolean;
  /** With it only matching files are listed, and folders that hold some. */
  matches?(path: string): boolean;
  /** A backup made here: not listed. */
  isBackup(path: string): Promise<boolean>;
  readonly signal: AbortSignal;
}

export interface TreeResult {
  readonly lines: readonly string[];
  readonly entries: number;
  readonly notices: readonly string[];
}

/** Never listed inside a tree; only when named themselves. */
const SKIPPED = new Set(['.git', 'node_modules', 'vendor']);
const MOST_FOLDERS = 20_000;
const READABLE = new Set(['inside', 'scratch', 'git']);

interface Entry {
  readonly line: string;
  readonly isFolder: boolean;
  readonly folder?: Folder;
}

interface Folder {
  readonly path: string;
  readonly depth: number;
  readonly rules: FolderRules;
  entries?: Entry[];
}

/** Throws errno errors when the folder itself cannot be listed. */
export async function listTree(request: TreeRequest, workspace: Workspace): Promise<TreeResult> {
  const top: Folder = { path: request.dir, depth: 0, rules: rulesFor(request.dir, workspace.root) };
  const state = { count: 0, limited: false, unopened: 0 };
  const queue: Folder[] = [top];
  for (let i = 0; i < queue.length && !state.limited; i++) {
    stopIfAborted(request.signal);
    const folder = queue[i];
    if (!folder) break;
    if (i >= MOST_FOLDERS) state.limited = true;
    else await fill(folder, request, workspace, state, queue);
  }
  if (request.matches) prune(top);
  const lines: string[] = [];
  print(top, lines);
  const notices: string[] = [];
  if (state.limited)
    notices.push(
      `... [LIMITED TO ${counted(request.maxEntries, 'ENTRY', 'ENTRIES')}; name a folder in it, or raise max_entries] ...`,
    );
  if (state.unopened > 0) notices.push(`... [${counted(state.unopened, 'folder')} at depth ${request.maxDepth} not opened] ...`);
  return { lines, entries: lines.length, notices };
}

async function fill(
  folder: Folder,
  request: TreeRequest,
  workspace: Workspace,
  state: { count: number; limited: boolean; unopened: number },
  queue: Folder[],
): Promise<void> {
  let listed: Dirent[];
  try {
    listed = await readdir(folder.path, { withFileTypes: true });
  } catch (error) {
    if (folder.depth === 0) throw error;
    folder.entries = [{ line: '[cannot be listed]', isFolder: false }];
    return;
  }
  listed.sort((a, b) => (a.name < b.name ? -1 : 1));
  folder.entries = [];
  for (const item of listed) {
    const path = join(folder.path, item.name);
    const shown = relative(workspace.root, path).split(sep).join('/');
    if (SKIPPED.has(item.name) || (!request.hidden && item.name.startsWith('.'))) continue;
    if (request.excluded(shown) || folder.rules.ignores(item.name, item.isDirectory())) continue;
    const isFile = !item.isDirectory();
    if (isFile && request.matches && !request.matches(shown)) continue;
    if (item.isFile() && (await request.isBackup(path))) continue;
    if (state.count >= request.maxEntries) {
      state.limited = true;
      return;
    }
    if (isFile || !request.matches) state.count++;
    folder.entries.push(
      isFile ? { line: fileLine(item, path), isFolder: false } : folderEntry(item.name, folder, request, workspace, state, queue),
    );
  }
}

function fileLine(item: Dirent, path: string): string {
  if (!item.isSymbolicLink()) return printable(item.name);
  try {
    return `${printable(item.name)} -> ${printable(readlinkSync(path))}`;
  } catch {
    return printable(item.name);
  }
}

function folderEntry(
  name: string,
  parent: Folder,
  request: TreeRequest,
  workspace: Workspace,
  state: { unopened: number },
  queue: Folder[],
): Entry {
  const line = `${printable(name)}/`;
  const path = join(parent.path, name);
  if (!READABLE.has(workspace.locate(path).zone)) return { line: `${line} [not listed]`, isFolder: true };
  if (parent.depth + 1 >= request.maxDepth) {
    state.unopened++;
    return { line, isFolder: true };
  }
  const folder: Folder = { path, depth: parent.depth + 1, rules: parent.rules.child(name) };
  queue.push(folder);
  return { line, isFolder: true, folder };
}

/** Takes out folders without a match; true when one is left. */
function prune(folder: Folder): boolean {
  folder.entries = (folder.entries ?? []).filter((entry) => (entry.folder ? prune(entry.folder) : !entry.isFolder));
  return folder.entries.length > 0;
}

function print(folder: Folder, lines: string[]): void {
  for (const entry of folder.entries ?? []) {
    lines.push(`${'  '.repeat(folder.depth + 1)}${entry.line}`);
    if (entry.folder) print(entry.folder, lines);
  }
}
