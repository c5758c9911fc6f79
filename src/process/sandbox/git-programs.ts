/** Says what in a repository a command made would have git run programs: hooks, and settings that name one. Runs nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseGitConfig } from '../../base/git-config.js';
import { runsSometime } from '../../base/git-programs.js';
import { isBelow, look, stablePath } from './stable-path.js';

const LONGEST_TEXT = 256 * 1024;

/** Identity of what stands at a path, links not followed; undefined when nothing does. */
export function identityOf(path: string): string | undefined {
  const stat = look(path);
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`;
}

export interface KnownRepositories {
  /** Identities of the data folders that are guarded elsewhere. */
  readonly known: ReadonlySet<string>;
  /** Data folders that are looked at by themselves, and whose insides are guarded: real paths. */
  readonly watched: readonly string[];
}

/** One thing that makes git run a program. `name` is for people; `mark` tells it from others, its contents included. */
export interface GitProgram {
  readonly name: string;
  readonly mark: string;
}

/**
 * What makes git run programs in the repository of an entry named `.git` (or a folder that is one). A pointer or link to a
 * place nobody watches counts as well: it may be filled later. So does what cannot be read or understood.
 */
export function programsOf(entry: string, { known, watched }: KnownRepositories): GitProgram[] {
  const stat = look(entry);
  if (stat === undefined) return [];
  if (stat.isDirectory()) return runsIn(entry, commonOf(entry), known);
  const folder = leadsTo(entry);
  if (folder === undefined) return [only('it leads nowhere')];
  const common = commonOf(folder);
  const isKnown = (path: string) => known.has(identityOf(path) ?? '');
  if (common !== undefined && !isKnown(common) && !watched.some((place) => isBelow(common, place)))
    return [only(`it leads to ${common}`)];
  return isKnown(folder) ? [] : runsIn(folder, common, known);
}

/** The same for an entry that was there before, whatever is known of where it leads. */
export function allPrograms(entry: string): GitProgram[] {
  const stat = look(entry);
  const folder = stat?.isDirectory() ? entry : leadsTo(entry);
  return folder === undefined ? [] : runsIn(folder, commonOf(folder), new Set());
}

const only = (name: string): GitProgram => ({ name, mark: name });

function runsIn(folder: string, common: string | undefined, known: ReadonlySet<string>): GitProgram[] {
  const own = settingsThatRun(join(folder, 'config.worktree'));
  if (common === undefined) return [...own, ...settingsThatRun(join(folder, 'config')), ...hooksIn(join(folder, 'hooks'))];
  if (common !== folder && known.has(identityOf(common) ?? '')) return own;
  const shared = common === folder ? [] : settingsThatRun(join(common, 'config.worktree'));
  return [...settingsThatRun(join(common, 'config')), ...own, ...shared, ...hooksIn(join(common, 'hooks'))];
}

/** Where a pointer file or a link leads. */
function leadsTo(entry: string): string | undefined {
  if (look(entry)?.isSymbolicLink()) return stablePath(entry, () => false);
  const named = /^gitdir: (.+?)\s*$/m.exec(textOf(entry) ?? '')?.[1];
  return named === undefined ? undefined : stablePath(resolve(dirname(entry), named), () => false);
}

/** The folder whose settings and hooks count. */
function commonOf(folder: string): string | undefined {
  const text = textOf(join(folder, 'commondir'))?.trim();
  return text === undefined ? folder : stablePath(resolve(folder, text), () => false);
}

/** The text of a small ordinary file, links followed; undefined: there is none, or it cannot be read whole. Never throws. */
export function textOf(file: string): string | undefined {
  const path = stablePath(file, () => false);
  const stat = path === undefined ? undefined : look(path);
  if (path === undefined || stat?.isFile() !== true || stat.size > LONGEST_TEXT) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** What in a file of settings runs programs. A link counts: where it leads may be filled later. Nothing when there is no file. */
export function settingsThatRun(file: string): GitProgram[] {
  const stat = look(file);
  if (stat === undefined) return [];
  const text = stat.isSymbolicLink() ? undefined : textOf(file);
  const entries = text === undefined ? undefined : parseGitConfig(text);
  if (entries === undefined) return [{ name: file, mark: `${file}\0${text ?? ''}` }];
  return entries.filter(runsSometime).map(({ key, value }) => ({ name: key, mark: `${file}\0${key}\0${value ?? ''}` }));
}

/** Files a text of settings includes: absolute, as far as they can be told. `file` is the one it stands in. */
export function includedFiles(file: string, home: string): string[] {
  const entries = parseGitConfig(textOf(file) ?? '') ?? [];
  return entries
    .filter(({ key, value }) => value && (key === 'include.path' || (key.startsWith('includeif.') && key.endsWith('.path'))))
    .map(({ value = '' }) => (value.startsWith('~/') ? join(home, value.slice(2)) : resolve(dirname(file), value)));
}

function hooksIn(folder: string): GitProgram[] {
  const path = stablePath(folder, () => false);
  if (path === undefined) return look(folder) === undefined ? [] : [only('hooks')];
  if (look(folder)?.isSymbolicLink()) return [only('hooks')];
  try {
    return readdirSync(path).flatMap((name) => {
      const stat = look(join(path, name));
      if (name.endsWith('.sample') || stat === undefined) return [];
      if (!stat.isSymbolicLink() && !(stat.isFile() && (stat.mode & 0o111) !== 0)) return [];
      return [{ name, mark: [path, name, stat.ino, stat.size, stat.mtimeMs].join('\0') }];
    });
  } catch {
    return [];
  }
}
