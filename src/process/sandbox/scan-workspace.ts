/** Looks through a workspace for what a sandbox must treat apart: secret files, repositories, our own settings. Bounded, and quick the second time. */
import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isOwnProjectPath, isSecretName } from '../../base/sensitive-paths.js';

export interface WorkspaceScan {
  /** Files and links named `.env`, `.env.*`. */
  readonly secrets: readonly string[];
  /** Entries named `.git`: folders, pointer files, links. */
  readonly repositories: readonly string[];
  /** Folders that are repositories without a working tree, whatever their name. */
  readonly bare: readonly string[];
  /** Our own settings and policies: files, and `.chatcli` folders. */
  readonly own: readonly string[];
  /** False: the bounds were reached and deeper folders were not looked at. */
  readonly complete: boolean;
}

const MOST_FOLDERS = 4000;
const MOST_ENTRIES = 60_000;
const DEEPEST = 16;
/** Not entered: too large, made by tools. Their secrets are not the project's. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn', '__pycache__', '.venv', '.tox', '.gradle']);
/** A folder with all of these is one to git. */
const BARE_MARKS: ReadonlySet<string> = new Set(['HEAD', 'objects', 'refs']);
/** A folder that changed this shortly before it was read may change again without a new time. */
const FRESH_NS = 50_000_000n;

interface FolderView {
  readonly stamp: string;
  readonly folders: readonly string[];
  readonly secrets: readonly string[];
  readonly repositories: readonly string[];
  readonly own: readonly string[];
  readonly bare: boolean;
  readonly entries: number;
}

/** A scanner that remembers folders by their times. One for the life of a sandbox; never throws. */
export function createScanner(): (root: string) => WorkspaceScan {
  let known = new Map<string, FolderView>();
  return (root) => {
    const seen = new Map<string, FolderView>();
    const found = { secrets: [] as string[], repositories: [] as string[], own: [] as string[], bare: [] as string[] };
    let level = [root];
    let entries = 0;
    let complete = true;
    for (let depth = 0; level.length > 0 && complete; depth++) {
      const next: string[] = [];
      for (const folder of level) {
        if (seen.size >= MOST_FOLDERS || entries >= MOST_ENTRIES || depth >= DEEPEST) {
          complete = false;
          break;
        }
        const view = viewOf(folder, root, known.get(folder));
        if (view === undefined) continue;
        seen.set(folder, view);
        entries += view.entries;
        found.secrets.push(...view.secrets);
        found.repositories.push(...view.repositories);
        found.own.push(...view.own);
        if (view.bare) found.bare.push(folder);
        next.push(...view.folders);
      }
      level = next;
    }
    known = new Map([...[...known].filter(([folder]) => !folder.startsWith(`${root}/`) && folder !== root), ...seen]);
    return { ...found, complete };
  };
}

function stampOf(stat: BigIntStats): string {
  return `${stat.dev}.${stat.ino}.${stat.mtimeNs}.${stat.ctimeNs}`;
}

function viewOf(folder: string, root: string, known: FolderView | undefined): FolderView | undefined {
  try {
    const stat = lstatSync(folder, { bigint: true });
    const stamp = stampOf(stat);
    if (known?.stamp === stamp) return known;
    const fresh = BigInt(Date.now()) * 1_000_000n - stat.ctimeNs < FRESH_NS;
    return { ...readFolder(folder, root), stamp: fresh ? '' : stamp };
  } catch {
    return undefined;
  }
}

function readFolder(folder: string, root: string): Omit<FolderView, 'stamp'> {
  const view = {
    folders: [] as string[],
    secrets: [] as string[],
    repositories: [] as string[],
    own: [] as string[],
    bare: false,
    entries: 0,
  };
  let marks = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    view.entries++;
    const path = join(folder, entry.name);
    const isFolder = entry.isDirectory();
    if (BARE_MARKS.has(entry.name)) marks++;
    if (entry.name === '.git') view.repositories.push(path);
    else if ((isFolder || entry.isFile()) && isOwnProjectPath(relative(root, path))) view.own.push(path);
    else if (isFolder && !SKIPPED.has(entry.name)) view.folders.push(path);
    else if ((entry.isFile() || entry.isSymbolicLink()) && isSecretName(entry.name)) view.secrets.push(path);
  }
  return { ...view, bare: marks === BARE_MARKS.size };
}
