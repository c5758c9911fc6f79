/** Says what in a repository a command made would have git run programs: hooks, and settings that name one. Runs nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isBelow, look, stablePath } from './stable-path.js';

const LONGEST_TEXT = 64 * 1024;

/** Keys whose value is a program, or leads to more settings. */
const KEYS =
  /^[\s\uFEFF]*(?:\[[^\]\n]*\])?[ \t]*(fsmonitor|hookspath|sshcommand|gitproxy|askpass|editor|pager|clean|smudge|process|textconv|command|cmd|driver|program|defaultkeycommand|helper|external|difffilter|packobjectshook|alternaterefscommand|vcs|uploadpack|receivepack|templatedir|tocmd|cccmd|browser)[ \t]*(?:=[ \t]*(.*))?$/gim;
const INCLUDE = /^[\s\uFEFF]*\[[ \t]*include/im;
/** An alias or a way of updating submodules that is a shell line. */
const SHELL_LINE = /=[ \t]*"?!/;

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

/**
 * What makes git run programs in the repository of an entry named `.git` (or a folder that is one), as a path or a key;
 * undefined when nothing does. A pointer or link to a place nobody watches counts as well: it may be filled later.
 */
export function programsOf(entry: string, { known, watched }: KnownRepositories): string | undefined {
  const stat = look(entry);
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) return runsIn(entry, undefined, known);
  const folder = leadsTo(entry);
  if (folder === undefined) return 'it leads nowhere';
  const common = commonOf(folder);
  const isKnown = (path: string) => known.has(identityOf(path) ?? '');
  if (common !== undefined && !isKnown(common) && !watched.some((place) => isBelow(common, place)))
    return `it leads to ${common}`;
  return isKnown(folder) ? undefined : runsIn(folder, common, known);
}

function runsIn(folder: string, common: string | undefined, known: ReadonlySet<string>): string | undefined {
  const settled = common ?? commonOf(folder);
  const own = runsBySettings(join(folder, 'config.worktree'));
  if (own !== undefined || settled === undefined) return own;
  if (settled !== folder && known.has(identityOf(settled) ?? '')) return undefined;
  return (
    runsBySettings(join(settled, 'config')) ?? runsBySettings(join(settled, 'config.worktree')) ?? hookIn(join(settled, 'hooks'))
  );
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

/** Undefined: there is no such file. What cannot be read whole gives an empty key below. */
function textOf(file: string): string | undefined {
  const path = stablePath(file, () => false);
  const stat = path === undefined ? undefined : look(path);
  if (path === undefined || stat?.isFile() !== true || stat.size > LONGEST_TEXT) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function runsBySettings(file: string): string | undefined {
  if (look(file) === undefined) return undefined;
  const text = textOf(file);
  if (text === undefined) return file;
  if (INCLUDE.test(text)) return 'include';
  if (SHELL_LINE.test(text)) return 'a shell line';
  // Git's own monitor is no program of the repository.
  for (const [, key = '', value = ''] of text.matchAll(KEYS))
    if (!(key.toLowerCase() === 'fsmonitor' && /^(true|false|yes|no|on|off|0|1)?\s*$/i.test(value))) return key.toLowerCase();
  return undefined;
}

function hookIn(folder: string): string | undefined {
  const path = stablePath(folder, () => false);
  if (path === undefined) return look(folder) === undefined ? undefined : 'hooks';
  try {
    return readdirSync(path).find((name) => {
      const stat = look(join(path, name));
      return (
        !name.endsWith('.sample') && stat !== undefined && (stat.isSymbolicLink() || (stat.isFile() && (stat.mode & 0o111) !== 0))
      );
    });
  } catch {
    return undefined;
  }
}
