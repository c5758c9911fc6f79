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

/** Folders seen for the first time in one look, and what they may hold. */
const MOST_NEW = 20_000;
const MOST_ENTRIES = 600_000;
/** Folders that are looked at again every time. */
const MOST_FOLDERS = 60_000;
/** So long (milliseconds) new folders are read in one look. */
const MOST_MS = 3000;
const DEEPEST = 64;
const STEP = 64;
/** A look that may take its time lets others have their turn so often (milliseconds). */
const TURN_MS = 25;
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

export interface ScanBounds {
  readonly mostNew: number;
  readonly mostFolders: number;
}

export interface Scanner {
  /** At once; for a workspace that was looked through before. */
  now(root: string): WorkspaceScan;
  /** The same, without keeping everything else waiting. */
  inTurns(root: string): Promise<WorkspaceScan>;
}

/**
 * A scanner that remembers folders by their times. Folders it knows are looked at first, whatever came into being since: nobody
 * can push them out of sight. One for the life of a sandbox; never throws.
 */
export function createScanner(bounds: ScanBounds = { mostNew: MOST_NEW, mostFolders: MOST_FOLDERS }): Scanner {
  let known = new Map<string, FolderView>();
  function* steps(root: string): Generator<undefined, WorkspaceScan> {
    const before = known;
    const walk = newWalk(root);
    while (walk.old.length > 0 || (walk.fresh.length > walk.next && hasRoom(walk, bounds))) {
      for (let count = 0; count < STEP; count++) {
        const folder = walk.old.pop() ?? nextFresh(walk, bounds);
        if (folder === undefined) break;
        enter(folder, walk, before);
      }
      yield undefined;
    }
    known = new Map([...[...known].filter(([folder]) => !folder.startsWith(`${root}/`) && folder !== root), ...walk.seen]);
    const nearest = (a: string, b: string) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1);
    walk.found.repositories.sort(nearest);
    return { ...walk.found, complete: walk.fresh.length === walk.next && !walk.tooDeep };
  }
  return {
    now(root) {
      const run = steps(root);
      for (;;) {
        const step = run.next();
        if (step.done) return step.value;
      }
    },
    async inTurns(root) {
      const run = steps(root);
      for (let turn = performance.now(); ; ) {
        const step = run.next();
        if (step.done) return step.value;
        if (performance.now() - turn < TURN_MS) continue;
        await new Promise((done) => setImmediate(done));
        turn = performance.now();
      }
    },
  };
}

interface Walk {
  readonly root: string;
  /** Folders known from before; then those that are new, nearest to the top first, from `next` on. */
  readonly old: string[];
  readonly fresh: string[];
  next: number;
  readonly seen: Map<string, FolderView>;
  readonly found: { secrets: string[]; repositories: string[]; own: string[]; bare: string[] };
  entries: number;
  tooDeep: boolean;
  readonly until: number;
}

function newWalk(root: string): Walk {
  const found = { secrets: [], repositories: [], own: [], bare: [] };
  const until = performance.now() + MOST_MS;
  return { root, old: [root], fresh: [], next: 0, seen: new Map(), found, entries: 0, tooDeep: false, until };
}

function hasRoom({ next, seen, entries, until }: Walk, { mostNew, mostFolders }: ScanBounds): boolean {
  return next < mostNew && seen.size < mostFolders && entries < MOST_ENTRIES && performance.now() < until;
}

function nextFresh(walk: Walk, bounds: ScanBounds): string | undefined {
  return walk.next < walk.fresh.length && hasRoom(walk, bounds) ? walk.fresh[walk.next++] : undefined;
}

function enter(folder: string, walk: Walk, before: ReadonlyMap<string, FolderView>): void {
  const { found, root } = walk;
  const view = viewOf(folder, root, before.get(folder));
  if (view === undefined) return;
  if (view !== before.get(folder)) walk.entries += view.entries;
  walk.seen.set(folder, view);
  found.secrets.push(...view.secrets);
  found.repositories.push(...view.repositories);
  found.own.push(...view.own);
  if (view.bare) found.bare.push(folder);
  if (folder.length - root.length > DEEPEST * 2 && folder.slice(root.length).split('/').length > DEEPEST) {
    walk.tooDeep ||= view.folders.length > 0;
    return;
  }
  for (const inner of view.folders) (before.has(inner) ? walk.old : walk.fresh).push(inner);
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
