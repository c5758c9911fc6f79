/** The files and folders of a workspace by name, for completion: what is ignored or private is not among them. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isGitName, isSecretName } from '../../base/sensitive-paths.js';
import { type FolderRules, rulesFor } from '../../workspace/ignore-rules.js';
import type { OpenWorkspace } from '../../workspace/open-workspace.js';

export interface FilePath {
  /** Relative to the workspace, with `/`; folders end in one. */
  readonly path: string;
  readonly lower: string;
  /** Last part in lower case, without the slash of a folder. */
  readonly name: string;
  /** Folders it lies in. */
  readonly depth: number;
}

export interface FileList {
  /** Nearest first. A list that takes long is given as far as it is; a later call has more. */
  all(signal: AbortSignal): Promise<readonly FilePath[]>;
  /** Looks at one path anew: inside the workspace and not private, links followed. */
  mayShow(path: string): boolean;
}

const MOST_FILES = 50_000;
/** So long a list is used before the folders are looked at again. */
const FRESH_MS = 10_000;
const PATIENCE_MS = 150;
const LEFT_OUT = new Set(['node_modules', '.hg', '.svn', '.jj']);
/** Names that cannot be typed in one line, are no text, or would end the quotation. */
const UNTYPABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}"\ufffd]/u;

/** Reads nothing before it is asked. */
export function createFileList(workspace: () => OpenWorkspace | undefined): FileList {
  let known: readonly FilePath[] | undefined;
  let root = '';
  let read = Number.NEGATIVE_INFINITY;
  let growing: FilePath[] = [];
  let reading: Promise<void> | undefined;
  const begin = (place: OpenWorkspace): Promise<void> => {
    const found: FilePath[] = [];
    growing = found;
    return walk(place, found).then(() => {
      if (growing === found) known = found;
      read = performance.now();
      reading = undefined;
    });
  };
  return {
    async all(signal) {
      const place = workspace();
      if (!place || signal.aborted) return [];
      if (place.root !== root) {
        root = place.root;
        known = undefined;
        reading = undefined;
        read = Number.NEGATIVE_INFINITY;
      }
      if (performance.now() - read > FRESH_MS) reading ??= begin(place);
      if (!known && reading) await Promise.race([reading, patience()]);
      return known ?? growing.slice();
    },
    mayShow: (path) => {
      const place = workspace();
      return place !== undefined && isOpen(place, join(place.root, path));
    },
  };
}

function patience(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS).unref();
  });
}

/** Breadth first, links not followed; folders that cannot be read are passed over. */
async function walk(place: OpenWorkspace, found: FilePath[]): Promise<void> {
  let level: { readonly folder: string; readonly rules: FolderRules; readonly depth: number }[] = [
    { folder: '', rules: rulesFor(place.root, place.root), depth: 0 },
  ];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { folder, rules, depth } of level) {
      const entries = await readdir(join(place.root, folder), { withFileTypes: true }).catch((): Dirent[] => []);
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const { name } = entry;
        const isFolder = entry.isDirectory();
        if (!isNamed(name) || rules.ignores(name, isFolder)) continue;
        const path = `${folder}${name}${isFolder ? '/' : ''}`;
        if (!isFolder && !entry.isFile() && !entry.isSymbolicLink()) continue;
        if (!entry.isFile() && !isOpen(place, join(place.root, path))) continue;
        found.push({ path, lower: path.toLowerCase(), name: name.toLowerCase(), depth });
        if (isFolder) next.push({ folder: path, rules: rules.child(name), depth: depth + 1 });
        if (found.length >= MOST_FILES) return;
      }
    }
    level = next;
  }
}

const isNamed = (name: string): boolean =>
  !isGitName(name) && !isSecretName(name) && !LEFT_OUT.has(name) && !UNTYPABLE.test(name);

function isOpen(place: OpenWorkspace, path: string): boolean {
  try {
    return place.locate(path).zone === 'inside';
  } catch {
    return false;
  }
}
