/** What the repository around a folder makes programs do: whether its own settings make git run something, whether npm is set up. */
import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type ConfigEntry, isFalse, isSwitch, parseGitConfig } from '../base/git-config.js';
import { runsOnReading } from '../base/git-programs.js';
import { gitlinksOf } from './git-index.js';
import { readSmallFile, statOf } from './small-file.js';

export interface RepositoryTraits {
  /** The key, hook or file for which even git commands that only read may run a program; undefined when there is none. */
  readonly gitRuns: string | undefined;
  /** A `.npmrc` stands in the folder or above it in the repository. */
  readonly npmrc: boolean;
}

/** Looks at the disk, synchronously and within bounds, without running git. Never throws; what cannot be read counts as running. */
export function repositoryTraits(root: string): RepositoryTraits {
  try {
    const found = findRepository(root);
    return {
      gitRuns: bareAt(root, true) ?? found.odd ?? (found.git ? runsIn(found.git) : undefined),
      npmrc: npmrcFrom(root, found.top),
    };
  } catch {
    return { gitRuns: '.git (cannot be read)', npmrc: true };
  }
}

interface Repository {
  /** Folder of the working tree. */
  readonly top: string;
  /** Its own data. */
  readonly dir: string;
  /** Data shared between working trees; the same folder for most. */
  readonly common: string;
}

const UP = 64;

function findRepository(root: string): { readonly git?: Repository; readonly top: string; readonly odd?: string } {
  let folder = resolve(root);
  for (let step = 0; step < UP; step++) {
    const path = join(folder, '.git');
    const stat = statOf(path);
    if (stat) return openGit(folder, path, stat.isFile());
    const bare = bareAt(folder, false);
    if (bare !== undefined) return { top: folder, odd: bare };
    const parent = dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return { top: resolve(root) };
}

function openGit(
  top: string,
  path: string,
  pointer: boolean,
): { readonly git?: Repository; readonly top: string; readonly odd?: string } {
  const odd = { top, odd: '.git (cannot be read)' };
  let dir = path;
  if (pointer) {
    const file = readSmallFile(path, 4096);
    const target = typeof file === 'string' ? undefined : /^gitdir: *([^\n]+?)\s*$/.exec(file.text)?.[1];
    if (target === undefined) return odd;
    dir = resolve(top, target);
  }
  const real = realOf(dir);
  // Without a HEAD git looks further up, past what is seen here.
  if (real === undefined || !statOf(join(real, 'HEAD'))) return odd;
  const shared = readSmallFile(join(real, 'commondir'), 4096);
  if (shared === 'odd') return odd;
  const common = shared === 'missing' ? real : realOf(resolve(real, shared.text.trim()));
  return common === undefined ? odd : { top, git: { top, dir: real, common } };
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** git takes a folder with these names for a repository of its own. `strict`: settings beside a HEAD are enough. */
function bareAt(folder: string, strict: boolean): string | undefined {
  if (!statOf(join(folder, 'HEAD'))) return undefined;
  const whole = statOf(join(folder, 'objects')) !== undefined && statOf(join(folder, 'refs')) !== undefined;
  if (whole) return 'HEAD, objects and refs';
  return strict && statOf(join(folder, 'config')) ? 'HEAD and config' : undefined;
}

function npmrcFrom(root: string, top: string): boolean {
  let folder = resolve(root);
  for (let step = 0; step < UP; step++) {
    if (statOf(join(folder, '.npmrc'))) return true;
    if (folder === top || folder === dirname(folder)) return false;
    folder = dirname(folder);
  }
  return false;
}

/** Hooks that commands which only read set off: they renew the index, ask what changed, or write references. */
const HOOKS = ['post-index-change', 'fsmonitor-watchman', 'reference-transaction'];
const MOST_NESTED = 64;

function runsIn(git: Repository): string | undefined {
  const own = runsAt(git);
  if (own !== undefined) return own;
  // git status and git diff look into submodules, each with settings of its own.
  const links = gitlinksOf(join(git.dir, 'index'));
  if (links === undefined) return 'index (cannot be read)';
  if (links.length > MOST_NESTED) return 'index (many submodules)';
  for (const link of links) {
    const top = join(git.top, link);
    const path = join(top, '.git');
    const stat = statOf(path);
    if (!stat) continue;
    const inner = openGit(top, path, stat.isFile());
    const found = inner.odd ?? (inner.git ? runsAt(inner.git) : undefined);
    if (found !== undefined) return `${found} of the submodule ${link}`;
    if (inner.git && (gitlinksOf(join(inner.git.dir, 'index'))?.length ?? 1) > 0) return `submodules of the submodule ${link}`;
  }
  return undefined;
}

function runsAt(git: Repository): string | undefined {
  let hooks = join(git.common, 'hooks');
  for (const path of new Set([
    join(git.common, 'config'),
    join(git.dir, 'config.worktree'),
    join(git.common, 'config.worktree'),
  ])) {
    const entries = entriesOf(path);
    if (!entries) return 'config (cannot be read)';
    for (const entry of entries) {
      if (entry.key === 'core.hookspath') {
        if (entry.value === undefined || /^[~%]/.test(entry.value)) return entry.key;
        const moved = isAbsolute(entry.value) ? entry.value : resolve(git.top, entry.value);
        if (hookIn(moved) !== undefined) return entry.key;
        hooks = moved;
      } else if (runs(entry, git)) return entry.key;
    }
  }
  const hook = hookIn(hooks) ?? hookIn(join(git.common, 'hooks'));
  return hook === undefined ? undefined : `hooks/${hook}`;
}

function hookIn(folder: string): string | undefined {
  return HOOKS.find((name) => statOf(join(folder, name)) !== undefined);
}

function runs({ key, value }: ConfigEntry, git: Repository): boolean {
  if (key === 'core.fsmonitor') return !isFalse(value);
  if (key === 'core.pager') return value !== '' && value !== 'cat';
  if (key.startsWith('pager.')) return !isSwitch(value) && value !== 'cat';
  // Another format of the index is not read here.
  if (key === 'extensions.objectformat') return value !== 'sha1';
  // Submodules and linked trees say where their files are; anywhere else git would read others.
  if (key === 'core.worktree') return value === undefined || realOf(resolve(git.dir, value)) !== realOf(git.top);
  return runsOnReading(key);
}

const known = new Map<string, { readonly stamp: string; readonly entries: readonly ConfigEntry[] | undefined }>();

/** The entries of a configuration file, none when there is no file, undefined when it is odd. Kept until the file changes. */
function entriesOf(path: string): readonly ConfigEntry[] | undefined {
  const stat = statOf(path);
  if (!stat) return [];
  const stamp = [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ');
  const kept = known.get(path);
  if (kept?.stamp === stamp) return kept.entries;
  const file = readSmallFile(path);
  const entries = typeof file === 'string' ? undefined : parseGitConfig(file.text);
  if (known.size > 200) known.clear();
  known.set(path, { stamp, entries });
  return entries;
}
