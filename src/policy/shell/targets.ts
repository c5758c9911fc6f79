/** Places whose recursive deletion is a catastrophe: the root, system folders, homes, what the workspace lies in. */

import { compileGlob } from '../../base/path-glob.js';
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { place, splitPattern } from './paths.js';
import type { Cwd, ShellEnv, ShellWord } from './types.js';

const SYSTEM_ROOTS = (
  '/bin /boot /boot/efi /dev /etc /home /lib /lib32 /lib64 /libx32 /media /mnt /nix /opt /proc /root /run /sbin /snap /srv /sys /usr /var ' +
  '/usr/bin /usr/include /usr/lib /usr/lib32 /usr/lib64 /usr/libexec /usr/local /usr/local/bin /usr/local/lib /usr/sbin /usr/share /usr/src ' +
  '/var/db /var/lib /var/log /var/mail /var/spool /Applications /Library /System /Users /Volumes /cores /private /private/etc /private/var /data /system /sdcard /storage'
).split(' ');

/** Said of a folder above the workspace; always this very value. */
export const HOLDS_WORKSPACE = because`a folder that holds the workspace`;

/** Why a place is protected, for a word in any of its readings; undefined when none is. */
export function wordProtected(word: ShellWord, cwd: Cwd, env: ShellEnv): Reason | undefined {
  for (const text of [...word.values, ...word.guesses]) {
    const why = whyProtected(text, cwd, env);
    if (why) return why;
  }
  for (const pattern of word.patterns) {
    const why = patternProtected(pattern, cwd, env);
    if (why) return why;
  }
  return undefined;
}

/** Why a path (which may hold `*` as text of a guess) is protected. */
export function whyProtected(path: string, cwd: Cwd, env: ShellEnv): Reason | undefined {
  if (/[*?[]/.test(path)) return patternProtected(path, cwd, env);
  const follows = /\/\.?$/.test(path);
  for (const full of absolutes(path, cwd, env)) {
    const why = ofPath(full, env) ?? (follows ? realProtected(full, env) : undefined);
    if (why) return why;
  }
  return undefined;
}

/** Absolute spellings of a path, without `.` and `..`. */
function absolutes(path: string, cwd: Cwd, env: ShellEnv): string[] {
  if (path === '') return [];
  const text = path === '~' || path.startsWith('~/') ? env.home + path.slice(1) : path;
  if (text.startsWith('/')) return [normal(text)];
  if (/^[A-Za-z]:([\\/]|$)/.test(text)) return [text];
  return (cwd ?? [env.root]).map((base) => normal(`${base}/${text}`));
}

/** Removes empty, `.` and `..` components, and the detours through /proc that lead back to the root. */
export function normal(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
    if (kept.length === 3 && kept[0] === 'proc' && kept[2] === 'root') kept.length = 0;
  }
  return `/${kept.join('/')}`;
}

function ofPath(full: string, env: ShellEnv): Reason | undefined {
  if (full === '/') return because`the root of the file system`;
  if (SYSTEM_ROOTS.includes(full)) return because`the system folder ${full}`;
  const home = normal(env.home);
  if (full === home) return because`the home folder`;
  if (home.startsWith(`${full}/`)) return because`a folder that holds the home folder`;
  if (/^\/(home|Users)\/[^/]+$/.test(full) && !env.roots.includes(full)) return because`a home folder`;
  for (const root of env.roots) if (root.startsWith(`${full}/`)) return HOLDS_WORKSPACE;
  if (/^[A-Za-z]:[\\/]*(windows|users|program files( \(x86\))?)?[\\/]*$/i.test(full) || /^\/(mnt\/)?[a-zA-Z]$/.test(full))
    return because`a whole drive`;
  return undefined;
}

function realProtected(full: string, env: ShellEnv): Reason | undefined {
  const located = place(full, undefined, env)?.[0];
  return located && located.real !== full ? ofPath(located.real, env) : undefined;
}

function patternProtected(pattern: string, cwd: Cwd, env: ShellEnv): Reason | undefined {
  const { folder, rest } = splitPattern(pattern);
  const parts = rest.split('/').filter((part) => part !== '' && part !== '.');
  const climbs = parts.filter((part) => part === '..').length;
  for (const base of folder === '' ? (cwd ?? [env.root]) : absolutes(folder, cwd, env)) {
    // Everything in a protected folder is as good as the folder.
    const everything = parts.length > 0 && parts.every((part) => takesAll(part) || part === '..') && parts.length > climbs;
    if (everything) {
      const up = normal(`${base}/${'../'.repeat(Math.max(0, climbs - (parts.length - climbs)))}`);
      const why = ofPath(up, env) ?? realProtected(up, env);
      if (why) return because`everything in ${why}`;
    }
    const glob = compileGlob(normal(`${base === '/' ? '' : base}/${rest}`).replace(/\/$/, ''));
    const places = ['/', ...SYSTEM_ROOTS, normal(env.home), ...ancestors(env)];
    const hit = places.find((place) => place !== '/' && glob.test(place));
    if (hit !== undefined) return ofPath(hit, env) ?? because`${hit}`;
  }
  return undefined;
}

function ancestors(env: ShellEnv): string[] {
  const found: string[] = [];
  for (const root of env.roots) {
    const parts = root.split('/');
    for (let n = 2; n < parts.length; n++) found.push(parts.slice(0, n).join('/'));
  }
  return found;
}

/** `*`, `.*`, `?*`, `.[!.]*`, `**`: no name, or next to none, is left out. */
function takesAll(part: string): boolean {
  return /^\.?(\[[!^]\.\]|\?|\*)*\*$/.test(part) || /^\.?\[[^\]]+\]\*$/.test(part);
}
